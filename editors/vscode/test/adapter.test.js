// `attila dap` as the protocol's test client sees it, and the panel's page of its answer.
'use strict';

const assert = require('node:assert');
const path = require('node:path');
const { test } = require('node:test');
const { page } = require('../picture');

const command = process.env.ATTILA_COMMAND;
const program = path.join(__dirname, '../../../cli/tests/debug/loop.attila');

/** The client, or nothing where `npm install` has not been run. */
function client() {
  try {
    return require('@vscode/debugadapter-testsupport').DebugClient;
  } catch {
    return undefined;
  }
}

test('a page has every pixel and frames one in black and white', () => {
  const text = page({ size: [2, 1], marked: [1, 0], pixels: [[1, 2, 3, 255], [4, 5, 6, 0]] });
  assert.match(text, /x="0" y="0" .* fill="rgb\(1 2 3 \/ 1\)"/);
  assert.match(text, /x="1" y="0" .* fill="rgb\(4 5 6 \/ 0\)"/);
  assert.strictEqual(text.match(/x="1" y="0" .*?fill="none"/g).length, 2);
});

const skip = !command ? 'ATTILA_COMMAND names no command' : !client() && 'npm install has not been run';

test('a pixel is launched, stops at a line, steps and has a picture', { skip }, async () => {
  const DebugClient = client();
  const adapter = new DebugClient(command, 'dap', 'attila');
  await adapter.start();
  try {
    await Promise.all([
      adapter.configurationSequence(),
      adapter.launch({ program, pixel: [3, 2], args: ['--size', '8x4'] }),
      adapter.waitForEvent('stopped'),
    ]);
    const { body: { threads } } = await adapter.threadsRequest();
    assert.strictEqual(threads.length, 4);
    const line = async () => {
      const { body } = await adapter.stackTraceRequest({ threadId: 1 });
      return body.stackFrames[0].line;
    };
    const first = await line();
    await Promise.all([adapter.nextRequest({ threadId: 1 }), adapter.waitForEvent('stopped')]);
    assert.ok(await line() > first);
    const { body: picture } = await adapter.customRequest('attila/picture');
    assert.strictEqual(picture.pixels.length, picture.size[0] * picture.size[1]);
    assert.deepStrictEqual(picture.marked, [3, 2]);
    assert.ok(page(picture).includes('<svg'));
  } finally {
    await adapter.stop();
  }
});
