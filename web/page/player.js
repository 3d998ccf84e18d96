// `<attila-shader>`: a program and its picture in any page.
//
//   <script src="attila-shader.js"></script>
//   <attila-shader src="plasma.attila" width="320" height="240"></attila-shader>
//   <attila-shader name="a.arbfp" width="64" height="64"> !!ARBfp1.0 … </attila-shader>
//   <attila-shader src="a.attila" constants='{"c0": [1, 0, 0, 1]}' controls>
//     <a download="wall.png" href="wall.png"></a>
//   </attila-shader>
//
// A program whose constants have the time moves while it can be seen. An attribute `paused` keeps it still. `constants`
// go over those of the program, and `controls` shows fields for them. Links are files under the names that the program
// has for them.

import { Controls } from './controls.js';
import { Pool } from './pool.js';
import { fromBase64, unzip } from './state.js';

/** The one library of all elements. It is loaded when the first of them is seen. */
let pool;

async function library() {
  const { module, worker } = globalThis.ATTILA;
  return new Pool(await WebAssembly.compile(await unzip(fromBase64(module))), worker, 1);
}

/** Elements draw one after the other: they share the workers. */
let turn = Promise.resolve();

function inTurn(run) {
  turn = turn.then(run, run);
  return turn;
}

class AttilaShader extends HTMLElement {
  #canvas = document.createElement('canvas');
  #message = document.createElement('span');
  #form = document.createElement('form');
  #controls = new Controls(this.#form, () => this.#draw());
  #program = null;
  #files = [];
  /** Whether the constants have what the attribute says. */
  #set = false;
  #seen = false;
  #begin = performance.now();

  connectedCallback() {
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open' });
    this.#canvas.width = this.#number('width', 320);
    this.#canvas.height = this.#number('height', 240);
    this.#canvas.role = 'img';
    this.#canvas.ariaLabel = this.getAttribute('alt') ?? 'What a shader program draws';
    this.#message.role = 'alert';
    root.replaceChildren(this.#canvas, this.#message, ...(this.hasAttribute('controls') ? [this.#form] : []));
    new IntersectionObserver(([{ isIntersecting }]) => {
      const first = isIntersecting && !this.#seen;
      this.#seen = isIntersecting;
      if (first) this.#draw();
    }).observe(this);
  }

  #number(name, otherwise) {
    const number = Number(this.getAttribute(name));
    return Number.isInteger(number) && number > 0 && number <= 4096 ? number : otherwise;
  }

  async #read() {
    this.#files = await Promise.all([...this.querySelectorAll('a[download]')].map(async (link) => {
      const answer = await fetch(link.href);
      return { name: link.download, bytes: new Uint8Array(await answer.arrayBuffer()) };
    }));
    const source = this.getAttribute('src');
    if (!source) return { name: this.getAttribute('name') ?? 'program.attila', text: this.textContent.trim() };
    const answer = await fetch(source);
    if (!answer.ok) throw new Error(`${source}: ${answer.status} ${answer.statusText}`);
    return { name: source.split('/').pop(), text: await answer.text() };
  }

  /** What the attribute `constants` says, by the names that the program has for them. */
  #settings({ constants }) {
    const given = Object.entries(JSON.parse(this.getAttribute('constants') ?? '{}'));
    return Object.fromEntries(given.map(([key, value]) => {
      const constant = constants.find(({ name, number }) => name === key || `c${number}` === key);
      if (!constant) throw new Error(`the program has no constant ${key}`);
      return [constant.name, { value }];
    }));
  }

  async #draw() {
    try {
      pool ??= library();
      const workers = await pool;
      this.#program ??= await this.#read();
      await inTurn(() => this.#picture(workers));
      this.#message.textContent = '';
    } catch (error) {
      this.#message.textContent = error.message;
      return;
    }
    const moves = this.#controls.moves && !this.hasAttribute('paused');
    if (moves && this.#seen && this.isConnected) requestAnimationFrame(() => this.#draw());
  }

  async #picture(workers) {
    const [painter] = workers.painters;
    // The worker may have had another element's program since.
    if (workers.last !== this) {
      for (const { name, bytes } of this.#files) await painter.ask({ do: 'file', name }, bytes);
      const { json } = await painter.ask({ do: 'load', program: this.#program });
      const { error, problems, picture } = json;
      if (!picture) throw new Error(error ?? problems[0]?.message ?? 'there is no program');
      if (!this.#set) this.#controls.expect(this.#settings(picture.fragment));
      this.#set = true;
      this.#controls.show(picture.fragment);
      workers.last = this;
    }
    const size = [this.#canvas.width, this.#canvas.height];
    const seconds = (performance.now() - this.#begin) / 1000;
    const { error, bands } = await workers.draw({ size, constants: this.#controls.values(seconds, [0.5, 0.5]) });
    if (error) throw new Error(error);
    const [{ bytes }] = bands;
    const image = new ImageData(new Uint8ClampedArray(bytes.buffer, bytes.byteOffset, bytes.length), size[0]);
    this.#canvas.getContext('2d').putImageData(image, 0, 0);
    this.dataset.drawn = 'true';
  }
}

customElements.define('attila-shader', AttilaShader);
