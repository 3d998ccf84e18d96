// What tests share: the module, programs, random numbers, pictures.

import { readFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';

import { Engine } from '../page/engine.js';

const root = new URL('..', import.meta.url).pathname;

export const read = (path) => readFileSync(root + path);

export const module = new WebAssembly.Module(read('dist/attila.wasm'));

/** Has an engine take a program, perhaps on a mesh: its problems, and what can be changed of its picture. */
export function load(engine, text, name = 'program.attila', mesh = null) {
  const program = { name, text };
  const { problems } = engine.answer({ do: 'open', ...program }).json;
  const loaded = engine.answer({ do: 'load', program, mesh }).json;
  const has = problems.some((it) => it.severity === 'error');
  return { picture: loaded.picture, problems: has ? problems : [...problems, ...loaded.problems] };
}

/** An engine with a program. */
export function open(text, name, mesh) {
  const engine = new Engine(module);
  return { engine, ...load(engine, text, name, mesh) };
}

export const DEMO = ['plasma', 'julia', 'ring', 'bumps', 'map', 'dusk', 'sheet'].map((name) =>
  [name, read(`../cli/src/demo/${name}.attila`).toString()]);

/** A program that goes round a loop for ever. */
export const ENDLESS = ';! const c0 = 1\nagain: mul r0, c1, c1\nsetpgt p0, c0.x, r0.x\njmp p0, again\nmov o1, r0\n';

/** Numbers below `end` that a seed decides. */
export function random(seed) {
  let state = seed;
  return (end) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    return ((state ^ (state >>> 13)) >>> 0) % end;
  };
}

/** A PNG file of RGBA pixels. */
export function png(width, height, pixels) {
  const chunk = (name, data) => {
    const bytes = Buffer.concat([Buffer.from(name), data]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length, 0);
    frame.writeUInt32BE(checksum(bytes), 4);
    return Buffer.concat([frame.subarray(0, 4), bytes, frame.subarray(4)]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 6, 0, 0, 0], 8);
  const rows = Array.from({ length: height }, (_, y) =>
    Buffer.concat([Buffer.of(0), Buffer.from(pixels.subarray(4 * width * y, 4 * width * (y + 1)))]));
  const data = deflateSync(Buffer.concat(rows));
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), chunk('IHDR', head), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}

function checksum(bytes) {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
