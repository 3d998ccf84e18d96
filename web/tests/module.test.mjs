// The module without a page: its pictures, and what it says of bad input.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { disassemble } from '../page/disassemble.js';
import { DEMO, ENDLESS, load, module, open, png, random, read } from './support.mjs';

const SIZE = [64, 48];
const draw = (engine, more = {}) => engine.answer({ do: 'draw', size: SIZE, ...more });

/** A text that repeats what its length says. */
const TWO = `;! const c0 = 0.25 0.5 0.75 1
;! varying i6 = u, v, 0, 1
;! range c0.x = 0 2
;! time c1.x
add o1, i6, c0
`;

for (const [name, text] of DEMO) {
  test(`the JIT draws ${name} as the interpreter does, and in bands`, () => {
    const { engine, problems, picture } = open(text);
    assert.deepEqual(problems.filter((it) => it.severity === 'error'), []);
    assert.equal(picture.stage, 'fragment');
    const jit = draw(engine);
    const interp = draw(engine, { engine: 'interp' });
    assert.deepEqual([jit.json.engine, interp.json.engine], ['jit', 'interp']);
    assert.ok(new Set(jit.bytes).size > 2);
    assert.ok(Buffer.from(jit.bytes).equals(interp.bytes));
    const bands = [[0, 18], [18, 20], [20, 48]].map((rows) => draw(engine, { rows }).bytes);
    assert.ok(Buffer.from(jit.bytes).equals(Buffer.concat(bands)));
  });
}

test('programs of every language are drawn', () => {
  for (const [name, text] of [
    ['a.arbfp', '!!ARBfp1.0\nPARAM tint = program.local[0];\nMOV result.color, tint;\nEND'],
    ['a.tgsi', 'FRAG\nDCL OUT[0], COLOR\nDCL CONST[0][0]\nMOV OUT[0], CONST[0][0]\nEND'],
    ['a.agal', 'mov ft0, fc0\nmov oc, ft0'],
  ]) {
    const { engine, problems, picture } = open(text, name);
    assert.deepEqual(problems, [], name);
    const [constant] = picture.fragment.constants;
    assert.deepEqual(constant.value, [0, 0, 0, 0]);
    const colour = draw(engine, { constants: [[constant.number, [1, 0.75, 0, 1]]] }).bytes.subarray(0, 4);
    assert.deepEqual([...colour], [255, 191, 0, 255], name);
  }
});

test('constants and controls are told, and set', () => {
  const { engine, picture } = open(TWO);
  assert.deepEqual(picture.fragment.constants.map(({ name }) => name), ['c0']);
  assert.deepEqual(picture.fragment.controls, [
    { kind: 'range', range: [0, 2], constant: 0, components: [0] },
    { kind: 'time', range: null, constant: 1, components: [0] },
  ]);
  assert.equal(draw(engine).bytes[2], 191);
  assert.equal(draw(engine, { constants: [[0, [0, 0, 1, 1]]] }).bytes[2], 255);
});

test('a picture that a program names is one that was given', () => {
  const text = ';! texture t0 = wall.png, nearest\n;! varying i6 = u, v, 0, 1\ntex o1, i6, t0\n';
  const { engine, problems } = open(text);
  assert.match(problems[0].message, /drop `wall.png` on the page, or choose it, first/);
  assert.equal(problems[0].span[0][0], 0);
  const image = png(1, 1, Uint8Array.of(200, 100, 50, 255));
  engine.answer({ do: 'file', name: 'wall.png' }, image);
  assert.deepEqual(load(engine, text).problems, []);
  assert.deepEqual([...draw(engine).bytes.subarray(0, 4)], [200, 100, 50, 255]);
  engine.answer({ do: 'file', name: 'wall.png' }, image.subarray(0, 40));
  const damaged = load(engine, text);
  assert.equal(damaged.picture, null);
  assert.match(damaged.problems[0].message, /wall.png/);
  // What was there before stays.
  assert.deepEqual([...draw(engine).bytes.subarray(0, 4)], [200, 100, 50, 255]);
});

test('a program with mistakes has problems at their places, and fixes', () => {
  const { engine, problems, picture } = open('mvo o1, i6\n');
  assert.equal(picture, null);
  const [problem] = problems;
  assert.equal(problem.message, 'unknown instruction `mvo`');
  assert.deepEqual([problem.span, problem.fix.text], [[[0, 0], [0, 3]], 'mov']);
  assert.equal(draw(engine).json.error, 'the program has errors');
});

