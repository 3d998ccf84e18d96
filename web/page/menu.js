// The programs that come with the page, in a menu and by links.

import { programs } from 'programs';

/** What is shown where nothing else is asked for. */
export const first = programs[0];

export class Menu {
  #select;
  #notice;

  /**
   * @param {HTMLSelectElement} select
   * @param {HTMLElement} notice says that there is no program
   * @param {(state: object) => void} take shows a program
   */
  constructor(select, notice, take) {
    this.#select = select;
    this.#notice = notice;
    for (const label of new Set(programs.map(({ group }) => group))) {
      const group = Object.assign(document.createElement('optgroup'), { label });
      group.append(...programs.flatMap((it, n) => (it.group === label ? [new Option(it.title, n)] : [])));
      select.append(group);
    }
    select.addEventListener('change', () => take(this.#program(select.value)));
    addEventListener('hashchange', () => {
      const program = this.linked(location.hash);
      if (program) take(program);
    });
  }

  /** A program, whose settings may be changed. */
  #program(number) {
    this.#notice.textContent = '';
    return structuredClone(programs[number]);
  }

  /** The program that an address asks for by its name; the first one if there is none of that name. */
  linked(hash) {
    if (!hash.startsWith('#program=')) return null;
    const name = hash.slice('#program='.length);
    const number = programs.findIndex((it) => it.name === name);
    this.#select.value = Math.max(0, number);
    const program = this.#program(this.#select.value);
    if (number < 0) this.#notice.textContent = `there is no program ${name}: this is another one`;
    return program;
  }
}
