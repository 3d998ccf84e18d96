// Makes the page, one HTML file with everything in it, and the element for other pages.
//
//   node build.mjs             dist/playground.html, and dist/attila-shader.js for other pages and for Python's notebooks
//   node build.mjs --sizes     and prints what each part takes, compressed by brotli

import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const here = new URL('.', import.meta.url).pathname;
const read = (path) => readFileSync(here + path);

/** Programs of the demo in the menu, the first of which is shown first. Those of the course follow. */
const DEMO = [
  ['Plasma', 'plasma.attila'],
  ['Julia set', 'julia.attila'],
  ['Ray marching', 'ring.attila'],
  ['Bump mapping', 'bumps.attila'],
  ['A map', 'map.attila'],
];

/** The program of vertices that a mesh begins with. */
const VERTEX = program('programs/mesh.arbvp');

/** A program in a file from here. */
function program(path) {
  return { name: path.split('/').pop(), text: read(path).toString() };
}

/** The languages of the course, by the suffixes of its programs. */
const COURSE = {
  attila: 'Course', arbfp: 'Course in ARB', tgsi: 'Course in TGSI', agal: 'Course in AGAL', ctm: 'Course in CTM',
};

/** A program of the menu, in a file from here. */
function entry(group, title, path) {
  const { name, text } = program(path);
  // Constants that a text cannot set are options of the command, in its comments.
  const settings = Object.fromEntries([...text.matchAll(/^\/\/ --set (\w+)=(\S+)$/gm)].map(([, constant, numbers]) =>
    [constant, { value: numbers.split(',').map(Number) }]));
  return { group, title, name, text, settings };
}

function menu() {
  const demo = DEMO.map(([title, name]) => entry('Demo', title, `../cli/src/demo/${name}`));
  const mesh = { model: 'torus', vertex: VERTEX };
  demo.push({ ...entry('Demo', 'Light on a mesh', 'programs/light.attila'), mesh });
  const course = '../docs/course';
  const titles = [...read(`${course}/README.md`).toString().matchAll(/^## (\d\. .*)$/gm)].map(([, title]) => title);
  const names = readdirSync(here + course).sort();
  const lessons = Object.entries(COURSE).flatMap(([suffix, group]) =>
    names.filter((name) => name.endsWith(`.${suffix}`)).map((name) =>
      entry(group, titles.find((it) => it[0] === name[0]), `${course}/${name}`)));
  return [...demo, ...lessons];
}

const programs = {
  name: 'programs',
  setup(build) {
    build.onResolve({ filter: /^programs$/ }, () => ({ path: 'programs', namespace: 'programs' }));
    build.onLoad({ filter: /.*/, namespace: 'programs' }, () => ({
      contents: JSON.stringify({ programs: menu(), vertex: VERTEX }), loader: 'json',
    }));
  },
};

/** A script with all that it imports. */
export async function bundle(entry) {
  const { outputFiles } = await build({
    entryPoints: [here + entry],
    bundle: true,
    minify: true,
    format: 'iife',
    target: ['chrome114', 'firefox121', 'safari17'],
    legalComments: 'inline',
    plugins: [programs],
    write: false,
    logLevel: 'warning',
  });
  return outputFiles[0].text;
}

/** The module. `.cargo/config.toml` has its instructions and its table. */
export function compile() {
  const options = ['--profile', 'page', '--target', 'wasm32-unknown-unknown', '-p', 'attila-web', '--locked'];
  execFileSync('cargo', ['build', ...options], { cwd: here, stdio: ['ignore', 'inherit', 'inherit'] });
  const target = process.env.CARGO_TARGET_DIR ?? `${here}../target`;
  return readFileSync(`${target}/wasm32-unknown-unknown/page/attila_web.wasm`);
}

/** The page, and its parts. */
export async function page() {
  const [module, script, worker] = [compile(), await bundle('page/main.js'), await bundle('page/worker.js')];
  const style = read('page/style.css').toString();
  const parts = {
    STYLE: style,
    MODULE: gzipSync(module, { level: 9 }).toString('base64'),
    WORKER: worker,
    SCRIPT: script,
  };
  const fill = (html, [name, text]) => html.replace(`/*${name}*/`, () => text.replace(/<\/script/gi, '<\\/script'));
  const html = Object.entries(parts).reduce(fill, read('page/index.html').toString());
  const library = JSON.stringify({ module: parts.MODULE, worker });
  const element = `globalThis.ATTILA = ${library};\n${await bundle('page/player.js')}`;
  return { html, element, module, script, worker, style };
}

export const brotli = (bytes) => brotliCompressSync(bytes, {
  params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 },
}).length;

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const { html, element, ...parts } = await page();
  mkdirSync(`${here}dist`, { recursive: true });
  writeFileSync(`${here}dist/playground.html`, html);
  writeFileSync(`${here}dist/attila-shader.js`, element);
  // Notebooks show scenes with it.
  writeFileSync(`${here}../python/attila/player.js`, element);
  writeFileSync(`${here}dist/attila.wasm`, parts.module);
  console.log(`wrote dist/playground.html, ${html.length} bytes, and dist/attila-shader.js, ${element.length} bytes`);
  if (process.argv.includes('--sizes')) {
    for (const [name, part] of Object.entries(parts)) console.log(`${name}: ${brotli(Buffer.from(part))} bytes by brotli`);
  }
}