test('an editor\'s questions are answered', () => {
  const { engine } = open(TWO);
  const ask = (request) => engine.answer(request).json;
  assert.match(ask({ do: 'hover', at: [4, 1] }).hover.text, /add/);
  assert.ok(ask({ do: 'complete', at: [4, 2] }).words.some(({ text }) => text === 'add'));
  assert.equal(ask({ do: 'signature', at: [4, 9] }).signature.active, 'a');
  assert.equal(ask({ do: 'occurrences', at: [4, 14] }).places.length, 3);
  assert.ok(Array.isArray(ask({ do: 'format' }).edits));
  assert.ok(Array.isArray(ask({ do: 'hints' }).hints));
  assert.match(ask({ do: 'rename', at: [4, 1], name: 'x' }).error, /./);
});

test('what a program becomes has the place of each instruction', () => {
  const { engine } = open(TWO);
  const { json, bytes } = engine.answer({ do: 'list', size: SIZE });
  assert.equal(json.assembly, 'add o1, i6, c0 <- end\n');
  assert.match(json.words, /^[0-9a-f]{16} [0-9a-f]{16}/);
  assert.deepEqual(json.passes.map(({ pass }) => pass).slice(0, 1), ['lower']);
  for (const { text, instructions } of json.passes) assert.equal(text.trimEnd().split('\n').length, instructions.length);
  const { text, instructions } = json.passes.at(-1);
  const sums = text.split('\n').flatMap((line, n) => (/ = fadd /.test(line) ? [instructions[n]] : []));
  assert.ok(sums.length >= 4 && sums.includes(0), text);
  assert.ok(WebAssembly.Module.imports(new WebAssembly.Module(bytes)).some(({ name }) => name === 'memory'));
  const wasm = disassemble(bytes, json.code.origins);
  const added = wasm.text.split('\n').flatMap((line, n) => (/f32x4\.add/.test(line) ? [wasm.instructions[n]] : []));
  assert.ok(added.includes(0), wasm.text);
  assert.deepEqual(json.instructions, [{ span: [[4, 0], [4, 14]], line: 1 }]);
});

test('a pixel is recorded, forwards and backwards', () => {
  const { engine } = open(`${TWO.replace('add o1', 'add r0')}mul o1, r0, r0\n`);
  const picture = { size: SIZE };
  const first = engine.answer({ do: 'record', pixel: [3, 5], picture }).json;
  assert.deepEqual([first.step, first.steps, first.lane, first.span[0]], [0, 2, 3, [4, 0]]);
  const next = engine.answer({ do: 'debug', command: 'step' }).json;
  assert.ok(next.registers[0].words[0].changed);
  assert.equal(engine.answer({ do: 'debug', command: 'back' }).json.step, 0);
  assert.match(engine.answer({ do: 'debug', command: 'end' }).json.end, /end/);
  assert.match(engine.answer({ do: 'debug', command: 'why o1.x' }).json.answer[0], /^o1.x\[3\] = .*mul/);
  assert.match(engine.answer({ do: 'debug', command: 'foo' }).json.error, /foo/);
  assert.match(engine.answer({ do: 'record', pixel: [64, 0], picture }).json.error, /pixel 64,0 is not in/);
});

const VERTEX = { name: 'mesh.arbvp', text: read('programs/mesh.arbvp').toString() };
const LIGHT = read('programs/light.attila').toString();

test('a program is drawn on a mesh, whose camera goes around', () => {
  const { engine, problems, picture } = open(LIGHT, 'light.attila', { model: 'torus', vertex: VERTEX });
  assert.deepEqual([problems, picture.vertex], [[], { constants: [], controls: [] }]);
  const jit = draw(engine);
  assert.equal(jit.json.error, undefined);
  assert.ok(Buffer.from(jit.bytes).equals(draw(engine, { engine: 'interp' }).bytes));
  assert.ok(Buffer.from(jit.bytes).equals(Buffer.concat([[0, 20], [20, 48]].map((rows) => draw(engine, { rows }).bytes))));
  assert.ok(new Set(jit.bytes).size > 50);
  assert.deepEqual([...jit.bytes.subarray(0, 4)], [0, 0, 0, 255]);
  const turned = draw(engine, { view: [90, 40, 2] });
  assert.equal(turned.json.error, undefined);
  assert.ok(!Buffer.from(jit.bytes).equals(turned.bytes));
  assert.ok(Buffer.from(jit.bytes).equals(draw(engine).bytes));
  const record = (pixel) => engine.answer({ do: 'record', pixel, picture: { size: SIZE } }).json;
  assert.equal(record([0, 0]).error, 'nothing covers the pixel');
  assert.match(record([32, 30]).history.join('\n'), /kept/);
  const value = engine.answer({ do: 'value', instruction: 0, picture: { size: SIZE } });
  assert.ok(new Set(value.bytes).size > 20);
  assert.ok(engine.answer({ do: 'list', size: SIZE }).json.passes.length > 2);
});

