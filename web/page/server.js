// What `attila play` offers a page that it serves: files, a watched program, drawing.

import { toJson, toMessage } from './engine.js';

/** The server of this page; none if it is a file. */
export function server() {
  const data = document.getElementById('server');
  return data ? new Server(JSON.parse(data.textContent)) : null;
}

class Server {
  #token;

  constructor({ token, files, watches }) {
    this.#token = token;
    this.files = files;
    this.watches = watches;
  }

  #address(path) {
    return `${path}?token=${this.#token}`;
  }

  /** The files that were named on the command line. */
  async read() {
    return Promise.all(this.files.map(async (name, number) => {
      const answer = await fetch(this.#address(`/file/${number}`));
      return new File([await answer.arrayBuffer()], name);
    }));
  }

  /** Hears of the watched program. */
  watch(changed) {
    const events = new EventSource(this.#address('/watch'));
    events.onmessage = ({ data }) => changed(JSON.parse(data));
  }

  /** What the command answers to the last of some messages. */
  async #ask(requests) {
    try {
      const answer = await fetch(this.#address('/answer'), { method: 'POST', body: toJson(requests.map(toMessage)) });
      if (!answer.ok) return { json: { error: await answer.text() } };
      const bytes = new Uint8Array(await answer.arrayBuffer());
      const end = 4 + new DataView(bytes.buffer).getUint32(0, true);
      return { json: JSON.parse(new TextDecoder().decode(bytes.subarray(4, end))), bytes: bytes.slice(end) };
    } catch {
      return { json: { error: '`attila play` does not answer any more' } };
    }
  }

  /** A picture as the command draws it, in the form of [`Pool.draw`]. */
  async draw(scene, picture) {
    const begin = performance.now();
    const { json, bytes } = await this.#ask([{ do: 'load', ...scene }, { do: 'draw', ...picture, engine: 'jit' }]);
    return { error: json.error, engine: 'native', bands: [{ top: 0, bytes }], took: performance.now() - begin };
  }

  /** Machines, with the code that the command makes for them. */
  async machines(scene, picture) {
    const { json } = await this.#ask([{ do: 'load', ...scene }, { do: 'list', ...picture }]);
    return json.code?.machines ?? [];
  }
}
