// Starts `attila lsp` and `attila dap`. What does not need VS Code is in servers.js, where tests reach it.
'use strict';

const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');
const { connect } = require('./picture');
const servers = require('./servers');

let client;

function command() {
  return servers.command(vscode.workspace.getConfiguration('attila').get('command'));
}

/** Shows the picture of the program that is debugged, with its pixel, and records others that are clicked. */
async function showPicture() {
  const session = vscode.debug.activeDebugSession;
  if (!session || session.type !== 'attila') {
    vscode.window.showErrorMessage('No ATTILA program is debugged.');
    return;
  }
  const complain = (message) => vscode.window.showErrorMessage(message);
  const options = { enableScripts: true };
  const panel = vscode.window.createWebviewPanel('attila.picture', session.name, vscode.ViewColumn.Beside, options);
  try {
    await connect(session, panel.webview, complain);
  } catch (error) {
    panel.dispose();
    complain(error.message);
  }
}

async function activate(context) {
  const adapters = {
    createDebugAdapterDescriptor() {
      const { command: path, args } = servers.debugAdapter(command());
      return new vscode.DebugAdapterExecutable(path, args);
    },
  };
  const configurations = {
    resolveDebugConfiguration(_folder, configuration) {
      const editor = vscode.window.activeTextEditor;
      return servers.resolve(configuration, editor && editor.document);
    },
  };
  context.subscriptions.push(
    vscode.commands.registerCommand('attila.picture', showPicture),
    vscode.debug.registerDebugAdapterDescriptorFactory('attila', adapters),
    vscode.debug.registerDebugConfigurationProvider('attila', configurations),
  );
  client = new LanguageClient('attila', 'ATTILA', servers.languageServer(command()), {
    documentSelector: servers.documentSelector(),
  });
  await client.start();
}

async function deactivate() {
  if (client) {
    await client.stop();
  }
}

module.exports = { activate, deactivate };