test('models are shapes and files, with the constants of their programs', () => {
  const vertex = { name: 'v.attila', text: ';! stage vertex\n;! const c8 = 1 1 1 1\nmul o0, i0, c8\nmov o6, i8\n' };
  const { engine, picture } = open('mov o1, i6\n', 'a.attila', { model: 'cube', vertex });
  assert.deepEqual(picture.vertex.constants, [{ number: 8, name: 'c8', value: [1, 1, 1, 1] }]);
  const cube = draw(engine).bytes;
  assert.ok(!cube.every((it, n) => it === (n % 4 === 3 ? 255 : 0)));
  const far = draw(engine, { 'vertex-constants': [[8, [1, 1, 1, -1]]] });
  assert.ok(far.bytes.every((it, n) => it === (n % 4 === 3 ? 255 : 0)));
  engine.answer({ do: 'file', name: 'a.obj' }, new TextEncoder().encode('v -1 -1 0\nv 1 -1 0\nv 0 1 0\nf 1 2 3\n'));
  assert.deepEqual(load(engine, 'mov o1, i2\n', 'a.attila', { model: 'a.obj', vertex }).problems, []);
  engine.answer({ do: 'file', name: 'b.obj' }, new TextEncoder().encode('v 1 2\n'));
  const problem = (mesh) => load(engine, 'mov o1, i2\n', 'a.attila', mesh).problems[0];
  assert.match(problem({ model: 'b.obj', vertex }).message, /^b.obj:1:1: error: /);
  // Another file of the same name is another model.
  engine.answer({ do: 'file', name: 'a.obj' }, new TextEncoder().encode('v 1 2\n'));
  assert.match(problem({ model: 'a.obj', vertex }).message, /^a.obj:1:1: error: /);
  assert.match(problem({ model: 'c.obj', vertex }).message, /drop `c.obj`/);
  const wrong = problem({ model: 'cube', vertex: { name: 'v.attila', text: ';! stage vertex\nmvo o0, i0\n' } });
  assert.deepEqual([wrong.program, wrong.span, wrong.message], ['vertex', [[1, 0], [1, 3]], 'unknown instruction `mvo`']);
});

test('what an instruction writes is a picture', () => {
  const text = `;! varying i6 = u, v, 0, 1
;! const c0 = 3 1 0 0
        mov     r1, c0.z
again:  add     r0, i6, c0.z
        rcp     r2.x, r1.x
        mul     r2.y, r2.x, r1.x
        add     r1.x, r1.x, c0.y
        setpgt  p0, c0.x, r1.x
        jmp     p0, again
        mov     o1, r1 <- end
`;
  const { engine } = open(text);
  const value = (instruction) => engine.answer({ do: 'value', instruction, picture: { size: [4, 4] } });
  assert.deepEqual([...value(1).bytes.subarray(0, 8)], [31, 31, 0, 255, 95, 31, 0, 255]);
  // The last iteration's: a third, in grey.
  assert.deepEqual([...value(2).bytes.subarray(0, 4)], [127, 127, 127, 255]);
  assert.equal(value(7).json.instruction, 'mov o1, r1 <- end');
  assert.match(value(6).json.error, /writes no register/);
  assert.match(value(8).json.error, /no such instruction/);
  const nan = open('mov r0, i6\nrcp r1.x, c0.x\nmul r1.x, r1.x, c0.x\nmov o1, r1\n').engine;
  const picture = { size: [2, 2] };
  assert.deepEqual([...nan.answer({ do: 'value', instruction: 2, picture }).bytes.subarray(0, 4)], [255, 0, 255, 255]);
});

