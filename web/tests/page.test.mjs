// The page in a browser, from disk and without a network: what a reader does.

import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import * as browser from './browser.mjs';
import { ENDLESS, load, open, png, read } from './support.mjs';

const PAGE = new URL('../dist/playground.html', import.meta.url).href;
const { missing } = browser;

const GRADIENT = ';! varying i6 = u, v, 0, 1\n;! const c0 = 0.5 0.5 0.5 1\n;! range c0.z = 0 2\nmul o1, i6, c0\n';

let context, page;
const requests = [];
const errors = [];

before(async () => {
  if (missing) return;
  context = await browser.open();
  page = await show(PAGE);
});

after(async () => {
  // A picture for the documents, if one is asked for.
  if (process.env.PICTURE && !missing) await picture(process.env.PICTURE);
  await browser.close();
});

/** The page with a program that has something to show, in a file. */
async function picture(path) {
  const page = await show(PAGE, await browser.open({ colorScheme: 'dark' }));
  await page.setViewportSize({ width: 1200, height: 760 });
  await page.selectOption('#size', '640x480');
  await page.selectOption('#programs', { label: 'Bump mapping' });
  await page.waitForTimeout(2000);
  await page.click('#picture', { position: { x: 210, y: 150 } });
  await page.locator('#pixel [role=status]').waitFor();
  for (let step = 0; step < 6; step++) await page.click('[data-command=step]');
  await page.waitForTimeout(500);
  await page.screenshot({ path });
}

/** A page, whose first picture is there. */
async function show(address, window = context) {
  const page = await window.newPage();
  page.on('request', (request) => requests.push(request.url()));
  page.on('pageerror', (error) => errors.push(error.message));
  await page.goto(address);
  await page.waitForSelector('#picture[data-frames]');
  return page;
}

const run = (name, body) => test(name, { skip: missing }, body);

/** Pastes a text in place of all that is there. */
async function paste(text) {
  await page.click('.cm-content');
  await page.keyboard.press('Control+A');
  await page.locator('.cm-content').evaluate((element, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    // Firefox makes no events of the clipboard for scripts.
    element.dispatchEvent(Object.assign(new Event('paste', { bubbles: true, cancelable: true }), { clipboardData }));
  }, text);
}

/** Types into a field for a number. */
async function enter(field, text) {
  await field.click();
  await page.keyboard.press('Control+A');
  await page.keyboard.type(text);
}

/** The pixels of a canvas, as text: lists of numbers take seconds to be handed over. */
const text = (canvas) => {
  const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
  let text = '';
  for (const byte of data) text += String.fromCharCode(byte);
  return text;
};

/** The pixels of the picture. */
async function pixels(of = page) {
  return Buffer.from(await of.locator('#picture').evaluate(text), 'latin1');
}

/** Waits for pictures until one is as it should be. */
async function until(check, what, of = page) {
  let last;
  for (let attempt = 0; attempt < 400; attempt++) {
    last = await pixels(of);
    if (check(last)) return last;
    await of.waitForTimeout(50);
  }
  assert.fail(`${what}: ${[...last.subarray(0, 8)]}`);
}

/** What the interpreter draws. */
function drawn(text, more = {}, { name = 'a.attila', mesh = null } = {}) {
  const { engine } = open(text, name, mesh);
  return engine.answer({ do: 'draw', size: [320, 240], engine: 'interp', ...more }).bytes;
}

const same = (expected) => (found) => found.equals(expected);

run('a broken program leaves the picture, and its problem has a place and a fix', async () => {
  await page.selectOption('#size', '320x240');
  await paste(GRADIENT);
  await until(same(drawn(GRADIENT)), 'the gradient');
  // The mnemonic in the last line, by keys.
  await page.keyboard.press('Control+End');
  await page.keyboard.press('ArrowUp');
  for (let letter = 0; letter < 3; letter++) await page.keyboard.press('Delete');
  await page.keyboard.type('mlu');
  await page.waitForSelector('.problem .error');
  assert.match(await page.textContent('.problem'), /^4:1error/);
  assert.ok(same(drawn(GRADIENT))(await pixels()));
  assert.equal(await page.locator('.cm-lintRange-error').count(), 1);
  await page.click('.problem .fix');
  await page.waitForFunction(() => document.getElementById('problems').textContent === 'Nothing is wrong.');
  await until(same(drawn(GRADIENT)), 'the gradient again');
});

