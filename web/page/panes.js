// What a program becomes: panes whose lines are marked together.

import { disassemble } from './disassemble.js';

const one = (pc) => (pc === undefined || pc === null ? [] : [pc]);

/** The instructions of a line in each pane, and the lines of an instruction. */
class Pane {
  constructor(title, text, instructionsOf) {
    this.element = document.createElement('div');
    this.element.className = 'pane';
    this.element.appendChild(document.createElement('h2')).textContent = title;
    const pre = this.element.appendChild(document.createElement('pre'));
    pre.tabIndex = 0;
    pre.ariaLabel = title;
    this.instructionsOf = instructionsOf;
    this.pre = pre;
    this.fill(text);
  }

  /** Shows another text. */
  fill(text) {
    this.lines = text.trimEnd().split('\n').map((line, number) => {
      const span = document.createElement('span');
      span.className = 'line';
      span.textContent = line;
      span.dataset.line = number;
      return span;
    });
    this.pre.replaceChildren(...this.lines);
  }

  mark(instructions) {
    let first = null;
    this.lines.forEach((line, number) => {
      const is = this.instructionsOf(number).some((it) => instructions.has(it));
      line.classList.toggle('marked', is);
      first ??= is ? line : null;
    });
    const { pre } = this;
    if (first && (first.offsetTop < pre.scrollTop || first.offsetTop > pre.scrollTop + pre.clientHeight - 20)) {
      pre.scrollTop = first.offsetTop - pre.clientHeight / 2;
    }
  }
}

/** The panes of a program. */
export class Panes {
  #place;
  #panes = [];
  #spans = [];
  /** The pass that lane IR was last chosen of. */
  #pass = null;
  #chosen;

  /**
   * @param {HTMLElement} place
   * @param {(lines: number[]) => void} chosen lines of the text that are marked
   */
  constructor(place, chosen) {
    this.#place = place;
    this.#chosen = chosen;
  }

  /**
   * Shows all listings.
   *
   * @param {object} listing the module's answer
   * @param {Uint8Array} module of WebAssembly
   * @param {{machine: string, text: string, instructions: (number|null)[]}[]} machines what a command makes of it
   */
  show({ assembly, words, passes, code, instructions }, module, machines) {
    this.#spans = instructions.map(({ span }) => span);
    const byLine = new Map(instructions.map(({ line }, pc) => [line - 1, pc]));
    const at = (line) => (byLine.has(line) ? [byLine.get(line)] : []);
    // Listings of words have a line for each instruction.
    const numbered = words.trimEnd().split('\n').map((line) => /^[\da-f]{16}/i.test(line));
    let count = 0;
    const wordAt = numbered.map((is) => (is ? [count++] : []));
    const wasm = disassemble(module, code.origins);
    this.#panes = [
      new Pane('ATTILA assembly', assembly, at),
      new Pane('Words', words, (line) => wordAt[line] ?? []),
      this.#lanes(passes),
      new Pane('WebAssembly', wasm.text, (line) => one(wasm.instructions[line])),
      ...machines.map(({ machine, text, instructions: of }) => (
        new Pane(machine, text, (line) => one(of[line]))
      )),
    ];
    for (const pane of this.#panes) {
      pane.pre.addEventListener('mouseover', ({ target }) => {
        const line = Number(target.dataset?.line ?? -1);
        this.#mark(new Set(pane.instructionsOf(line)));
      });
    }
    this.#place.replaceChildren(...this.#panes.map(({ element }) => element));
  }

  /** Lane IR, after the pass that is chosen. */
  #lanes(passes) {
    const chosen = passes.findLast(({ pass }, n) => pass === this.#pass && n !== passes.length - 1) ?? passes.at(-1);
    const pane = new Pane('Lane IR after', chosen.text, (line) => one(pane.shown.instructions[line]));
    pane.shown = chosen;
    const select = document.createElement('select');
    select.ariaLabel = 'Lane IR after a pass';
    select.append(...passes.map((it, n) => new Option(`${n}. ${it.pass}`, n, false, it === chosen)));
    select.addEventListener('change', () => {
      pane.shown = passes[select.value];
      this.#pass = pane.shown.pass;
      pane.fill(pane.shown.text);
    });
    pane.element.querySelector('h2').append(' ', select);
    return pane;
  }

  clear(message) {
    this.#panes = [];
    this.#place.replaceChildren(message);
  }

  #mark(instructions) {
    for (const pane of this.#panes) pane.mark(instructions);
    const lines = [...instructions].flatMap((pc) => {
      const span = this.#spans[pc];
      return span ? [span[0][0]] : [];
    });
    this.#chosen([...new Set(lines)].sort((a, b) => a - b));
  }

  /** Marks what a line of the text became. */
  markLine(line) {
    const is = ([start, end]) => start[0] <= line && line <= end[0];
    const here = this.#spans.flatMap((span, pc) => (span && is(span) ? [pc] : []));
    for (const pane of this.#panes) pane.mark(new Set(here));
  }
}
