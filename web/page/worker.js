// A worker: one engine, which answers one message after the other. An engine that failed is replaced, and what it had
// been told is told again.

import { Engine } from './engine.js';
import { remember } from './remember.js';

let module, engine;
let told = new Map();

function start() {
  engine = new Engine(module);
  for (const { request, bytes } of told.values()) engine.answer(request, bytes);
}

function failed(request, error) {
  told.delete(request.do);
  const memory = /memory|allocat/i.test(String(error)) || engine.memory > 2 ** 31;
  const reason = memory ? 'the memory is used up: use smaller pictures and files' : `the engine stopped: ${error.message ?? error}`;
  try {
    start();
  } catch (again) {
    told = new Map();
    start();
    return `${reason}; ${again.message ?? again}`;
  }
  return reason;
}

self.onmessage = ({ data: { id, module: given, request, bytes } }) => {
  if (given) {
    module = given;
    start();
    return;
  }
  const begin = performance.now();
  try {
    const answer = engine.answer(request, bytes);
    remember(told, request, bytes);
    const took = performance.now() - begin;
    self.postMessage({ id, took, ...answer }, [answer.bytes.buffer]);
  } catch (error) {
    self.postMessage({ id, took: 0, json: { error: failed(request, error) }, bytes: new Uint8Array() });
  }
};
