// What is drawn: a program, perhaps a mesh with the program of its vertices, and which of both the editor shows.

/** The programs of a scene. */
export class Scene {
  /** @type {{name: string, text: string}} the program of fragments */
  program = { name: 'program.attila', text: '' };
  /** @type {{model: string, vertex: {name: string, text: string}} | null} none: a rectangle */
  mesh = null;
  /** Whether the editor shows the program of vertices. */
  showsVertex = false;
  /** The last scene without errors, as the workers have it. */
  loaded = null;
  /** What the module says of that: its constants, its stage, its instructions. */
  picture = null;

  #pool;
  #heard;
  #opening = false;
  #again = false;

  /**
   * @param {import('./pool.js').Pool} pool
   * @param {(text: string, problems: object[], error?: string) => void} heard what is wrong, after each text
   */
  constructor(pool, heard) {
    this.#pool = pool;
    this.#heard = heard;
  }

  /** The program that the editor shows. */
  get shown() {
    return this.showsVertex && this.mesh ? this.mesh.vertex : this.program;
  }

  /** What is kept of it. */
  get state() {
    return { ...this.program, mesh: this.mesh };
  }

  take({ name, text, mesh }) {
    this.program = { name, text };
    this.mesh = structuredClone(mesh ?? null);
    this.showsVertex = false;
  }

  /** Takes the program that the editor has. */
  write(text) {
    this.shown.text = text;
    return this.open();
  }

  /** Has the workers know the scene as it is; of several that come meanwhile the last. */
  async open() {
    this.#again = this.#opening;
    if (this.#opening) return;
    this.#opening = true;
    const { text } = this.shown;
    const shown = this.shown === this.program ? 'fragment' : 'vertex';
    const scene = structuredClone({ program: this.program, mesh: this.mesh });
    const [analysis, loaded] = await Promise.all([
      this.#pool.editor.ask({ do: 'open', ...this.shown }), this.#pool.load(scene),
    ]);
    const error = analysis.json.error ?? loaded.error;
    const problems = analysis.json.problems ?? [];
    // The analysis says the same about the text that it has, and more.
    const isNew = ({ program, message }) => program !== shown || !problems.some((it) => it.message === message);
    const others = (loaded.problems ?? []).filter(isNew);
    if (!error && loaded.picture) {
      this.picture = loaded.picture;
      this.loaded = scene;
    }
    this.#opening = false;
    this.#heard(text, [...problems, ...others.map((it) => ({ ...it, elsewhere: it.program !== shown }))], error);
    if (this.#again) await this.open();
  }
}