test('bad input has one message each', () => {
  const { engine } = open(TWO);
  const error = (request) => engine.answer(request).json.error;
  assert.match(error({ do: 'draw', size: [16384, 16384] }), /1 to 16777216 pixels, not 16384x16384/);
  assert.match(error({ do: 'draw', size: [0, 4] }), /pixels/);
  assert.match(error({ do: 'draw', size: [4, 4], rows: [2, 9] }), /no rows 2 to 9 of 4/);
  assert.match(error({ do: 'draw', size: [4, 4], constants: [[600, [0, 0, 0, 0]]] }), /c600/);
  assert.match(error({ do: 'draw', size: [4, 4], 'vertex-constants': [[600, [0, 0, 0, 0]]] }), /c600/);
  assert.match(error({ do: 'dance' }), /unknown variant `dance`/);
  assert.match(error({ do: 'hover', line: 3 }), /unknown field `line`/);
  const long = load(engine, 'mov r0, r1\n'.repeat(10 << 20));
  assert.equal(long.problems.length, 1);
  assert.match(long.problems[0].message, /115343360 bytes; the limit is 4194304/);
  assert.deepEqual(load(engine, ENDLESS).problems.filter((it) => it.severity === 'error'), []);
  assert.match(draw(engine).json.error, /backward jumps/);
  assert.equal(load(engine, ';! stage vertex\nmov o0, i0\n').picture.stage, 'vertex');
  assert.match(draw(engine).json.error, /a vertex program, which draws nothing alone/);
});

test('half a character is a wrong one', () => {
  const { problems } = open('mov o1, i1 ; \ud83d\nmvo o1, i1');
  assert.deepEqual(problems.map(({ span }) => span), [[[1, 0], [1, 3]]]);
});

test('random edits are answered, and pictures stay what they are', () => {
  const below = random(7);
  const signs = [...' \n.,;!-01x()[]{}ro', 'mul ', 'texture[0]', '!!ARBfp1.0\n', ';! const c0 = ', 'é', '😀'];
  let { engine } = open(TWO);
  let text = DEMO[below(DEMO.length)][1];
  const edits = Number(process.env.EDITS ?? 300);
  for (let edit = 0; edit < edits; edit++) {
    const at = below(text.length + 1);
    text = text.slice(0, at) + signs[below(signs.length)] + text.slice(at + below(4));
    if (below(40) === 0) text = DEMO[below(DEMO.length)][1];
    const { problems, picture } = load(engine, text, `a.${['attila', 'arbfp', 'tgsi', 'agal'][below(4)]}`);
    assert.equal(picture === null, problems.some(({ severity }) => severity === 'error'), text);
    for (const request of ['hover', 'complete', 'signature', 'occurrences']) {
      assert.equal(engine.answer({ do: request, at: [below(40), below(40)] }).json.error, undefined);
    }
    if (picture?.stage === 'fragment') {
      const [jit, interp] = ['jit', 'interp'].map((name) => engine.answer({ do: 'draw', size: [8, 4], engine: name }));
      assert.equal(jit.json.error, interp.json.error, text);
      assert.ok(Buffer.from(jit.bytes).equals(interp.bytes), text);
    }
  }
});

test('an engine whose memory is used up is replaced by one that knows the same', async () => {
  const memories = [];
  const { Instance } = WebAssembly;
  WebAssembly.Instance = class extends Instance {
    constructor(...of) {
      super(...of);
      if (this.exports.memory) memories.push(this.exports.memory);
    }
  };
  try {
    let answer;
    globalThis.self = { postMessage: (it) => { answer = it; } };
    await import('../page/worker.js');
    const ask = (request, bytes) => {
      globalThis.self.onmessage({ data: { id: 0, request, bytes } });
      return answer;
    };
    globalThis.self.onmessage({ data: { module } });
    const program = { name: 'a.attila', text: ';! texture t0 = dot.png, nearest\ntex o1, i6, t0\n' };
    ask({ do: 'file', name: 'dot.png' }, png(1, 1, Uint8Array.of(200, 100, 50, 255)));
    ask({ do: 'load', program });
    const before = ask({ do: 'draw', size: SIZE });
    assert.deepEqual([...before.bytes.subarray(0, 4)], [200, 100, 50, 255]);
    // All that there can be is taken, but for what a picture of this size needs.
    const [memory] = memories;
    memory.grow(65536 - memory.buffer.byteLength / 65536);
    assert.match(ask({ do: 'draw', size: [4096, 4096] }).json.error, /no memory for a picture of 4096x4096 pixels/);
    assert.equal(memories.length, 1);
    const large = { do: 'file', name: 'large.png' };
    assert.equal(ask(large, new Uint8Array(64 << 20)).json.error, 'the memory is used up: use smaller pictures and files');
    assert.equal(memories.length, 2);
    assert.ok(Buffer.from(before.bytes).equals(ask({ do: 'draw', size: SIZE }).bytes));
  } finally {
    WebAssembly.Instance = Instance;
  }
});

test('a thousand texts leave memory as it was', () => {
  const { engine } = open(TWO);
  const many = (count) => {
    for (let n = 0; n < count; n++) {
      load(engine, `${TWO}; ${n}\n`);
      draw(engine);
    }
  };
  many(50);
  const before = engine.memory;
  many(1000);
  assert.equal(engine.memory, before);
});
