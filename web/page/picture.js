// The picture: when it is drawn, by whom, and what a pointer and keys do on it.

const $ = (id) => document.getElementById(id);

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Pixels that a pointer may move between down and up for a click. */
const STILL = 4;

/** Degrees around a mesh for a pixel of the pointer's way. */
const TURN = 0.5;

export class Picture {
  /** Whether it is not the program's any more. */
  stale = false;
  playing = true;
  time = 0;

  #on;
  #canvas = $('picture');
  #context = this.#canvas.getContext('2d', { alpha: false });
  #drawing = false;
  /** The size and engine that the program is compiled for, milliseconds, and bytes of code. */
  #compiled = null;
  #frames = [];
  #last = 0;
  #pointer = [0.5, 0.5];
  /** The pixel that was clicked on, or that keys have gone to. */
  #looked = null;

  /**
   * @param {{scene: import('./scene.js').Scene, pool: import('./pool.js').Pool, served: object | null,
   *   controls: import('./controls.js').Controls[], clicked: (pixel: number[]) => void}} on the first controls are those of
   *   the program of fragments
   */
  constructor(on) {
    this.#on = on;
    this.#listen();
    requestAnimationFrame((now) => this.#tick(now));
  }

  get size() {
    return $('size').value.split('x').map(Number);
  }

  /** What the page's own engines are asked for. */
  get asked() {
    const [constants, vertex] = this.#on.controls.map((it) => it.values(this.time, this.#pointer));
    const view = ['turn', 'rise', 'distance'].map((id) => Number($(id).value));
    return { size: this.size, constants, ...(this.#on.scene.loaded?.mesh && { 'vertex-constants': vertex, view }) };
  }

  get #isDrawn() {
    return this.#on.scene.picture?.stage === 'fragment';
  }

  /** Draws another scene from now on. */
  begin() {
    this.#compiled = null;
    this.stale = true;
  }

  play(is) {
    this.playing = is;
    $('play').textContent = is ? 'Pause' : 'Play';
    $('play').ariaPressed = String(is);
    this.stale ||= is;
  }

  say(message) {
    if ($('message').textContent !== message) $('message').textContent = message;
  }

  #stop(error) {
    this.play(false);
    this.say(error);
  }

  #tick(now) {
    const moves = this.playing && this.#isDrawn && this.#on.controls.some((it) => it.moves);
    if (moves) this.time += Math.min(0.1, (now - this.#last) / 1000);
    this.#last = now;
    if (this.#isDrawn && !this.#drawing && (this.stale || moves)) this.#draw();
    requestAnimationFrame((next) => this.#tick(next));
  }

  async #draw() {
    this.#drawing = true;
    this.stale = false;
    const { pool, served, scene } = this.#on;
    const request = { ...this.asked, engine: $('engine').value };
    const native = request.engine === 'native';
    if (native || await this.#compile(request)) {
      const begin = performance.now();
      const { error, engine, bands } = native ? await served.draw(scene.loaded, request) : await pool.draw(request);
      const took = performance.now() - begin;
      if (error) this.#stop(error);
      else {
        this.put(request.size, bands);
        this.#canvas.dataset.frames = Number(this.#canvas.dataset.frames ?? 0) + 1;
        this.say('');
        this.#tell(took, engine);
      }
    }
    this.#drawing = false;
  }

  /** Whether there is code. */
  async #compile(request) {
    const key = `${request.size} ${request.engine}`;
    if (this.#compiled?.key === key) return true;
    const { error, took, ahead, linked } = await this.#on.pool.compile(request);
    if (error) this.#stop(error);
    else this.#compiled = { key, took: ahead && took, linked };
    return !error;
  }

  /** Shows bands of a picture. */
  put([width, height], bands) {
    const canvas = this.#canvas;
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    for (const { top, bytes } of bands) {
      const image = new ImageData(new Uint8ClampedArray(bytes.buffer, bytes.byteOffset, bytes.length), width);
      this.#context.putImageData(image, 0, top);
    }
  }

  #tell(took, engine) {
    const now = performance.now();
    const frames = this.#frames;
    frames.push(now);
    while (frames.length > 60 || frames[0] < now - 2000) frames.shift();
    const seconds = (now - frames[0]) / 1000;
    const [width, height] = this.size;
    const { instructions } = this.#on.scene.picture;
    $('figures').textContent = [
      `${engine}:`,
      this.playing && seconds > 0.2 ? `${((frames.length - 1) / seconds).toFixed(0)} frames/s,` : '',
      `${(width * height / took / 1000).toFixed(1)} Mpixel/s;`,
      this.#compiled?.took && this.#compiled.linked && engine !== 'native' ? `compiled in ${this.#compiled.took.toFixed(1)} ms, ${this.#compiled.linked} bytes;` : '',
      instructions === 1 ? '1 instruction' : `${instructions} instructions`,
    ].filter(Boolean).join(' ');
  }

  /** Marks a pixel of the picture as it stands. */
  #look(at) {
    this.play(false);
    const [width, height] = this.size;
    this.#looked = at.map((it, n) => Math.max(0, Math.min([width, height][n] - 1, it)));
    const [left, top] = [width, height].map((side, n) => `${100 * (this.#looked[n] + 0.5) / side}%`);
    Object.assign($('mark').style, { left, top });
    Object.assign($('mark'), { hidden: false, title: `pixel ${this.#looked}` });
  }

  #click(at) {
    this.#look(at);
    if (this.#isDrawn) this.#on.clicked(this.#looked);
  }

  #key(event) {
    const arrow = ARROWS[event.key];
    const from = this.#looked ?? this.size.map((it) => Math.floor(it / 2));
    if (arrow) this.#look(from.map((it, n) => it + arrow[n] * (event.shiftKey ? 10 : 1)));
    else if (event.key === 'Enter') this.#click(from);
    else return;
    event.preventDefault();
  }