/** The colours that the command draws. */
async function rendered(options, cwd) {
  const { execFileSync } = await import('node:child_process');
  const picture = join(mkdtempSync(join(tmpdir(), 'attila-')), 'a.ppm');
  execFileSync(process.env.ATTILA, ['render', ...options, '--size', '320x240', '-o', picture], { cwd });
  const file = readFileSync(picture);
  return file.subarray(file.length - 3 * 320 * 240);
}

run('figures have the engine, speeds, the time of the compiler, and the size of code', async () => {
  const figures = await page.textContent('#figures');
  assert.match(figures, /^jit: .*[\d.]+ Mpixel\/s; compiled in [\d.]+ ms, [1-9]\d{2,} bytes; 1 instruction$/);
});

run('the picture is that of `attila render`', async (t) => {
  if (!process.env.ATTILA) return t.skip('ATTILA names no command');
  const folder = mkdtempSync(join(tmpdir(), 'attila-'));
  writeFileSync(join(folder, 'a.attila'), GRADIENT);
  const found = (await pixels()).filter((_, n) => n % 4 !== 3);
  assert.ok(Buffer.from(found).equals(await rendered(['a.attila'], folder)));
});

run('a slider changes a constant', async () => {
  const slider = page.getByLabel('c0.z', { exact: true });
  await slider.fill('2');
  await until(same(drawn(GRADIENT, { constants: [[0, [0.5, 0.5, 2, 1]]] })), 'blue');
  await enter(page.getByLabel('c0.x, as a number'), '1');
  await until(same(drawn(GRADIENT, { constants: [[0, [1, 0.5, 2, 1]]] })), 'red and blue');
});

/** Drops a file on the page. */
const drop = (name, bytes) => page.evaluate(({ name, bytes }) => {
  const data = new DataTransfer();
  data.items.add(new File([Uint8Array.from(bytes)], name));
  document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
}, { name, bytes: [...bytes] });

run('a picture that is dropped is a texture', async () => {
  const text = ';! texture t0 = wall.png, nearest\n;! varying i6 = u, v, 0, 1\ntex o1, i6, t0\n';
  await paste(text);
  await page.waitForSelector('.problem .error');
  assert.match(await page.textContent('.problem'), /drop `wall.png`/);
  await drop('wall.png', png(1, 1, Uint8Array.of(10, 20, 30, 255)));
  await until((found) => found[0] === 10 && found[1] === 20 && found[2] === 30, 'the texture');
});

run('a click on the picture steps through its pixel', async () => {
  await paste(GRADIENT.replace('mul o1, i6, c0', 'mul r0, i6, c0\nmov o1, r0'));
  await page.waitForFunction(() => document.getElementById('problems').textContent === 'Nothing is wrong.');
  await page.click('#picture', { position: { x: 31, y: 20 } });
  const status = page.locator('#pixel [role=status]');
  await status.waitFor();
  assert.match(await status.textContent(), /Step 0 of 2, lanes 0123: mul r0, i6, c0/);
  assert.equal(await page.locator('.cm-line.marked').textContent(), 'mul r0, i6, c0');
  await page.click('[data-command=step]');
  await page.waitForFunction(() => document.querySelector('#pixel [role=status]').textContent.startsWith('Step 1'));
  assert.ok(await page.locator('#pixel .changed').count() > 1);
  await page.click('[data-command=back]');
  await page.waitForFunction(() => document.querySelector('#pixel [role=status]').textContent.startsWith('Step 0'));
});

run('lines of all panes are marked together', async () => {
  await page.click('#tab-panes');
  await page.waitForSelector('.pane .line');
  await page.hover('.pane:first-child .line:nth-child(2)');
  assert.equal(await page.locator('.pane:nth-child(2) .line.marked').count(), 1);
  assert.equal(await page.locator('.cm-line.marked').textContent(), 'mov o1, r0');
});

