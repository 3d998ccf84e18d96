// A pixel, step by step: what `attila debug` shows.

const STEPS = [
  ['start', '|◀', 'To the first step'],
  ['reverse', '◀◀', 'Back to a breakpoint, or to the first step'],
  ['previous', '◀ line', 'To the line before'],
  ['back', '◀', 'A step back'],
  ['step', '▶', 'A step'],
  ['next', 'line ▶', 'To the next line'],
  ['continue', '▶▶', 'To a breakpoint, or to the end'],
  ['end', '▶|', 'To the end'],
  ['back-nan', '◀ NaN', 'To the step before that made a NaN or an infinity'],
  ['nan', 'NaN ▶', 'To the next step that makes a NaN or an infinity'],
];

function element(name, attributes = {}, ...children) {
  const made = Object.assign(document.createElement(name), attributes);
  made.append(...children);
  return made;
}

/** The panel of a pixel. */
export class Pixel {
  #place;
  #ask;
  #moved;
  #valued;
  #answer = [];

  /**
   * @param {HTMLElement} place
   * @param {(request: object) => Promise<any>} ask
   * @param {(span: number[][] | null) => void} moved where it stands in the text
   * @param {(instruction: number) => void} valued wants the value of an instruction as a picture
   */
  constructor(place, ask, moved, valued) {
    this.#place = place;
    this.#ask = ask;
    this.#moved = moved;
    this.#valued = valued;
  }

  /** Records a pixel. */
  async record(pixel, picture) {
    const state = await this.#ask({ do: 'record', pixel, picture });
    this.#answer = state.history ?? [];
    this.#show(state);
  }

  async #command(command) {
    const state = await this.#ask({ do: 'debug', command });
    this.#answer = state.error ? [state.error] : state.answer;
    if (state.error) this.#place.querySelector('.answer').textContent = state.error;
    else this.#show(state);
  }

  #show(state) {
    if (state.error) {
      this.#place.replaceChildren(state.error);
      this.#moved(null);
      return;
    }
    const focused = document.activeElement?.dataset?.command;
    const buttons = STEPS.map(([command, textContent, title]) => {
      const button = element('button', { textContent, title, ariaLabel: title });
      button.dataset.command = command;
      button.addEventListener('click', () => this.#command(command));
      return button;
    });
    const input = element('input', { placeholder: 'why r0.x, write r0.x, break 5, find r0.x > 1', ariaLabel: 'Command' });
    input.dataset.command = 'command';
    const form = element('form', {}, input);
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      if (input.value.trim()) this.#command(input.value);
    });
    const value = element('button', { textContent: 'Value as a picture', title: 'What this instruction writes, over all pixels', disabled: state.pc === null });
    value.addEventListener('click', () => this.#valued(state.pc));
    const where = state.instruction === null ? `the end: ${state.end}` : state.instruction;
    const status = element('p', { role: 'status' }, `Step ${state.step} of ${state.steps}, lanes ${state.lanes ?? '----'}: `,
      element('code', { textContent: where }));
    this.#place.replaceChildren(
      element('div', { className: 'bar' }, ...buttons, value, form), status, this.#registers(state),
      element('pre', { className: 'answer', textContent: this.#answer.join('\n') }),
    );
    if (focused) this.#place.querySelector(`[data-command="${focused}"]`)?.focus();
    this.#moved(state.span);
  }

  #registers({ registers, lane }) {
    const head = ['', 0, 1, 2, 3].map((it) => element('th', {
      scope: 'col', textContent: it === '' ? '' : `lane ${it}`, className: it === lane ? 'own' : '',
    }));
    const rows = registers.flatMap(({ words }) => words.map((word) => {
      const name = element('button', { textContent: word.name, title: `What ${word.name} is made of`, className: 'place' });
      name.addEventListener('click', () => this.#command(`why ${word.place}`));
      const cells = word.lanes.map((it, n) => element('td', { textContent: it, className: n === lane ? 'own' : '' }));
      const className = word.special ? 'special' : word.changed ? 'changed' : '';
      return element('tr', { className }, element('th', { scope: 'row' }, name), ...cells);
    }));
    return element('table', {}, element('thead', {}, element('tr', {}, ...head)), element('tbody', {}, ...rows));
  }
}
