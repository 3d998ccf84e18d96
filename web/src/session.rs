//! [`Session`]: a text, its scene, and the files that it may name.

use std::collections::BTreeMap;
use std::io::{self, Cursor, ErrorKind, Read};
use std::path::Path;

use attila_debugger::Debugger;
use attila_language::Document;
use attila_scene::{Loader, Scene, Severity};
use attila_shader::{Engine, Shader};
use serde_json::{Value, json};

use crate::message::{EngineName, Request};
use crate::{drawing, editor, listing, recording, value};

/// The most bytes of all files together.
const FILES: usize = 256 << 20;

/// Why nothing is drawn.
const NO_SCENE: &str = "the program has errors";

/// What a message is answered with.
#[derive(Default, Debug)]
pub struct Answer {
    /// An object; with a word `error` if the message cannot be answered.
    pub json: String,
    /// Pixels, if it asks for any.
    pub bytes: Vec<u8>,
}

impl Answer {
    /// The answer as bytes: the length of the JSON in 4 bytes, little-endian; the JSON; the bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let length = (self.json.len() as u32).to_le_bytes();
        [&length, self.json.as_bytes(), &self.bytes].concat()
    }
}

/// An answer, or why there is none.
pub(crate) type Answered = Result<(Value, Vec<u8>), String>;

/// What a worker of a page works on.
pub struct Session {
    pub(crate) document: Document,
    pub(crate) scene: Option<Scene>,
    pub(crate) debugger: Option<Debugger>,
    files: BTreeMap<String, Box<[u8]>>,
    engines: BTreeMap<bool, Engine>,
    shader: Option<(EngineName, Shader)>,
}

impl Default for Session {
    fn default() -> Session {
        Session::new()
    }
}

impl Session {
    /// A session with an empty text.
    pub fn new() -> Session {
        Session {
            document: Document::new("", String::new()),
            scene: None,
            debugger: None,
            files: BTreeMap::new(),
            engines: BTreeMap::new(),
            shader: None,
        }
    }

    /// Answers a message.
    pub fn answer(&mut self, json: &[u8], bytes: &[u8]) -> Answer {
        let request = serde_json::from_slice::<Request>(json);
        let answered = match request {
            Ok(request) => self.ask(request, bytes),
            Err(error) => Err(format!("the message is not right: {error}")),
        };
        let (json, bytes) =
            answered.unwrap_or_else(|error| (json!({ "error": error }), Vec::new()));
        Answer {
            json: json.to_string(),
            bytes,
        }
    }

    fn ask(&mut self, request: Request, bytes: &[u8]) -> Answered {
        let plain = |json: Value| Ok((json, Vec::new()));
        match request {
            Request::Open { name, text } => plain(self.open(&name, text)),
            Request::File { name } => self.keep(name, bytes),
            Request::Compile(picture) => drawing::compile(self, &picture),
            Request::Draw(picture) => drawing::draw(self, &picture),
            Request::List(picture) => plain(listing::list(self, &picture)?),
            Request::Value {
                instruction,
                picture,
            } => value::draw(self, instruction, &picture),
            Request::Record { pixel, picture } => plain(recording::record(self, &picture, pixel)?),
            Request::Debug { command } => plain(recording::command(self, &command)?),
            Request::Hover { at } => plain(editor::hover(&self.document, at)),
            Request::Complete { at } => plain(editor::complete(&self.document, at)),
            Request::Signature { at } => plain(editor::signature(&self.document, at)),
            Request::Format => plain(editor::format(&self.document)),
            Request::Occurrences { at } => plain(editor::occurrences(&self.document, at)),
            Request::Rename { at, name } => plain(editor::rename(&self.document, at, &name)?),
            Request::Hints => plain(editor::hints(&self.document)),
        }
    }

    /// Takes a text: says what is wrong with it, and what it can be drawn with.
    fn open(&mut self, name: &str, text: String) -> Value {
        self.document = Document::new(name, text);
        (self.scene, self.shader, self.debugger) = (None, None, None);
        let mut problems = editor::problems(&self.document);
        if self
            .document
            .problems()
            .iter()
            .all(|it| it.severity != Severity::Error)
        {
            let files = |path: &Path| self.file(path);
            match Loader::new().read_with(name, self.document.text(), &files) {
                Ok(scene) => self.scene = Some(scene),
                Err(error) => {
                    let errors = error.notices.iter();
                    let errors = errors.filter(|it| it.message.severity == Severity::Error);
                    problems.extend(errors.map(editor::notice));
                }
            }
        }
        let picture = self.scene.as_ref().map(drawing::describe);
        json!({ "problems": problems, "picture": picture })
    }

    fn keep(&mut self, name: String, bytes: &[u8]) -> Answered {
        let kept: usize = self.files.values().map(|file| file.len()).sum();
        if kept + bytes.len() > FILES {
            return Err(format!(
                "{name}: all files together have more than {FILES} bytes"
            ));
        }
        self.files.insert(name, bytes.into());
        Ok((json!({}), Vec::new()))
    }

    fn file(&self, path: &Path) -> io::Result<Box<dyn Read>> {
        let name = path.to_string_lossy();
        let file = self.files.get(&*name);
        let missing = || {
            let message = format!("drop `{name}` on the page, or choose it, first");
            io::Error::new(ErrorKind::NotFound, message)
        };
        Ok(Box::new(Cursor::new(file.ok_or_else(missing)?.clone())))
    }

    /// The scene of the text.
    pub(crate) fn scene(&self) -> Result<&Scene, String> {
        self.scene.as_ref().ok_or_else(|| NO_SCENE.to_owned())
    }

    /// An engine, which is made once.
    pub(crate) fn engine(&mut self, name: EngineName) -> &Engine {
        let engine = self.engines.entry(name == EngineName::Jit);
        engine.or_insert_with(|| match name {
            EngineName::Jit => Engine::auto(),
            EngineName::Interp => Engine::interp(),
        })
    }

    /// The scene, and its program as an engine runs it.
    pub(crate) fn shader(&mut self, name: EngineName) -> Result<(&Scene, &Shader), String> {
        if self.shader.as_ref().is_none_or(|(of, _)| *of != name) {
            let engine = self.engine(name).clone();
            let shader = self.scene()?.shader(&engine);
            self.shader = Some((name, shader.map_err(drawing::message)?));
        }
        match (&self.scene, &self.shader) {
            (Some(scene), Some((_, shader))) => Ok((scene, shader)),
            (None, _) | (_, None) => Err(NO_SCENE.to_owned()),
        }
    }
}
