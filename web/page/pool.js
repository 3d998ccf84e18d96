// Workers: one for what the editor asks, the others draw bands of the picture.

import { remember } from './remember.js';

/** Milliseconds that a message may take before its worker is given up. */
const PATIENCE = 10_000;

/** A worker that is started again when it takes too long. */
class Worked {
  #worker;
  #make;
  #waiting = new Map();
  #told = new Map();
  #next = 0;

  constructor(make) {
    this.#make = make;
    this.#start();
  }

  #start() {
    this.#worker = this.#make();
    this.#worker.onmessage = ({ data }) => {
      const waiting = this.#waiting.get(data.id);
      this.#waiting.delete(data.id);
      clearTimeout(waiting?.timer);
      waiting?.resolve(data);
    };
    for (const { request, bytes } of this.#told.values()) this.#worker.postMessage({ id: -1, request, bytes });
  }

  /** Asks, and promises the answer. */
  ask(request, bytes) {
    remember(this.#told, request, bytes);
    return new Promise((resolve) => {
      const id = this.#next++;
      const timer = setTimeout(() => this.#giveUp(), PATIENCE);
      this.#waiting.set(id, { resolve, timer });
      this.#worker.postMessage({ id, request, bytes });
    });
  }

  #giveUp() {
    this.#worker.terminate();
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    this.#start();
    const error = `stopped: it took more than ${PATIENCE / 1000} seconds`;
    for (const { resolve, timer } of waiting) {
      clearTimeout(timer);
      resolve({ json: { error }, bytes: new Uint8Array(), took: PATIENCE });
    }
  }
}

/** The workers of a page. */
export class Pool {
  /**
   * @param {WebAssembly.Module} module
   * @param {string} script the worker's
   * @param {number} count of those that draw
   */
  constructor(module, script, count) {
    const address = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }));
    const make = () => {
      const worker = new Worker(address);
      worker.postMessage({ module });
      return worker;
    };
    this.editor = new Worked(make);
    this.painters = Array.from({ length: count }, () => new Worked(make));
  }

  /** Tells all of them. */
  tell(request, bytes) {
    return Promise.all([this.editor, ...this.painters].map((it) => it.ask(request, bytes)));
  }

  /** Has all of them know a scene, and says what is wrong with it or can be changed of it. */
  async load(scene) {
    const answers = await this.tell({ do: 'load', ...scene });
    return answers.map(({ json }) => json).find(({ error }) => error) ?? answers[0].json;
  }

  /**
   * Draws a picture in bands.
   *
   * @returns {Promise<{error?: string, engine?: string, bands: {top: number, bytes: Uint8Array}[], took: number}>}
   */
  async draw(picture) {
    const [, height] = picture.size;
    // Bands begin with even rows, as quads do.
    const rows = 2 * Math.ceil(height / 2 / this.painters.length);
    const bands = this.painters.flatMap((painter, n) => {
      const [top, bottom] = [n * rows, Math.min(height, (n + 1) * rows)];
      return top < bottom ? [painter.ask({ do: 'draw', ...picture, rows: [top, bottom] })] : [];
    });
    const answers = await Promise.all(bands);
    const failed = answers.find(({ json }) => json.error);
    return {
      error: failed?.json.error,
      engine: answers[0].json.engine,
      bands: answers.map(({ json, bytes }) => ({ top: json.rows?.[0], bytes })),
      took: Math.max(...answers.map(({ took }) => took)),
    };
  }

  /** Makes the code of a picture, and says how long that took and how many bytes it has. */
  async compile(picture) {
    const answers = await Promise.all(this.painters.map((it) => it.ask({ do: 'compile', ...picture })));
    const failed = answers.find(({ json }) => json.error);
    const took = Math.max(...answers.map(({ took }) => took));
    return { error: failed?.json.error, ...answers[0].json, took, linked: answers[0].linked };
  }
}