  #listen() {
    const canvas = this.#canvas;
    /** Where a button went down, and whether the pointer has moved since. */
    let held = null;
    canvas.addEventListener('pointerdown', ({ clientX, clientY }) => { held = { from: [clientX, clientY], moved: false }; });
    canvas.addEventListener('pointermove', ({ offsetX, offsetY, clientX, clientY, buttons }) => {
      this.#pointer = [offsetX / canvas.clientWidth, offsetY / canvas.clientHeight];
      if (this.#on.controls.some((it) => it.follows)) this.stale = true;
      if (!held || !buttons || !this.#on.scene.mesh) return;
      const way = [clientX - held.from[0], clientY - held.from[1]];
      if (!held.moved && Math.hypot(...way) < STILL) return;
      held = { from: [clientX, clientY], moved: true };
      this.#turn([-way[0] * TURN, way[1] * TURN]);
    });
    canvas.addEventListener('click', ({ offsetX, offsetY }) => {
      const [width, height] = this.size;
      if (!held?.moved) this.#click([Math.floor(offsetX * width / canvas.clientWidth), Math.floor(offsetY * height / canvas.clientHeight)]);
      held = null;
    });
    canvas.addEventListener('keydown', (event) => this.#key(event));
    $('camera').addEventListener('input', () => { this.stale = true; });
    $('play').addEventListener('click', () => this.play(!this.playing));
    $('frame').addEventListener('click', () => { this.play(false); this.time += 1 / 60; this.stale = true; });
    $('restart').addEventListener('click', () => { this.time = 0; this.stale = true; });
  }

  /** Goes around the mesh: to the right any number of times, up as far as its top. */
  #turn([right, up]) {
    const turn = Number($('turn').value) + right;
    $('turn').value = ((turn + 540) % 360) - 180;
    $('rise').value = Number($('rise').value) + up;
    this.stale = true;
  }
}
