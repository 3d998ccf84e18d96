// `attila dap` as the protocol's test client sees it, and the panel's page of its answer.
'use strict';

const assert = require('node:assert');
const path = require('node:path');
const { test } = require('node:test');
const vm = require('node:vm');
const { connect, page, pixelAt } = require('../picture');

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

/** A picture of two squares, each of eight pixels. */
const two = { size: [2, 1], marked: [1, 0], pixels: [[1, 2, 3, 255], [4, 5, 6, 0]], whole: [8, 2], pixel: [5, 1] };

test('a page has every pixel and frames one in black and white', () => {
  const text = page(two);
  assert.match(text, /x="0" y="0" .* fill="rgb\(1 2 3 \/ 1\)"/);
  assert.match(text, /x="1" y="0" .* fill="rgb\(4 5 6 \/ 0\)"/);
  assert.strictEqual(text.match(/x="1" y="0" .*?fill="none"/g).length, 2);
});

test('a click on a page tells its place among the squares, and no other script runs', () => {
  const text = page(two);
  const [, nonce, script] = text.match(/<script nonce="(.+?)">(.*)<\/script>/s);
  assert.ok(text.includes(`default-src 'none'; script-src 'nonce-${nonce}'`));
  assert.notStrictEqual(text, page(two), 'a nonce is used once');
  const told = [];
  let click;
  // The picture is ten times as large as its squares, and 5 pixels to the right.
  vm.runInNewContext(script, {
    acquireVsCodeApi: () => ({ postMessage: (message) => told.push(...message) }),
    document: {
      querySelector: () => ({
        addEventListener: (_, listener) => { click = listener; },
        getScreenCTM: () => ({ inverse: () => 'inverse' }),
      }),
    },
    DOMPoint: class {
      constructor(x, y) {
        this.matrixTransform = (matrix) => matrix === 'inverse' && { x: (x - 5) / 10, y: y / 10 };
      }
    },
  });
  click({ clientX: 18, clientY: 7 });
  assert.deepStrictEqual(told, [1.3, 0.7]);
});

test('a place among the squares is a pixel of the whole picture, and beside them none', () => {
  assert.deepStrictEqual(pixelAt(two, [1.3, 0.7]), [5, 1]);
  assert.deepStrictEqual(pixelAt(two, [0, 0]), [0, 0]);
  for (const at of [[-0.1, 0], [2, 0], [1, 1]]) {
    assert.strictEqual(pixelAt(two, at), undefined);
  }
});

const skip = !command ? 'ATTILA_COMMAND names no command' : !client() && 'npm install has not been run';

/** Launches the program for a pixel of a picture, and does something with the adapter. */
async function debugged(body) {
  const DebugClient = client();
  const adapter = new DebugClient(command, 'dap', 'attila');
  await adapter.start();
  try {
    await Promise.all([
      adapter.configurationSequence(),
      adapter.launch({ program, pixel: [3, 2], args: ['--size', '200x100'] }),
      adapter.waitForEvent('stopped'),
    ]);
    await body(adapter);
  } finally {
    await adapter.stop();
  }
}

test('a pixel is launched, stops at a line and steps', { skip }, () => debugged(async (adapter) => {
  const { body: { threads } } = await adapter.threadsRequest();
  assert.strictEqual(threads.length, 4);
  const line = async () => {
    const { body } = await adapter.stackTraceRequest({ threadId: 1 });
    return body.stackFrames[0].line;
  };
  const first = await line();
  await Promise.all([adapter.nextRequest({ threadId: 1 }), adapter.waitForEvent('stopped')]);
  assert.ok(await line() > first);
}));

test('the panel shows the picture, and a click records another pixel', { skip }, () => debugged(async (adapter) => {
  const session = { customRequest: async (...request) => (await adapter.customRequest(...request)).body };
  const complaints = [];
  let told;
  const webview = { onDidReceiveMessage: (listener) => { told = listener; } };
  await connect(session, webview, (message) => complaints.push(message));
  assert.match(webview.html, /Pixel 3, 2 of 200 x 100/);
  const { size, pixels } = await session.customRequest('attila/picture');
  assert.deepStrictEqual(size, [96, 48]);
  assert.strictEqual(webview.html.match(/<rect/g).length, pixels.length + 2);
  const [{ body: { reason } }] = await Promise.all([adapter.waitForEvent('stopped'), told([95.5, 10.25])]);
  assert.strictEqual(reason, 'entry');
  assert.match(webview.html, /Pixel 198, 21 of 200 x 100/);
  const { lines } = await session.customRequest('attila/history');
  assert.match(lines[0], /^pixel 198,21,/);
  // Beside the picture nothing happens.
  const before = webview.html;
  await told([96, 0]);
  assert.strictEqual(webview.html, before);
  session.customRequest = () => Promise.reject(new Error('the session is over'));
  await told([0, 0]);
  assert.deepStrictEqual(complaints, ['the session is over']);
}));
