// The browser that the page's tests run in: Chromium, or Firefox by WebDriver BiDi.
//
//   BROWSER              chromium, which is meant where nothing is said, or firefox
//   CHROMIUM, FIREFOX    their commands, where they are not Debian's

import { existsSync, mkdtempSync, readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const name = process.env.BROWSER ?? 'chromium';
if (!['chromium', 'firefox'].includes(name)) throw new Error(`BROWSER is ${name}; expected chromium or firefox`);
const isFirefox = name === 'firefox';
const command = process.env[name.toUpperCase()] ?? (isFirefox ? '/usr/bin/firefox-esr' : '/usr/bin/chromium');

/** Why there is nothing to test with; false if there is something. */
export const missing = existsSync(command) ? false : `${command} is not there`;
if (missing && process.env.CI) throw new Error(missing);

const downloadsPath = mkdtempSync(join(tmpdir(), 'attila-'));
/** Browsers that run, by the colours that their readers prefer. */
const running = new Map();

/** A window without a network, or with one. */
export async function open({ offline = true, colorScheme = 'light' } = {}) {
  // Firefox prefers the same colours in all windows.
  const key = isFirefox && colorScheme;
  if (!running.has(key)) running.set(key, await (isFirefox ? firefox(colorScheme) : chromium()));
  return running.get(key).newContext({ viewport: { width: 1280, height: 900 }, acceptDownloads: true, offline, colorScheme });
}

/** Ends all windows. */
export const close = () => Promise.all([...running.values()].map((it) => it.close()));

async function chromium() {
  const { chromium } = await import('playwright-core');
  return chromium.launch({ executablePath: command, args: ['--no-sandbox'] });
}

async function firefox(colorScheme) {
  const { firefox } = await import('playwright-core');
  const firefoxUserPrefs = { 'ui.systemUsesDarkTheme': Number(colorScheme === 'dark') };
  // The channel is what lets Playwright speak BiDi.
  const browser = await firefox.launch({ channel: 'moz-firefox', executablePath: command, downloadsPath, firefoxUserPrefs });
  // Playwright sets the colours of every window by a command that Firefox 153 does not know.
  const session = browser._connection.toImpl(browser)._browserSession;
  const send = session.send.bind(session);
  session.send = (method, ...rest) => (method === 'emulation.setMediaFeaturesOverride' ? {} : send(method, ...rest));
  return browser;
}

/** The path of the file that a page gives to its reader, an HTML file, after an act. */
export async function download(page, act) {
  if (!isFirefox) {
    const [download] = await Promise.all([page.waitForEvent('download'), act()]);
    const path = join(downloadsPath, 'saved.html');
    await download.saveAs(path);
    return path;
  }
  // Playwright does not know Firefox's downloads: they have no number.
  await act();
  for (let attempt = 0; attempt < 400; attempt++) {
    const names = readdirSync(downloadsPath);
    const path = names.length === 1 && join(downloadsPath, names[0]);
    if (path && path.endsWith('.html') && statSync(path).size) return path;
    await setTimeout(50);
  }
  throw new Error(`there is no download: ${readdirSync(downloadsPath)}`);
}
