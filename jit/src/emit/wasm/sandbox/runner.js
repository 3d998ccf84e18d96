// Runs modules for `node.rs`, which has the other side of the messages. Numbers are little-endian.
'use strict';
const fs = require('fs');
// Without it there is no relaxed SIMD.
if (process.env.ATTILA_RELAXED !== '0') require('v8').setFlagsFromString('--experimental-wasm-relaxed-simd');

const BASE = 1024;
const PAGE = 65536;
const memory = new WebAssembly.Memory({ initial: 1 });
let modules = new Map();

function read(size) {
  const bytes = Buffer.alloc(size);
  for (let done = 0; done < size;) {
    const more = fs.readSync(0, bytes, done, size - done);
    if (more === 0) process.exit(0);
    done += more;
  }
  return bytes;
}

function write(...parts) {
  const bytes = Buffer.concat(parts);
  for (let done = 0; done < bytes.length;) done += fs.writeSync(1, bytes, done);
}

function words(...numbers) {
  const bytes = Buffer.alloc(4 * numbers.length);
  numbers.forEach((number, n) => bytes.writeUInt32LE(number >>> 0, 4 * n));
  return bytes;
}

function long(number) {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt.asUintN(64, number));
  return bytes;
}

const inMemory = (at, size) => Buffer.from(memory.buffer, at, size);

// Sizes that both sides know: of operands and results, and of what an entry works on.
let stopped, vectorsSize, workedOnSize;

function entry(number) {
  return (context, at, site, vectors) => {
    const parts = [inMemory(vectors, vectorsSize)];
    if (at) parts.push(inMemory(at, workedOnSize));
    write(Buffer.from('E'), words(number, at ? 1 : 0), long(site), ...parts);
    inMemory(context + stopped, 4).set(read(4));
    inMemory(vectors, vectorsSize).set(read(vectorsSize));
    if (at) inMemory(at, workedOnSize).set(read(workedOnSize));
  };
}

const imports = { attila: { memory } };

function answer(act) {
  try {
    act();
  } catch (error) {
    const text = Buffer.from(String(error));
    write(Buffer.from('X'), words(text.length), text);
  }
}

const requests = {
  // The sizes, and the names of entries in the order of their numbers.
  N() {
    [stopped, vectorsSize, workedOnSize] = [4, 4, 4].map((size) => read(size).readUInt32LE());
    const names = read(read(4).readUInt32LE()).toString().split(' ');
    names.forEach((name, number) => { imports.attila[name] = entry(number); });
    write(Buffer.from('K'));
  },
  // Forgets all modules.
  F() { modules = new Map(); },
  // A number and a module.
  M() {
    const number = read(4).readUInt32LE();
    const bytes = read(read(4).readUInt32LE());
    answer(() => {
      const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes), imports);
      modules.set(number, instance.exports.shader);
      write(Buffer.from('K'));
    });
  },
  // The number of a module, its three arguments, and the memory.
  R() {
    const [number, context, first, count, size] = [0, 1, 2, 3, 4].map(() => read(4).readUInt32LE());
    const bytes = read(size);
    const missing = BASE + size - memory.buffer.byteLength;
    answer(() => {
      if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
      inMemory(BASE, size).set(bytes);
      const begun = process.hrtime.bigint();
      const status = modules.get(number)(context, first, count);
      const time = process.hrtime.bigint() - begun;
      write(Buffer.from('D'), long(status), long(time), inMemory(BASE, size));
    });
  },
};

for (;;) requests[read(1).toString()]();
