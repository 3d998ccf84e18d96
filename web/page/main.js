// The page: a scene and its picture, and what goes between them.

import { vertex } from 'programs';

import { Controls } from './controls.js';
import { fixName, makeEditor } from './editor.js';
import { Menu, first } from './menu.js';
import { Panes } from './panes.js';
import { Picture } from './picture.js';
import { Pixel } from './pixel.js';
import { Pool } from './pool.js';
import { Scene } from './scene.js';
import { server } from './server.js';
import { fromBase64, fromLink, keep, kept, save, toLink, unzip, valid } from './state.js';

/** The page as it was read, before anything was changed: what a saved page is made of. */
const source = document.documentElement.outerHTML;

const $ = (id) => document.getElementById(id);
const served = server();

let pool, editor, scene, picture;

const changed = () => { picture.stale = true; remember(); };
const controls = new Controls($('controls'), changed);
const vertexControls = new Controls($('vertex-controls'), changed);
const panes = new Panes($('panes'), (lines) => scene.showsVertex || editor.mark(lines));
const ask = async (request) => (await pool.editor.ask(request)).json;
const pixel = new Pixel($('pixel'), ask, (span) => editor.mark(span ? [span[0][0]] : []), showValue);

// --- The text ---

/** Shows what is wrong with a scene, and what can be changed of it. */
function heard(text, problems, error) {
  editor.problems(text, problems.filter((it) => !it.elsewhere));
  list(problems);
  if (error) return picture.say(error);
  if (problems.some(({ severity }) => severity === 'error') || !scene.picture) return;
  controls.show(scene.picture.fragment);
  vertexControls.show(scene.picture.vertex ?? { constants: [], controls: [] });
  $('camera').hidden = !scene.loaded.mesh;
  picture.begin();
  const { stage } = scene.picture;
  picture.say(stage === 'fragment' ? '' : `a ${stage} program draws nothing alone; it may be that of a mesh's vertices`);
  become();
}

