// The page: a text, its picture, and what goes between them.

import { Controls } from './controls.js';
import { fixName, makeEditor } from './editor.js';
import { Menu, first } from './menu.js';
import { Panes } from './panes.js';
import { Pixel } from './pixel.js';
import { Pool } from './pool.js';
import { server } from './server.js';
import { fromBase64, fromLink, keep, kept, save, toLink, unzip, valid } from './state.js';

/** The page as it was read, before anything was changed: what a saved page is made of. */
const source = document.documentElement.outerHTML;

const $ = (id) => document.getElementById(id);
const canvas = $('picture');
const context = canvas.getContext('2d', { alpha: false });

const served = server();

let pool, editor;
let name = 'program.attila';
/** What the last text without errors can be drawn with. */
let picture = null;
/** That text. */
let drawn = '';
let playing = true;
let time = 0;
let pointer = [0.5, 0.5];
let files = new Map();

const controls = new Controls($('controls'), () => { stale = true; remember(); });
const panes = new Panes($('panes'), (lines) => editor.mark(lines));

// --- The text ---

let opening = false;
let waiting = null;

/** Takes a text; of several that come meanwhile the last. */
async function open(text) {
  if (opening) {
    waiting = text;
    return;
  }
  opening = true;
  const request = { do: 'open', name, text };
  const { json } = await pool.editor.ask(request);
  if (json.error) say(json.error);
  else {
    editor.problems(text, json.problems);
    list(json.problems);
    if (json.picture) {
      await pool.open(request);
      picture = json.picture;
      drawn = text;
      controls.show(picture);
      compiled = null;
      stale = true;
      say(picture.stage === 'fragment' ? '' : `a ${picture.stage} program draws nothing alone`);
      become();
    } else if (!json.problems.length) say('there is no program');
  }
  opening = false;
  if (waiting !== null) {
    const next = waiting;
    waiting = null;
    open(next);
  }
}

function changed(text) {
  open(text);
  remember();
}

function list(problems) {
  const element = (tag, className, text) => Object.assign(document.createElement(tag), { className, textContent: text });
  $('tab-problems').textContent = problems.length ? `Problems (${problems.length})` : 'Problems';
  const rows = problems.map((it) => {
    const row = element('div', 'problem');
    const [line, column] = it.span[0];
    const place = element('button', 'place', `${line + 1}:${column + 1}`);
    place.addEventListener('click', () => editor.select(it.span[0]));
    row.append(place, element('span', it.severity, it.severity), element('span', '', [it.message, ...it.notes].join('\n')));
    if (it.fix) {
      const fix = element('button', 'fix', fixName(it));
      fix.addEventListener('click', () => editor.edit([it.fix]));
      row.append(fix);
    }
    return row;
  });
  $('problems').replaceChildren(...(rows.length ? rows : ['Nothing is wrong.']));
}

// --- The picture ---

/** Whether the picture on the screen is not the program's any more. */
let stale = false;
let drawing = false;
/** The size and engine that the program is compiled for, and milliseconds. */
let compiled = null;
const frames = [];

const size = () => $('size').value.split('x').map(Number);

const asked = () => ({ size: size(), constants: controls.values(time, pointer), engine: $('engine').value });

/** The same for what only the page's own engines do. */
const askedHere = () => ({ size: size(), constants: controls.values(time, pointer) });

async function draw() {
  drawing = true;
  stale = false;
  const request = asked();
  const key = `${request.size} ${request.engine}`;
  if (request.engine === 'native') compiled = null;
  else if (compiled?.key !== key) {
    const { error, took, engine } = await pool.compile(request);
    if (error) {
      drawing = false;
      return stop(error);
    }
    compiled = { key, took, engine };
  }
  const begin = performance.now();
  const native = request.engine === 'native';
  const { error, engine, bands } = native ? await served.draw({ name, text: drawn }, request) : await pool.draw(request);
  const took = performance.now() - begin;
  if (error) stop(error);
  else {
    put(request.size, bands);
    const [width, height] = request.size;
    canvas.dataset.frames = Number(canvas.dataset.frames ?? 0) + 1;
    if (picture.stage === 'fragment') say('');
    tell(width * height, took, engine);
  }
  drawing = false;
}

