//! [`Session`]: a text, its scene, and the files that it may name.

use std::collections::BTreeMap;
use std::io::{self, Cursor, ErrorKind, Read};
use std::path::Path;

use attila_debugger::Debugger;
use attila_language::Document;
use attila_shader::Engine;
use serde_json::{Value, json};

use crate::drawing::Ready;
use crate::loaded::Loaded;
use crate::message::{EngineName, MeshText, Picture, Request, Text};
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
    document: Document,
    pub(crate) loaded: Option<Loaded>,
    pub(crate) debugger: Option<Debugger>,
    files: BTreeMap<String, Box<[u8]>>,
    engines: BTreeMap<bool, Engine>,
    /// The size of the last picture: the next is likely to have the same.
    size: [u32; 2],
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
            loaded: None,
            debugger: None,
            files: BTreeMap::new(),
            engines: BTreeMap::new(),
            size: [1, 1],
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
            Request::Open(Text { name, text }) => {
                self.document = Document::new(&name, text);
                plain(json!({ "problems": editor::problems(&self.document) }))
            }
            Request::Load { program, mesh } => plain(self.load(&program, mesh.as_ref())),
            Request::File { name } => self.keep(name, bytes),
            Request::Compile(picture) => drawing::compile(self, &picture),
            Request::Draw(picture) => drawing::draw(self, &picture),
            Request::List(picture) => listing::list(self, &picture),
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

    /// Takes what is drawn, and says what can be changed of it; or what is wrong.
    fn load(&mut self, program: &Text, mesh: Option<&MeshText>) -> Value {
        let files = |path: &Path| open(&self.files, path);
        let loaded = Loaded::new(program, mesh, self.size, &files, self.loaded.as_ref());
        match loaded {
            Ok(loaded) => {
                let picture = drawing::describe(&loaded);
                (self.loaded, self.debugger) = (Some(loaded), None);
                json!({ "picture": picture, "problems": [] })
            }
            Err(mistake) => json!({ "picture": null, "problems": mistake.problems() }),
        }
    }

    fn keep(&mut self, name: String, bytes: &[u8]) -> Answered {
        let kept: usize = self.files.values().map(|file| file.len()).sum();
        if kept + bytes.len() > FILES {
            return Err(format!(
                "{name}: all files together have more than {FILES} bytes"
            ));
        }
        self.files.insert(name, bytes.into());
        self.loaded.iter_mut().for_each(Loaded::forget_files);
        Ok((json!({}), Vec::new()))
    }

    /// What is drawn.
    pub(crate) fn loaded(&self) -> Result<&Loaded, String> {
        self.loaded.as_ref().ok_or_else(|| NO_SCENE.to_owned())
    }

    /// An engine, which is made once.
    pub(crate) fn engine(&mut self, name: EngineName) -> &Engine {
        let engine = self.engines.entry(name == EngineName::Jit);
        engine.or_insert_with(|| match name {
            EngineName::Jit => Engine::auto(),
            EngineName::Interp => Engine::interp(),
        })
    }

    /// What a picture is drawn with.
    pub(crate) fn ready(&mut self, picture: &Picture) -> Result<Ready<'_>, String> {
        let engine = self.engine(picture.engine).clone();
        let files = &self.files;
        let loaded = self.loaded.as_mut().ok_or_else(|| NO_SCENE.to_owned())?;
        self.size = picture.size;
        loaded.ready(picture, &engine, &|path| open(files, path))
    }
}

/// A file that a program names.
fn open(files: &BTreeMap<String, Box<[u8]>>, path: &Path) -> io::Result<Box<dyn Read>> {
    let name = path.to_string_lossy();
    let missing = || {
        let message = format!("drop `{name}` on the page, or choose it, first");
        io::Error::new(ErrorKind::NotFound, message)
    };
    let file = files.get(&*name).ok_or_else(missing)?;
    Ok(Box::new(Cursor::new(file.clone())))
}
