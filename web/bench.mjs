// Times of the module in Node.js, and of the page in Chromium if it is there.
//
//   node --experimental-wasm-relaxed-simd bench.mjs

import { existsSync } from 'node:fs';
import { cpus } from 'node:os';

import { DEMO, open } from './tests/support.mjs';

const SIZE = [640, 480];
const median = (times) => times.toSorted((a, b) => a - b)[times.length >> 1];

/** Milliseconds that each of `count` runs takes. */
function timed(count, run) {
  return Array.from({ length: count }, (_, n) => {
    const begin = performance.now();
    run(n);
    return performance.now() - begin;
  });
}

/** A program of so many instructions, with a number that makes it another. */
function long(count, number) {
  const steps = Array.from({ length: count - 1 }, (_, n) => `mad r${n % 8}, r${(n + 3) % 8}, c${n % 16}, i${n % 4}`);
  return `;! const c0 = ${number} 1 1 1\n${steps.join('\n')}\nmov o1, r0\n`;
}

console.log(cpus()[0].model);
for (const [name, text] of DEMO) {
  const { engine } = open(text);
  engine.answer({ do: 'draw', size: SIZE });
  const took = median(timed(15, () => engine.answer({ do: 'draw', size: SIZE })));
  console.log(`${name}: ${took.toFixed(1)} ms, ${(SIZE[0] * SIZE[1] / took / 1000).toFixed(1)} Mpixel/s`);
}

const { engine } = open('mov o1, i6\n');
const changed = (count) => timed(40, (n) => {
  engine.answer({ do: 'load', program: { name: 'a.attila', text: long(count, n) } });
  engine.answer({ do: 'compile', size: SIZE });
}).slice(20);
for (const count of [20, 150, 500]) console.log(`text to code, ${count} instructions: ${median(changed(count)).toFixed(1)} ms`);

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
if (existsSync(CHROMIUM)) {
  const { chromium } = await import('playwright-core');
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.goto(new URL('dist/playground.html', import.meta.url).href);
  await page.waitForSelector('#picture[data-frames]');
  const type = async (text) => {
    await page.click('.cm-content');
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText(text);
    await page.waitForTimeout(1000);
  };
  await type(`;! time c8.x\n${DEMO[0][1].replace('sin     r2.x, r0.x', 'add r0.x, r0.x, c8.x\nsin r2.x, r0.x')}`);
  const frames = await page.evaluate(() => new Promise((resolve) => {
    const times = [];
    new MutationObserver(() => {
      times.push(performance.now());
      if (times.length === 601) resolve(times);
    }).observe(document.getElementById('picture'), { attributes: true });
  }));
  const gaps = frames.slice(1).map((it, n) => it - frames[n]);
  console.log(`Chromium, 600 frames of plasma in motion: median ${median(gaps).toFixed(1)} ms, longest ${Math.max(...gaps).toFixed(1)} ms`);
  await type('mov o1, i6\n');
  const keys = [];
  for (let n = 0; n < 200; n++) {
    await page.evaluate(() => {
      window.drawn = new Promise((resolve) => {
        const begin = { at: null };
        addEventListener('keydown', () => { begin.at = performance.now(); }, { once: true, capture: true });
        const observer = new MutationObserver(() => { observer.disconnect(); resolve(performance.now() - begin.at); });
        observer.observe(document.getElementById('picture'), { attributes: true });
      });
    });
    await page.keyboard.press(n % 2 ? 'Backspace' : ';');
    keys.push(await page.evaluate(() => window.drawn));
  }
  console.log(`Chromium, from a key to the picture: median ${median(keys).toFixed(1)} ms, longest ${Math.max(...keys).toFixed(1)} ms`);
  await browser.close();
}
