// The module's other side: memory, the table of functions, and messages, as `door.rs` describes them.

const text = new TextEncoder();
const words = new TextDecoder();

/** A message as the module takes it: what is done is the name of all else. */
export function toMessage({ do: name, ...rest }) {
  return { [name]: Object.keys(rest).length ? rest : null };
}

/** Messages as text. Halves of characters, which UTF-8 does not have, become others of the same length. */
export function toJson(message) {
  return JSON.stringify(message, (_, value) => (typeof value === 'string' ? value.toWellFormed() : value));
}

/** An instance of the module, with one session. */
export class Engine {
  #exports;
  #free = [];
  /** Bytes of the modules that were linked for the last message. */
  #linked = 0;

  /** @param {WebAssembly.Module} module */
  constructor(module) {
    const imports = {
      attila: {
        link: (at, length, names, namesLength) => this.#link(at, length, names, namesLength),
        unlink: (place) => {
          this.#exports.__indirect_function_table.set(place, null);
          this.#free.push(place);
        },
      },
    };
    this.#exports = new WebAssembly.Instance(module, imports).exports;
    this.#exports.begin();
  }

  /** Bytes of memory that the module has. */
  get memory() {
    return this.#exports.memory.buffer.byteLength;
  }

  /**
   * Answers a message. An error that the module throws leaves it in no state to go on: make another one.
   *
   * @param {object} request
   * @param {Uint8Array} [bytes]
   * @returns {{json: any, bytes: Uint8Array, linked: number}} the bytes are a copy; how many bytes of code it took
   */
  answer(request, bytes = new Uint8Array()) {
    this.#linked = 0;
    const json = text.encode(toJson(toMessage(request)));
    const at = this.#exports.allocate(4 + json.length + bytes.length) >>> 0;
    const message = new Uint8Array(this.#exports.memory.buffer, at);
    new DataView(message.buffer, at).setUint32(0, json.length, true);
    message.set(json, 4);
    message.set(bytes, 4 + json.length);
    const place = this.#exports.answer() >>> 0;
    const answer = new Uint8Array(this.#exports.memory.buffer, place, this.#exports.answer_length());
    const end = 4 + new DataView(answer.buffer, place).getUint32(0, true);
    return { json: JSON.parse(words.decode(answer.subarray(4, end))), bytes: answer.slice(end), linked: this.#linked };
  }

  /** Makes a function of this module's table out of a module's bytes; -1 if the browser does not take them. */
  #link(at, length, names, namesLength) {
    const { memory, __indirect_function_table: table } = this.#exports;
    const bytes = (at, length) => new Uint8Array(memory.buffer, at >>> 0, length);
    const places = JSON.parse(words.decode(bytes(names, namesLength)));
    const functions = Object.entries(places).map(([name, place]) => [name, table.get(place)]);
    try {
      const module = new WebAssembly.Module(bytes(at, length));
      const attila = { memory, ...Object.fromEntries(functions) };
      const { shader } = new WebAssembly.Instance(module, { attila }).exports;
      this.#linked += length;
      const place = this.#free.pop() ?? table.grow(1);
      table.set(place, shader);
      return place;
    } catch {
      return -1;
    }
  }
}