run('lane IR is shown after each pass, and WebAssembly has the instructions of its lines', async () => {
  const lanes = page.locator('.pane:nth-child(3)');
  const text = await lanes.locator('pre').textContent();
  await lanes.locator('select').selectOption({ index: 0 });
  assert.notEqual(await lanes.locator('pre').textContent(), text);
  await page.hover('.pane:first-child .line:first-child');
  for (const pane of [3, 4]) assert.ok(await page.locator(`.pane:nth-child(${pane}) .line.marked`).count() > 0, `${pane}`);
  assert.match(await page.locator('.pane:nth-child(4) .line.marked').allTextContents().then((it) => it.join('\n')), /f32x4.mul/);
});

run('a mesh is drawn by a vertex program, and dragging goes around it', async () => {
  const [vertex, light] = ['mesh.arbvp', 'light.attila'].map((name) => read(`programs/${name}`).toString());
  const mesh = { model: 'torus', vertex: { name: 'mesh.arbvp', text: vertex } };
  await page.selectOption('#programs', { label: 'Light on a mesh' });
  await until(same(drawn(light, {}, { mesh })), 'the torus');
  if (process.env.ATTILA) {
    const options = '--vertex mesh.arbvp --fragment light.attila --mesh torus'.split(' ');
    const cwd = new URL('../programs', import.meta.url).pathname;
    assert.ok(Buffer.from((await pixels()).filter((_, n) => n % 4 !== 3)).equals(await rendered(options, cwd)));
  }
  const box = await page.locator('#picture').boundingBox();
  await page.mouse.move(box.x + 50, box.y + 50);
  await page.mouse.down();
  await page.mouse.move(box.x + 110, box.y + 50, { steps: 6 });
  await page.mouse.up();
  assert.equal(await page.getByLabel('Turn').inputValue(), '-30');
  await until(same(drawn(light, { view: [-30, 0, 1] }, { mesh })), 'the torus from the left');
  await page.click('#tab-problems');
  await page.click('#show-vertex');
  assert.match(await page.textContent('.cm-content'), /ARBvp1.0/);
  await paste(vertex.replace('DP4', 'DP5'));
  await page.waitForSelector('.problem .error');
  assert.match(await page.textContent('.problem'), /^7:1error/);
  await page.click('#show-fragment');
  await page.waitForFunction(() => /vertex 7:1/.test(document.querySelector('.problem')?.textContent));
  assert.ok(same(drawn(light, { view: [-30, 0, 1] }, { mesh }))(await pixels()));
  await page.click('.problem .place');
  await paste(vertex);
  await page.waitForFunction(() => document.getElementById('problems').textContent === 'Nothing is wrong.');
  const triangle = 'v -1 -1 0\nv 1 -1 0\nv 0 1 0\nf 1 2 3\n';
  await drop('a.obj', new TextEncoder().encode(triangle));
  const { engine } = open('mov o1, i1\n');
  engine.answer({ do: 'file', name: 'a.obj' }, new TextEncoder().encode(triangle));
  load(engine, light, 'light.attila', { ...mesh, model: 'a.obj' });
  const expected = engine.answer({ do: 'draw', size: [320, 240], engine: 'interp', view: [-30, 0, 1] }).bytes;
  await until(same(expected), 'the triangle');
  await page.selectOption('#mesh', '');
  await until(same(drawn(light)), 'the rectangle');
});

run('the text is there again after a reload, and in a link', async () => {
  await paste(GRADIENT);
  await page.waitForTimeout(600);
  await page.reload();
  await page.waitForSelector('#picture[data-frames]');
  assert.match(await page.textContent('.cm-content'), /mul o1, i6, c0/);
  await page.getByLabel('c0.z', { exact: true }).fill('2');
  await page.click('#link');
  await page.waitForFunction(() => location.hash.startsWith('#p='));
  const address = page.url();
  await paste('mov o1, i1\n');
  await page.waitForTimeout(600);
  const other = await show(address);
  assert.match(await other.textContent('.cm-content'), /mul o1, i6, c0/);
  assert.equal(await other.getByLabel('c0.z, as a number').inputValue(), '2');
  assert.ok(same(drawn(GRADIENT, { constants: [[0, [0.5, 0.5, 2, 1]]] }))(await pixels(other)));
  await other.close();
});