/** Shows bands of a picture. */
function put([width, height], bands) {
  if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
  for (const { top, bytes } of bands) {
    const image = new ImageData(new Uint8ClampedArray(bytes.buffer, bytes.byteOffset, bytes.length), width);
    context.putImageData(image, 0, top);
  }
}

function stop(error) {
  play(false);
  say(error);
}

function tell(pixels, took, engine) {
  const now = performance.now();
  frames.push(now);
  while (frames.length > 60 || frames[0] < now - 2000) frames.shift();
  const seconds = (now - frames[0]) / 1000;
  const rate = playing && seconds > 0.2 ? `${((frames.length - 1) / seconds).toFixed(0)} frames/s, ` : '';
  const speed = `${(pixels / took / 1000).toFixed(1)} Mpixel/s`;
  $('figures').textContent =
    `${engine}: ${rate}${speed}; ${compiled ? `compiled in ${compiled.took.toFixed(1)} ms; ` : ''}${picture.instructions} instructions`;
}

function say(message) {
  if ($('message').textContent !== message) $('message').textContent = message;
}

let last = 0;

function tick(now) {
  const moves = playing && picture?.stage === 'fragment' && controls.moves;
  if (moves) time += Math.min(0.1, (now - last) / 1000);
  last = now;
  if (picture?.stage === 'fragment' && !drawing && (stale || moves)) draw();
  requestAnimationFrame(tick);
}

function play(is) {
  playing = is;
  $('play').textContent = is ? 'Pause' : 'Play';
  $('play').ariaPressed = String(is);
  stale ||= is;
}

// --- What it becomes ---

async function become() {
  if ($('panes').hidden || !picture) return;
  const { json } = await pool.editor.ask({ do: 'list', ...askedHere() });
  if (json.error) panes.clear(json.error);
  else panes.show(json);
}

function choose(tab) {
  for (const it of document.querySelectorAll('[role=tab]')) {
    const is = it === tab;
    it.ariaSelected = String(is);
    it.tabIndex = is ? 0 : -1;
    $(it.getAttribute('aria-controls')).hidden = !is;
  }
  become();
}

/** The pixel under the pointer, or the one that keys have gone to. */
let looked = null;
const pixel = new Pixel($('pixel'), async (request) => (await pool.editor.ask(request)).json, (span) => {
  editor.mark(span ? [span[0][0]] : []);
}, showValue);

/** Draws what an instruction writes, until the program's own picture is asked for again. */
async function showValue(instruction) {
  play(false);
  const request = { do: 'value', instruction, picture: askedHere() };
  const { json, bytes } = await pool.editor.ask(request);
  if (json.error) return say(json.error);
  put(request.picture.size, [{ top: 0, bytes }]);
  $('figures').textContent = `What ${json.instruction} writes, from 0 to 1; no numbers are magenta. Play shows the program's picture.`;
}

/** Records a pixel of the picture as it stands. */
function look(at) {
  play(false);
  looked = at.map((it, n) => Math.max(0, Math.min(size()[n] - 1, it)));
  const [width, height] = size();
  Object.assign($('mark').style, { left: `${100 * (looked[0] + 0.5) / width}%`, top: `${100 * (looked[1] + 0.5) / height}%` });
  $('mark').hidden = false;
  $('mark').title = `pixel ${looked}`;
}

function recordPixel() {
  if (!picture) return;
  choose($('tab-pixel'));
  pixel.record(looked, askedHere());
}

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function lookByKeys(event) {
  const arrow = ARROWS[event.key];
  const from = looked ?? size().map((it) => Math.floor(it / 2));
  if (arrow) look(from.map((it, n) => it + arrow[n] * (event.shiftKey ? 10 : 1)));
  else if (event.key === 'Enter') {
    look(from);
    recordPixel();
  } else return;
  event.preventDefault();
}

// --- What is kept ---

const state = () => ({ name, text: editor.text(), size: $('size').value, settings: controls.settings });

let remembering;

function remember() {
  clearTimeout(remembering);
  remembering = setTimeout(() => keep(state()), 300);
}

function take(state) {
  name = state.name;
  if ([...$('size').options].some((it) => it.value === state.size)) $('size').value = state.size;
  controls.expect(state.settings ?? {});
  time = 0;
  editor.set(state.text);
}

