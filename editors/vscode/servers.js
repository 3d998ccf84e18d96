// How the servers are started, and for which files.
'use strict';

const languages = ['attila', 'arb', 'tgsi', 'agal', 'ctm'];

/** The command to start, of what the settings say. */
function command(setting) {
  const trimmed = typeof setting === 'string' ? setting.trim() : '';
  return trimmed === '' ? 'attila' : trimmed;
}

/** The language server, for a LanguageClient. */
function languageServer(path) {
  return { command: path, args: ['lsp'] };
}

/** The debug adapter. */
function debugAdapter(path) {
  return { command: path, args: ['dap'] };
}

/** The documents that the language server is asked about, unsaved ones too. */
function documentSelector() {
  return languages.map((language) => ({ language }));
}

/** A launch configuration with its gaps filled: without one, the file in the editor is debugged. */
function resolve(configuration, document) {
  const isEmpty = !configuration.type && !configuration.request && !configuration.name;
  if (isEmpty && !(document && languages.includes(document.languageId))) {
    return undefined;
  }
  const filled = { type: 'attila', request: 'launch', name: 'Debug a pixel', ...configuration };
  if (!filled.program && document) {
    filled.program = document.fileName;
  }
  return filled;
}

module.exports = { command, debugAdapter, documentSelector, languageServer, languages, resolve };
