// The module without a page: its pictures, and what it says of bad input.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { DEMO, ENDLESS, open, png, random } from './support.mjs';

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
    const [constant] = picture.constants;
    assert.deepEqual(constant.value, [0, 0, 0, 0]);
    const colour = draw(engine, { constants: [[constant.number, [1, 0.75, 0, 1]]] }).bytes.subarray(0, 4);
    assert.deepEqual([...colour], [255, 191, 0, 255], name);
  }
});

test('constants and controls are told, and set', () => {
  const { engine, picture } = open(TWO);
  assert.deepEqual(picture.constants.map(({ name }) => name), ['c0']);
  assert.deepEqual(picture.controls, [
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
  assert.deepEqual(engine.answer({ do: 'open', name: 'a.attila', text }).json.problems, []);
  assert.deepEqual([...draw(engine).bytes.subarray(0, 4)], [200, 100, 50, 255]);
  engine.answer({ do: 'file', name: 'wall.png' }, image.subarray(0, 40));
  const { json } = engine.answer({ do: 'open', name: 'a.attila', text });
  assert.equal(json.picture, null);
  assert.match(json.problems[0].message, /wall.png/);
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
  const { json } = engine.answer({ do: 'list', size: SIZE });
  assert.equal(json.assembly, 'add o1, i6, c0 <- end\n');
  assert.match(json.words, /^[0-9a-f]{16} [0-9a-f]{16}/);
  assert.match(json.ir, /v0: f32/);
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
  assert.match(error({ do: 'dance' }), /unknown variant `dance`/);
  assert.match(error({ do: 'hover' }), /missing field `at`/);
  const long = engine.answer({ do: 'open', name: 'a.attila', text: 'mov r0, r1\n'.repeat(10 << 20) }).json;
  assert.equal(long.problems.length, 1);
  assert.match(long.problems[0].message, /115343360 bytes; the limit is 4194304/);
  const endless = engine.answer({ do: 'open', name: 'a.attila', text: ENDLESS });
  assert.equal(endless.json.problems.filter((it) => it.severity === 'error').length, 0);
  assert.match(draw(engine).json.error, /backward jumps/);
  const vertex = engine.answer({ do: 'open', name: 'a.attila', text: ';! stage vertex\nmov o0, i0\n' });
  assert.equal(vertex.json.picture.stage, 'vertex');
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
    const { json } = engine.answer({ do: 'open', name: `a.${['attila', 'arbfp', 'tgsi', 'agal'][below(4)]}`, text });
    assert.ok(json.problems, JSON.stringify(json));
    for (const request of ['hover', 'complete', 'signature', 'occurrences']) {
      assert.equal(engine.answer({ do: request, at: [below(40), below(40)] }).json.error, undefined);
    }
    if (json.picture?.stage === 'fragment') {
      const [jit, interp] = ['jit', 'interp'].map((name) => engine.answer({ do: 'draw', size: [8, 4], engine: name }));
      assert.equal(jit.json.error, interp.json.error, text);
      assert.ok(Buffer.from(jit.bytes).equals(interp.bytes), text);
    }
  }
});

test('a thousand texts leave memory as it was', () => {
  const { engine } = open(TWO);
  const many = (count) => {
    for (let n = 0; n < count; n++) {
      engine.answer({ do: 'open', name: 'a.attila', text: `${TWO}; ${n}\n` });
      draw(engine);
    }
  };
  many(50);
  const before = engine.memory;
  many(1000);
  assert.equal(engine.memory, before);
});