function savedPage() {
  const json = JSON.stringify(state()).replace(/</g, '\\u003c');
  const program = `<script type="application/json" id="program">${json}</${'script'}>`;
  const page = source.replace(/<!--PROGRAM-->|<script type="application\/json" id="program">.*?<\/script>/s, () => program);
  return new Blob([`<!doctype html>\n${page}`], { type: 'text/html' });
}

function film() {
  const recorder = new MediaRecorder(canvas.captureStream(60));
  const parts = [];
  recorder.ondataavailable = ({ data }) => parts.push(data);
  recorder.onstop = () => {
    save('attila.webm', new Blob(parts, { type: recorder.mimeType }));
    $('save-film').disabled = false;
  };
  $('save-film').disabled = true;
  recorder.start();
  stale = true;
  setTimeout(() => recorder.stop(), 3000);
}

async function add(list) {
  for (const file of list) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    files.set(file.name, bytes);
    const answers = await pool.tell({ do: 'file', name: file.name }, bytes);
    const failed = answers.find(({ json }) => json.error);
    if (failed) return say(failed.json.error);
  }
  if (editor.text()) open(editor.text());
}

// --- Beginning ---

function listen() {
  $('play').addEventListener('click', () => play(!playing));
  $('frame').addEventListener('click', () => { play(false); time += 1 / 60; stale = true; });
  $('restart').addEventListener('click', () => { time = 0; stale = true; });
  for (const id of ['size', 'engine']) $(id).addEventListener('change', () => { stale = true; remember(); });
  $('format').addEventListener('click', async () => {
    const { json } = await pool.editor.ask({ do: 'format' });
    editor.edit(json.edits ?? []);
  });
  $('link').addEventListener('click', async () => {
    history.replaceState(null, '', await toLink(state()));
    try {
      await navigator.clipboard.writeText(location.href);
      say('');
    } catch {
      say('the link is in the address line');
    }
  });
  $('files').addEventListener('change', ({ target }) => add(target.files));
  $('save-picture').addEventListener('click', () => canvas.toBlob((blob) => save('attila.png', blob)));
  $('save-film').addEventListener('click', film);
  $('save-page').addEventListener('click', () => save('attila.html', savedPage()));
  canvas.addEventListener('pointermove', ({ offsetX, offsetY }) => {
    pointer = [offsetX / canvas.clientWidth, offsetY / canvas.clientHeight];
    if (controls.follows) stale = true;
  });
  canvas.addEventListener('click', ({ offsetX, offsetY }) => {
    const [width, height] = size();
    look([Math.floor(offsetX * width / canvas.clientWidth), Math.floor(offsetY * height / canvas.clientHeight)]);
    recordPixel();
  });
  canvas.addEventListener('keydown', lookByKeys);
  const tabs = [...document.querySelectorAll('[role=tab]')];
  tabs.forEach((tab, n) => {
    tab.addEventListener('click', () => choose(tab));
    tab.addEventListener('keydown', ({ key }) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
      if (!step) return;
      const next = tabs[(n + step + tabs.length) % tabs.length];
      choose(next);
      next.focus();
    });
  });
  document.body.addEventListener('dragover', (event) => { event.preventDefault(); document.body.classList.add('dropping'); });
  document.body.addEventListener('dragleave', () => document.body.classList.remove('dropping'));
  document.body.addEventListener('drop', (event) => {
    event.preventDefault();
    document.body.classList.remove('dropping');
    add(event.dataTransfer.files);
  });
}

async function begin() {
  const bytes = await unzip(fromBase64($('module').textContent));
  const module = await WebAssembly.compile(bytes);
  const painters = Math.min(8, Math.max(1, (navigator.hardwareConcurrency ?? 2)));
  pool = new Pool(module, $('worker').textContent, painters);
  editor = makeEditor($('text'), async (request) => (await pool.editor.ask(request)).json, {
    changed,
    line: (line) => panes.markLine(line),
  });
  const menu = new Menu($('programs'), $('notice'), take);
  listen();
  const own = $('program') && valid(JSON.parse($('program').textContent));
  if (served) {
    $('engine').append(new Option('native', 'native'));
    await add(await served.read());
    if (served.watches) served.watch((program) => take({ ...state(), ...program }));
  }
  take(own ?? menu.linked(location.hash) ?? (await fromLink(location.hash)) ?? kept() ?? first);
  requestAnimationFrame(tick);
}

begin().catch((error) => say(`the page does not run here: ${error.message}`));