run('links of the course open its programs', async () => {
  const folder = new URL('../../docs/course/', import.meta.url);
  const pages = readdirSync(folder).filter((it) => it.endsWith('.md'));
  const links = pages.flatMap((it) => [...String(readFileSync(new URL(it, folder))).matchAll(/playground.html(#program=(.*?))\)/g)]);
  const other = await show(`${PAGE}${links[0][1]}`);
  await other.selectOption('#size', '320x240');
  for (const [, hash, name] of links) {
    await other.evaluate((hash) => { location.hash = hash; }, hash);
    const text = String(readFileSync(new URL(name, folder)));
    await other.waitForFunction((text) => document.querySelector('.cm-content').innerText.trim().startsWith(text), text.slice(0, 30));
    const constants = [...text.matchAll(/^\/\/ --set fc(\d)=(.*)$/gm)].map(([, number, values]) =>
      [Number(number), values.split(',').map(Number)]);
    // A picture that moves is another each time.
    if (/^;! time/m.test(text)) continue;
    await until(same(drawn(text, { engine: 'jit', constants }, { name })), name, other);
    const chosen = () => document.querySelector('#programs').selectedOptions[0].parentElement.label;
    assert.match(await other.evaluate(chosen), name.endsWith('.attila') ? /^Course$/ : /^Course in /);
  }
  await other.evaluate(() => { location.hash = '#program=no.attila'; });
  await other.getByText('there is no program no.attila').waitFor();
  assert.match(await other.textContent('.cm-content'), /plasma/i);
  await other.selectOption('#programs', { label: 'Julia set' });
  await other.waitForFunction(() => document.querySelector('#notice').textContent === '');
  await other.close();
});

run('a saved page has its program', async () => {
  await paste(GRADIENT);
  await until(same(drawn(GRADIENT)), 'the gradient');
  const path = await browser.download(page, () => page.click('#save-page'));
  await page.evaluate(() => localStorage.clear());
  const saved = await show(`file://${path}`);
  assert.match(await saved.textContent('.cm-content'), /mul o1, i6, c0/);
  assert.ok(same(drawn(GRADIENT))(await pixels(saved)));
  await saved.close();
});

run('keys alone do it', async () => {
  await page.focus('#picture');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await page.locator('#pixel [role=status]').waitFor();
  assert.ok(await page.locator('#mark').isVisible());
  await page.focus('#tab-pixel');
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'tab-panes');
});

run('a program that loops for ever is said, and the page goes on', async () => {
  await paste(ENDLESS);
  await page.waitForFunction(() => /backward jumps/.test(document.getElementById('message').textContent));
  await paste(GRADIENT);
  await until(same(drawn(GRADIENT)), 'the gradient');
});

run('nothing is serious for readers of screens, light or dark, wide or narrow', async () => {
  const axe = read('node_modules/axe-core/axe.min.js').toString();
  for (const colorScheme of ['light', 'dark']) {
    const window = await browser.open({ colorScheme });
    const page = await show(PAGE, window);
    assert.equal(await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches), colorScheme === 'dark');
    await page.selectOption('#programs', { label: 'Light on a mesh' });
    await page.waitForSelector('#camera:not([hidden])');
    await page.click('#tab-panes');
    await page.waitForSelector('.pane .line');
    await page.evaluate(axe);
    for (const width of [1280, 380]) {
      await page.setViewportSize({ width, height: 900 });
      const { violations } = await page.evaluate(() => axe.run());
      const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
      assert.deepEqual(serious.map(({ id, nodes }) => [id, nodes[0].html]), [], `${colorScheme} ${width}`);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${width}`);
    }
    await window.close();
  }
});

run('an element draws a program in another page', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'attila-'));
  writeFileSync(join(folder, 'attila-shader.js'), read('dist/attila-shader.js'));
  const wall = png(1, 1, Uint8Array.of(10, 20, 30, 255));
  writeFileSync(join(folder, 'index.html'), `<!doctype html><title>page</title><script src="attila-shader.js"></script>
    <attila-shader width="320" height="240">${GRADIENT}</attila-shader>
    <attila-shader width="32" height="32">mvo o1, i6</attila-shader>
    <attila-shader width="32" height="32">;! time c0.x\nmov o1, c0</attila-shader>
    <attila-shader width="32" height="32" name="a/b.attila" constants='{"c0": [1, 0, 0, 1]}' controls>
      ;! texture t0 = wall.png, nearest\ntex r0, i6, t0\nadd o1, r0, c0
      <a download="a/wall.png" href="data:;base64,${wall.toString('base64')}"></a></attila-shader>`);
  const other = await context.newPage();
  other.on('pageerror', (error) => errors.push(error.message));
  await other.goto(`file://${folder}/index.html`);
  await other.waitForSelector('attila-shader:nth-of-type(3)[data-drawn]');
  const found = await other.locator('attila-shader:first-of-type canvas').evaluate(text);
  assert.ok(same(drawn(GRADIENT))(Buffer.from(found, 'latin1')));
  const message = () => document.querySelector('attila-shader:nth-of-type(2)').shadowRoot.textContent;
  assert.equal(await other.evaluate(message), 'unknown instruction `mvo`');
  const last = other.locator('attila-shader:nth-of-type(4)');
  await other.waitForSelector('attila-shader:nth-of-type(4)[data-drawn]');
  const colour = (element) => element.shadowRoot.querySelector('canvas').getContext('2d').getImageData(9, 9, 1, 1).data.join();
  assert.equal(await last.evaluate(colour), '255,20,30,255');
  await last.getByLabel('c0.y', { exact: true }).fill('1');
  await other.waitForFunction((colour) => {
    const canvas = document.querySelector('attila-shader:nth-of-type(4)').shadowRoot.querySelector('canvas');
    return canvas.getContext('2d').getImageData(9, 9, 1, 1).data.join() === colour;
  }, '255,255,30,255');
  await other.close();
});

test('`attila play` serves it, draws, and follows a file', { skip: missing || !process.env.ATTILA }, async () => {
  const { spawn } = await import('node:child_process');
  const folder = mkdtempSync(join(tmpdir(), 'attila-'));
  const file = join(folder, 'a.attila');
  const wall = join(folder, 'wall.png');
  writeFileSync(wall, png(1, 1, Uint8Array.of(9, 8, 7, 255)));
  writeFileSync(file, GRADIENT);
  const built = new URL('../dist/playground.html', import.meta.url).pathname;
  const server = spawn(process.env.ATTILA, ['play', '--page', built, '--watch', file, '--file', wall]);
  const served = await browser.open({ offline: false });
  const asked = [];
  try {
    const address = await new Promise((resolve) => server.stdout.once('data', (data) => resolve(String(data).trim())));
    const other = await served.newPage();
    other.on('request', (request) => asked.push(request.url()));
    other.on('pageerror', (error) => errors.push(error.message));
    other.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    await other.goto(address);
    await other.waitForSelector('#picture[data-frames]');
    await other.selectOption('#size', '320x240');
    await other.selectOption('#engine', 'native');
    await other.waitForFunction(() => document.getElementById('figures').textContent.startsWith('native'));
    assert.ok(same(drawn(GRADIENT))(await pixels(other)));
    writeFileSync(file, ';! texture t0 = wall.png, nearest\ntex o1, i6, t0\n');
    await other.waitForFunction(() => {
      const canvas = document.getElementById('picture');
      return canvas.getContext('2d').getImageData(0, 0, 1, 1).data.join() === '9,8,7,255';
    });
    assert.match(await other.textContent('.cm-content'), /wall.png/);
    // Code of machines is marked, too: that of this one, x86-64 and AArch64 at least.
    await other.click('#tab-panes');
    await other.waitForSelector('.pane:nth-child(6) .line');
    await other.hover('.pane:first-child .line:first-child');
    const unmarked = '.pane:not(:has(.marked)) h2';
    assert.deepEqual(await other.locator(unmarked).allTextContents(), []);
    assert.deepEqual(asked.filter((it) => !it.startsWith(new URL(address).origin) && !/^(blob|data):/.test(it)), []);
  } finally {
    await served.close();
    server.kill();
  }
});

run('no request has left the machine, and nothing has failed unseen', async () => {
  // One would be seen.
  const address = 'http://127.0.0.1:6502/';
  await page.evaluate((address) => fetch(address).catch(() => {}), address);
  const foreign = requests.filter((it) => !/^(file|blob|data):/.test(it));
  assert.deepEqual([foreign, errors], [[address], []]);
});
