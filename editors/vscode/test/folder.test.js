// What does not need VS Code: files that package.json names, grammars, and how servers are started.
'use strict';

const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const { spawn } = require('node:child_process');
const { test } = require('node:test');
const servers = require('../servers');

const root = path.join(__dirname, '..');
const read = (name) => JSON.parse(fs.readFileSync(path.join(root, name), 'utf8'));
const { contributes } = read('package.json');

/** A rule's pattern. VS Code's engine takes flags in front, JavaScript's does not. */
const regex = (pattern) => {
  const isAnyCase = pattern.startsWith('(?i)');
  return new RegExp(isAnyCase ? pattern.slice(4) : pattern, isAnyCase ? 'i' : '');
};

test('every language has a grammar, snippets and a configuration', () => {
  const ids = contributes.languages.map((language) => language.id);
  assert.deepStrictEqual(ids, servers.languages);
  assert.deepStrictEqual(contributes.breakpoints.map((it) => it.language), ids);
  assert.deepStrictEqual(contributes.debuggers[0].languages, ids);
  for (const language of contributes.languages) {
    const { comments } = read(language.configuration);
    const grammar = contributes.grammars.find((it) => it.language === language.id);
    const { scopeName, patterns } = read(grammar.path);
    assert.strictEqual(scopeName, grammar.scopeName);
    const rules = patterns.map((rule) => ({ name: rule.name, match: regex(rule.match) }));
    const comment = rules.find((rule) => rule.name.startsWith('comment.'));
    assert.match(`${comments.lineComment} why`, comment.match);
    const snippets = contributes.snippets.find((it) => it.language === language.id);
    const keyword = rules.find((rule) => rule.name.startsWith('keyword.'));
    for (const [name, snippet] of Object.entries(read(snippets.path))) {
      assert.match(name, keyword.match);
      assert.ok(snippet.body.includes(name) && snippet.description.length > 0, name);
    }
  }
});

test('an empty setting is the command in the search path', () => {
  for (const setting of [undefined, '', '  ']) {
    assert.strictEqual(servers.command(setting), 'attila');
  }
  assert.strictEqual(servers.command('/opt/attila '), '/opt/attila');
});

test('without a configuration the file in the editor is debugged', () => {
  const document = { languageId: 'tgsi', fileName: '/a/b.tgsi' };
  const filled = servers.resolve({}, document);
  assert.deepStrictEqual(filled, {
    type: 'attila',
    request: 'launch',
    name: 'Debug a pixel',
    program: '/a/b.tgsi',
  });
  assert.strictEqual(servers.resolve({}, { languageId: 'json', fileName: '/a' }), undefined);
  assert.strictEqual(servers.resolve({}, undefined), undefined);
  const own = { type: 'attila', request: 'launch', name: 'x', program: 'c', pixel: [1, 2] };
  assert.deepStrictEqual(servers.resolve(own, document), own);
});

// ATTILA_COMMAND names a built command.
test('the server that is started answers', { skip: !process.env.ATTILA_COMMAND }, async () => {
  const { command, args } = servers.languageServer(process.env.ATTILA_COMMAND);
  const server = spawn(command, args);
  const send = (message) => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
  let answers = '';
  server.stdout.on('data', (data) => { answers += data; });
  const textDocument = { uri: 'file:///a.attila', languageId: 'attila', version: 1, text: 'mvo o1, i0' };
  send({ id: 1, method: 'initialize', params: { capabilities: {} } });
  send({ method: 'initialized', params: {} });
  send({ method: 'textDocument/didOpen', params: { textDocument } });
  send({ id: 2, method: 'shutdown' });
  send({ method: 'exit' });
  const code = await new Promise((resolve) => server.on('exit', resolve));
  assert.strictEqual(code, 0);
  assert.match(answers, /"completionProvider"/);
  assert.match(answers, /did you mean `mov`/);
});
