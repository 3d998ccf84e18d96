// Draws all programs of some folders with the module, and compares with the pictures of the command.
//
//   node tests/scenes.mjs ATTILA FOLDER...

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { load, open } from './support.mjs';

const SIZE = [96, 64];
const PROGRAM = /\.(attila|arbfp|fp|tgsi|agal|ctm|txt|tgsi_test|shader_test)$/;

const [attila, ...folders] = process.argv.slice(2);
const picture = join(mkdtempSync(join(tmpdir(), 'attila-')), 'picture.ppm');

/** The colours that the command draws; none if it refuses the file. */
function rendered(path) {
  const options = ['render', path, '--size', SIZE.join('x'), '-o', picture];
  try {
    execFileSync(attila, options, { stdio: 'ignore' });
  } catch {
    return null;
  }
  const file = readFileSync(picture);
  return file.subarray(file.length - 3 * SIZE[0] * SIZE[1]);
}

/** The colours that the module draws; none if it refuses the program. */
function drawn(engine, path) {
  const { picture } = load(engine, readFileSync(path, 'utf8'), path);
  if (picture?.stage !== 'fragment') return null;
  const { json, bytes } = engine.answer({ do: 'draw', size: SIZE });
  return json.error ? null : Buffer.from(bytes.filter((_, n) => n % 4 !== 3));
}

const { engine } = open('mov o1, i6\n');
const paths = folders.flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, name)));
let [same, refused] = [0, 0];
for (const path of paths.filter((it) => PROGRAM.test(it)).sort()) {
  const [here, there] = [drawn(engine, path), rendered(path)];
  if (!here && !there) refused++;
  else if (here && there?.equals(here)) same++;
  else {
    console.log(`${path}: ${here ? (there ? 'another picture' : 'only the module draws it') : 'only the command draws it'}`);
    process.exitCode = 1;
  }
}
console.log(`${same} scenes are the same, ${refused} are drawn by neither`);
