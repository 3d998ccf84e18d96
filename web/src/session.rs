//! [`Session`]: a text, its scene, and the files that it may name.

use std::collections::BTreeMap;
use std::io::{self, Cursor, ErrorKind, Read};
use std::path::Path;

use attila_language::Document;
use attila_scene::{Loader, Notice, Scene, Severity};
use attila_shader::{Engine, PrepareError, Shader};
use serde_json::{Value, json};

use crate::message::{EngineName, Request};
use crate::{drawing, editor, listing};

/// The most bytes of all files together.
const FILES: usize = 256 << 20;

/// What a message is answered with.
#[derive(Default, Debug)]
pub struct Answer {
    /// An object; with a word `error` if the message cannot be answered.
    pub json: String,
    /// Pixels, if it asks for any.
    pub bytes: Vec<u8>,
}

/// An answer, or why there is none.
pub(crate) type Answered = Result<(Value, Vec<u8>), String>;

/// What a worker of a page works on.
pub struct Session {
    pub(crate) document: Document,
    pub(crate) scene: Option<Scene>,
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
        let (json, bytes) = answered.unwrap_or_else(|error| (json!({ "error": error }), Vec::new()));
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
        let files = |path: &Path| self.file(path);
        let loaded = Loader::new().read_with(name, &text, &files);
        self.document = Document::new(name, text);
        self.shader = None;
        let problems = editor::problems(&self.document);
        match loaded {
            Ok(scene) => {
                let picture = drawing::describe(&scene);
                self.scene = Some(scene);
                json!({ "problems": problems, "picture": picture })
            }
            Err(error) => {
                self.scene = None;
                let known = self.document.problems();
                let is_new = |it: &&Notice| {
                    it.message.severity == Severity::Error
                        && known.iter().all(|known| known.message != it.message.message)
                };
                let others = error.notices.iter().filter(is_new).map(editor::notice);
                let problems: Vec<_> = problems.into_iter().chain(others).collect();
                json!({ "problems": problems, "picture": null })
            }
        }
    }

    fn keep(&mut self, name: String, bytes: &[u8]) -> Answered {
        let kept: usize = self.files.values().map(|file| file.len()).sum();
        if kept + bytes.len() > FILES {
            return Err(format!("{name}: all files together have more than {FILES} bytes"));
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
        let missing = || "the program has errors".to_owned();
        self.scene.as_ref().ok_or_else(missing)
    }

    /// The scene, and its program as an engine runs it.
    pub(crate) fn shader(&mut self, name: EngineName) -> Result<(&Scene, &Shader), String> {
        let engines = &mut self.engines;
        let scene = self.scene.as_ref().ok_or("the program has errors")?;
        if self.shader.as_ref().is_none_or(|(of, _)| *of != name) {
            let engine = engines
                .entry(name == EngineName::Jit)
                .or_insert_with(|| engine(name));
            let shader = scene.shader(engine);
            let shader = shader.map_err(|error: PrepareError| error.to_string())?;
            self.shader = Some((name, shader));
        }
        match &self.shader {
            Some((_, shader)) => Ok((scene, shader)),
            None => Err("the program is not compiled".to_owned()),
        }
    }
}

fn engine(name: EngineName) -> Engine {
    match name {
        EngineName::Jit => Engine::auto(),
        EngineName::Interp => Engine::interp(),
    }
}
