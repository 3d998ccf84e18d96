//! The texts that are open in the editor.

use std::collections::HashMap;

use attila_language::{Document, Lines, Position};
use lsp_types::{TextDocumentContentChangeEvent, Uri};

/// Open texts by their addresses.
#[derive(Default)]
pub(crate) struct Files(HashMap<String, Document>);

impl Files {
    /// Opens a text, or replaces one.
    pub(crate) fn open(&mut self, uri: &Uri, text: String) {
        let key = uri.as_str();
        self.0.insert(key.to_owned(), Document::new(key, text));
    }

    pub(crate) fn close(&mut self, uri: &Uri) {
        self.0.remove(uri.as_str());
    }

    pub(crate) fn get(&self, uri: &Uri) -> Option<&Document> {
        self.0.get(uri.as_str())
    }

    /// Changes an open text, one part after the other.
    pub(crate) fn change(&mut self, uri: &Uri, changes: Vec<TextDocumentContentChangeEvent>) {
        let Some(document) = self.get(uri) else {
            return;
        };
        let mut text = document.text().to_owned();
        for change in changes {
            let Some(range) = change.range else {
                text = change.text;
                continue;
            };
            let lines = Lines::new(&text);
            let [start, end] = [range.start, range.end].map(|at| {
                let position = Position {
                    line: at.line as usize,
                    unit: at.character as usize,
                };
                lines.offset(&text, position)
            });
            text.replace_range(start..end.max(start), &change.text);
        }
        self.open(uri, text);
    }
}
