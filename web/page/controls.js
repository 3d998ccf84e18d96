// Fields for the constants of a program: numbers, colours, the time, the pointer.

const COMPONENTS = ['x', 'y', 'z', 'w'];

/** Both ends of a slider for a number of which nothing is said. */
function ends(value) {
  if (value >= 0 && value <= 1) return [0, 1];
  const most = 10 ** Math.ceil(Math.log10(2 * Math.abs(value)));
  return value < 0 ? [-most, most] : [0, most];
}

function element(name, attributes = {}, ...children) {
  const made = Object.assign(document.createElement(name), attributes);
  made.append(...children);
  return made;
}

const byte = (value) => Math.round(255 * Math.min(1, Math.max(0, value ?? 0))).toString(16).padStart(2, '0');

/** The constants of a program, as fields of a form set them. */
export class Controls {
  #form;
  #changed;
  /** Numbers of constants, with their values and where each component comes from. */
  #constants = new Map();
  /** Settings for constants that are not known yet. */
  #expected = {};

  constructor(form, changed) {
    this.#form = form;
    this.#changed = changed;
    form.addEventListener('submit', (event) => event.preventDefault());
  }

  /** Whether a picture changes by itself. */
  get moves() {
    return this.#has('time');
  }

  get follows() {
    return this.#has('mouse');
  }

  #has(kind) {
    return [...this.#constants.values()].some(({ kinds }) => kinds.includes(kind));
  }

  /** What a reader has set, by the names of constants. */
  get settings() {
    const set = [...this.#constants.values()].filter(({ touched }) => touched);
    return Object.fromEntries(set.map(({ name, value, kinds }) => [name, { value, kinds }]));
  }

  /** Forgets all constants. The next ones will have these settings. */
  expect(settings) {
    this.#constants = new Map();
    this.#expected = settings;
    this.#build();
  }

  /** Takes the constants of a program. Those that a reader has set keep their values. */
  show({ constants, controls }) {
    const settings = { ...this.#expected, ...this.settings };
    this.#expected = {};
    const made = new Map();
    for (const { number, name, value } of constants) {
      const said = controls.filter((it) => it.constant === number);
      const kinds = COMPONENTS.map((_, n) => said.find((it) => it.components.includes(n))?.kind ?? 'number');
      const ranges = COMPONENTS.map((_, n) => said.find((it) => it.range && it.components.includes(n))?.range);
      const kept = settings[name];
      made.set(number, {
        name, own: value, ranges, is: kinds.join(), touched: Boolean(kept),
        value: kept?.value ?? value.map((it) => it ?? 0), kinds: kept?.kinds ?? kinds,
      });
    }
    const what = (constants) => JSON.stringify([...constants.values()].map(({ name, own, ranges, is }) => [name, own, ranges, is]));
    // Fields that stay keep the focus.
    if (what(made) === what(this.#constants)) return;
    this.#constants = made;
    this.#build();
  }

  #build() {
    this.#form.replaceChildren(...[...this.#constants.values()].map((constant) => this.#field(constant)));
  }

  #touch(constant) {
    constant.touched = true;
    this.#changed();
  }

  #field(constant) {
    const rows = COMPONENTS.map((letter, n) => this.#row(constant, letter, n));
    const colour = constant.kinds.filter((it) => it === 'colour').length >= 3 ? [this.#colour(constant)] : [];
    const select = element('select', { ariaLabel: `What sets ${constant.name}` });
    const kinds = { number: 'numbers', colour: 'colour', time: 'x: time', mouse: 'x, y: pointer' };
    const current = ['time', 'mouse', 'colour'].find((kind) => constant.kinds.includes(kind)) ?? 'number';
    for (const [value, text] of Object.entries(kinds)) {
      select.append(element('option', { value, textContent: text, selected: value === current }));
    }
    select.addEventListener('change', () => {
      const of = { number: [], colour: [0, 1, 2], time: [0], mouse: [0, 1] }[select.value];
      constant.kinds = COMPONENTS.map((_, n) => (of.includes(n) ? select.value : 'number'));
      this.#touch(constant);
      this.#build();
    });
    const legend = element('legend', {}, constant.name, ' ', select);
    return element('fieldset', {}, legend, ...colour, ...rows.filter(Boolean));
  }

  #colour(constant) {
    const value = `#${constant.value.slice(0, 3).map(byte).join('')}`;
    const input = element('input', { type: 'color', value, ariaLabel: `Colour of ${constant.name}` });
    input.addEventListener('input', () => {
      for (const n of [0, 1, 2]) constant.value[n] = parseInt(input.value.slice(1 + 2 * n, 3 + 2 * n), 16) / 255;
      this.#touch(constant);
    });
    return input;
  }

  #row(constant, letter, n) {
    if (constant.kinds[n] !== 'number' && constant.kinds[n] !== 'range') return null;
    const [min, max] = constant.ranges[n] ?? ends(constant.value[n]);
    const label = `${constant.name}.${letter}`;
    const slider = element('input', { type: 'range', min, max, step: 'any', value: constant.value[n], ariaLabel: label });
    const field = element('input', { type: 'number', step: 'any', value: +constant.value[n].toPrecision(6), ariaLabel: `${label}, as a number` });
    const set = (from, to) => {
      const value = Number(from.value);
      if (from.value === '' || !Number.isFinite(value)) return;
      constant.value[n] = value;
      to.value = to === field ? +value.toPrecision(6) : value;
      this.#touch(constant);
    };
    slider.addEventListener('input', () => set(slider, field));
    field.addEventListener('input', () => set(field, slider));
    return element('div', { className: 'row' }, element('span', { textContent: letter }), slider, field);
  }

  /** Numbers of constants, with their values at a time and with the pointer at a place. */
  values(time, pointer) {
    const values = [];
    for (const [number, { value, kinds, own, touched }] of this.#constants) {
      const moves = kinds.includes('time') || kinds.includes('mouse');
      // What nobody has set keeps the program's own bits.
      if (!touched && !moves) continue;
      const mouse = kinds.indexOf('mouse');
      values.push([number, value.map((it, n) => {
        if (kinds[n] === 'time') return time;
        if (kinds[n] === 'mouse') return pointer[n === mouse ? 0 : 1];
        return it ?? own[n] ?? 0;
      })]);
    }
    return values;
  }
}
