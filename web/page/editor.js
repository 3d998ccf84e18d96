// The text: CodeMirror, with the answers of the language server's module.

import { autocompletion, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching, HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { EditorState, StateEffect, StateField } from '@codemirror/state';
import {
  Decoration, drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, hoverTooltip, keymap,
  lineNumbers,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** Whether statements end with `;`, as those of ARB programs do. Elsewhere it begins a comment. */
let ends = false;

/** Words and signs that all five languages share enough of to be told apart by eye. */
const language = StreamLanguage.define({
  startState: () => ({ first: true }),
  token(stream, state) {
    if (stream.sol()) state.first = true;
    if (stream.eatSpace()) return null;
    if (stream.match(';!')) { stream.skipToEnd(); return 'meta'; }
    if (stream.match(ends ? /^#/ : /^(;|#|\/\/)/)) {
      stream.skipToEnd();
      return 'comment';
    }
    if (stream.match(/^!!\w+(\.\w+)?/)) return 'meta';
    if (stream.match(/^[-+]?(0x[\da-f]+|\d+\.?\d*(e[-+]?\d+)?|\.\d+(e[-+]?\d+)?)\b/i)) return 'number';
    if (stream.match(/^[a-z_$][\w$]*:(?!:)/i)) return 'labelName';
    if (stream.match(/^@p\d+|^!?\(?p\d+[^)]*\)(?=\s)/i)) return 'meta';
    if (stream.match(/^[a-z_$][\w.$]*/i)) {
      const word = stream.current();
      const first = state.first;
      state.first = false;
      if (first && !/^[riocapt]\d+$/i.test(word)) return 'keyword';
      return /^[a-z]+\d+(\.[xyzwrgba]+)?$/i.test(word) ? 'variableName' : 'name';
    }
    const sign = stream.next();
    if (sign === ';') state.first = true;
    return null;
  },
});

const colours = HighlightStyle.define([
  { tag: tags.comment, color: 'var(--comment)' },
  { tag: tags.keyword, color: 'var(--keyword)', fontWeight: '600' },
  { tag: tags.number, color: 'var(--number)' },
  { tag: tags.meta, color: 'var(--meta)' },
  { tag: tags.labelName, color: 'var(--label)' },
  { tag: tags.variableName, color: 'var(--register)' },
]);

const mark = StateEffect.define();

/** Lines that are marked because a line of another pane is. */
const marks = StateField.define({
  create: () => Decoration.none,
  update(old, transaction) {
    for (const effect of transaction.effects) {
      if (effect.is(mark)) {
        const lines = effect.value.filter((line) => line < transaction.state.doc.lines);
        return Decoration.set(lines.map((line) =>
          Decoration.line({ class: 'marked' }).range(transaction.state.doc.line(line + 1).from)));
      }
    }
    return old.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** The character at a line and unit of the text. */
function character(doc, [line, unit]) {
  const at = doc.line(Math.min(line + 1, doc.lines));
  return Math.min(at.from + unit, at.to);
}

function place(doc, at) {
  const line = doc.lineAt(at);
  return [line.number - 1, at - line.from];
}

const KINDS = { Operation: 'function', Keyword: 'keyword' };

/** Plain elements of the little Markdown that explanations are written in. */
function explanation(markdown) {
  const element = document.createElement('div');
  element.className = 'explanation';
  let code = null;
  for (const line of markdown.split('\n')) {
    if (line.startsWith('```')) {
      code = code ? null : element.appendChild(document.createElement('pre'));
    } else if (code) {
      code.textContent += `${line}\n`;
    } else if (line.trim()) {
      const paragraph = element.appendChild(document.createElement('p'));
      for (const [n, part] of line.split(/[`]|\*\*/).entries()) {
        paragraph.appendChild(n % 2 ? document.createElement('code') : document.createElement('span')).textContent = part;
      }
    }
  }
  return element;
}

/**
 * Makes the editor.
 *
 * @param {HTMLElement} parent
 * @param {(request: object) => Promise<any>} ask answers of the module, about the text that it last got
 * @param {{changed: (text: string) => void, line: (line: number) => void}} on
 */
export function makeEditor(parent, ask, on) {
  const complete = async (context) => {
    const word = context.matchBefore(/[\w.$[\]]*/);
    if (!context.explicit && (!word || word.from === word.to)) return null;
    const { words } = await ask({ do: 'complete', at: place(context.state.doc, context.pos) });
    if (!words?.length) return null;
    const doc = context.state.doc;
    return {
      from: character(doc, words[0].span[0]),
      options: words.map((it) => ({ label: it.text, type: KINDS[it.kind] ?? 'variable', detail: it.detail })),
      validFor: /^[\w.$[\]]*$/,
    };
  };
  const hover = hoverTooltip(async (view, at) => {
    const { hover } = await ask({ do: 'hover', at: place(view.state.doc, at) });
    if (!hover) return null;
    return {
      pos: character(view.state.doc, hover.span[0]),
      end: character(view.state.doc, hover.span[1]),
      create: () => ({ dom: explanation(hover.text) }),
    };
  });
  const extensions = [
    lineNumbers(), highlightActiveLine(), highlightActiveLineGutter(), drawSelection(), history(), bracketMatching(),
    lintGutter(), marks, hover, autocompletion({ override: [complete] }), language, syntaxHighlighting(colours),
    keymap.of([...defaultKeymap, ...historyKeymap, ...completionKeymap, ...lintKeymap]),
    EditorView.contentAttributes.of({ 'aria-label': 'Program', tabindex: '0' }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) on.changed(update.state.doc.toString());
      const line = (state) => state.doc.lineAt(state.selection.main.head).number - 1;
      if (update.docChanged || line(update.state) !== line(update.startState)) on.line(line(update.state));
    }),
  ];
  const view = new EditorView({ parent });
  /** The texts that were shown, with all that can be undone, by their keys. */
  const states = new Map();
  let shown;
  const change = (edit) => ({
    from: character(view.state.doc, edit.span[0]),
    to: character(view.state.doc, edit.span[1]),
    insert: edit.text,
  });
  return {
    view,
    text: () => view.state.doc.toString(),
    /** Shows a text in place of that before, which is kept under its own key. */
    set(text, key) {
      states.set(shown, view.state);
      shown = key;
      ends = text.trimStart().startsWith('!!');
      const before = states.get(key);
      view.setState(before?.doc.toString() === text ? before : EditorState.create({ doc: text, extensions }));
      on.changed(text);
    },
    edit: (edits) => view.dispatch({ changes: edits.map(change) }),
    mark: (lines) => view.dispatch({ effects: mark.of(lines) }),
    select(at) {
      const head = character(view.state.doc, at);
      view.dispatch({ selection: { anchor: head }, scrollIntoView: true });
      view.focus();
    },
    /** Shows what is wrong. The text may have gone on: then these are of no use any more. */
    problems(text, problems) {
      if (view.state.doc.toString() !== text) return;
      const doc = view.state.doc;
      const diagnostics = problems.map((it) => ({
        from: character(doc, it.span[0]),
        to: character(doc, it.span[1]),
        severity: it.severity,
        message: [it.message, ...it.notes].join('\n'),
        actions: it.fix ? [{ name: fixName(it), apply: () => view.dispatch({ changes: change(it.fix) }) }] : [],
      }));
      view.dispatch(setDiagnostics(view.state, diagnostics));
    },
  };
}

/** What taking a fix does. */
export function fixName({ fix }) {
  return fix.text.trim() ? `Replace with ${fix.text.trim()}` : 'Remove';
}