function list(problems) {
  const element = (tag, className, text) => Object.assign(document.createElement(tag), { className, textContent: text });
  $('tab-problems').textContent = problems.length ? `Problems (${problems.length})` : 'Problems';
  const rows = problems.map((it) => {
    const row = element('div', 'problem');
    const [line, column] = it.span[0];
    const name = it.elsewhere ? `${it.program} ` : '';
    const place = element('button', 'place', `${name}${line + 1}:${column + 1}`);
    place.addEventListener('click', () => {
      if (it.elsewhere) show(it.program === 'vertex');
      editor.select(it.span[0]);
    });
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

/** Shows the program of fragments, or that of vertices. */
function show(vertices) {
  scene.showsVertex = vertices;
  for (const [id, is] of [['show-fragment', !vertices], ['show-vertex', vertices]]) $(id).ariaPressed = String(is);
  editor.set(scene.shown.text, vertices ? 'vertex' : 'fragment');
}

/** Draws the program on a model, or on a rectangle. */
function chooseMesh(model) {
  scene.mesh = model ? { model, vertex: scene.mesh?.vertex ?? structuredClone(vertex) } : null;
  shape();
  remember();
}

/** Shows what there is of a mesh. */
function shape() {
  const model = scene.mesh?.model ?? '';
  if (![...$('mesh').options].some((it) => it.value === model)) $('mesh').append(new Option(model, model));
  $('mesh').value = model;
  $('shown').hidden = !scene.mesh;
  show(scene.showsVertex && Boolean(scene.mesh));
}

// --- What it becomes ---

async function become() {
  if ($('panes').hidden || !scene.picture) return;
  const asked = picture.asked;
  const [{ json, bytes }, machines] = await Promise.all([
    pool.editor.ask({ do: 'list', ...asked }), served?.machines(scene.loaded, asked),
  ]);
  if (json.error) panes.clear(json.error);
  else panes.show(json, bytes, machines ?? []);
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

/** Draws what an instruction writes, until the program's own picture is asked for again. */
async function showValue(instruction) {
  picture.play(false);
  const request = { do: 'value', instruction, picture: picture.asked };
  const { json, bytes } = await pool.editor.ask(request);
  if (json.error) return picture.say(json.error);
  picture.put(request.picture.size, [{ top: 0, bytes }]);
  $('figures').textContent = `What ${json.instruction} writes, from 0 to 1; no numbers are magenta. Play shows the program's picture.`;
}

function clicked(at) {
  if (scene.showsVertex) show(false);
  choose($('tab-pixel'));
  pixel.record(at, picture.asked);
}

// --- What is kept ---

const state = () => ({
  ...scene.state, size: $('size').value, settings: controls.settings, vertexSettings: vertexControls.settings,
});

let remembering;

function remember() {
  clearTimeout(remembering);
  remembering = setTimeout(() => keep(state()), 300);
}

function take(state) {
  scene.take(state);
  if ([...$('size').options].some((it) => it.value === state.size)) $('size').value = state.size;
  controls.expect(state.settings ?? {});
  vertexControls.expect(state.vertexSettings ?? {});
  picture.time = 0;
  shape();
}

function savedPage() {
  const json = JSON.stringify(state()).replace(/</g, '\\u003c');
  const program = `<script type="application/json" id="program">${json}</${'script'}>`;
  const page = source.replace(/<!--PROGRAM-->|<script type="application\/json" id="program">.*?<\/script>/s, () => program);
  return new Blob([`<!doctype html>\n${page}`], { type: 'text/html' });
}

function film() {
  const recorder = new MediaRecorder($('picture').captureStream(60));
  const parts = [];
  recorder.ondataavailable = ({ data }) => parts.push(data);
  recorder.onstop = () => {
    save('attila.webm', new Blob(parts, { type: recorder.mimeType }));
    $('save-film').disabled = false;
  };
  $('save-film').disabled = true;
  recorder.start();
  picture.stale = true;
  setTimeout(() => recorder.stop(), 3000);
}

/** Lets programs name files, and draws on the last model among them. */
async function add(list) {
  for (const file of list) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const answers = await pool.tell({ do: 'file', name: file.name }, bytes);
    const failed = answers.find(({ json }) => json.error);
    if (failed) return picture.say(failed.json.error);
  }
  const model = [...list].findLast(({ name }) => /\.obj$/i.test(name));
  if (model) chooseMesh(model.name);
  else if (scene.program.text) scene.open();
}

// --- Beginning ---

function listen() {
  for (const id of ['size', 'engine']) $(id).addEventListener('change', changed);
  $('mesh').addEventListener('change', ({ target }) => chooseMesh(target.value));
  $('show-fragment').addEventListener('click', () => show(false));
  $('show-vertex').addEventListener('click', () => show(true));
  $('format').addEventListener('click', async () => editor.edit((await ask({ do: 'format' })).edits ?? []));
  $('link').addEventListener('click', async () => {
    history.replaceState(null, '', await toLink(state()));
    try {
      await navigator.clipboard.writeText(location.href);
      picture.say('');
    } catch {
      picture.say('the link is in the address line');
    }
  });
  $('files').addEventListener('change', ({ target }) => add(target.files));
  $('save-picture').addEventListener('click', () => $('picture').toBlob((blob) => save('attila.png', blob)));
  $('save-film').addEventListener('click', film);
  $('save-page').addEventListener('click', () => save('attila.html', savedPage()));
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
  const dropping = (is) => document.body.classList.toggle('dropping', is);
  document.body.addEventListener('dragover', (event) => { event.preventDefault(); dropping(true); });
  document.body.addEventListener('dragleave', () => dropping(false));
  document.body.addEventListener('drop', (event) => {
    event.preventDefault();
    dropping(false);
    add(event.dataTransfer.files);
  });
}

async function begin() {
  const bytes = await unzip(fromBase64($('module').textContent));
  const module = await WebAssembly.compile(bytes);
  const painters = Math.min(8, Math.max(1, (navigator.hardwareConcurrency ?? 2)));
  pool = new Pool(module, $('worker').textContent, painters);
  scene = new Scene(pool, heard);
  picture = new Picture({ scene, pool, served, controls: [controls, vertexControls], clicked });
  editor = makeEditor($('text'), ask, {
    changed: (text) => { scene.write(text); remember(); },
    line: (line) => scene.showsVertex || panes.markLine(line),
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
}

begin().catch((error) => { $('message').textContent = `the page does not run here: ${error.message}`; });
