//! [`Loader`]: scenes from files and bytes, with what their caller sets.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use attila_shader::Stage;
use attila_shader::front::ParameterValues;
use attila_shader::texture::Texture;

use crate::error::Error;
use crate::host::Host;
use crate::listing;
use crate::names::ByName;
use crate::notice::{Files, Notice, Notices};
use crate::scene::{Scene, SettingError, ValueSetting, VaryingSetting, numbered};
use crate::sections::Choice;
use crate::source::{Form, Loaded, Reading, Source, Sources};
use crate::textures::{TextureCache, TextureOptions};

/// Loads scenes. What it is told goes over what a program says itself.
///
/// ```
/// use attila_scene::Loader;
/// use attila_shader::Engine;
/// use attila_shader::draw::ColourImage;
/// use attila_shader::machine::pipeline::ColourFormat;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let text = "!!ARBfp1.0
/// TEMP texel;
/// TEX texel, fragment.texcoord[0], texture[3], 2D;
/// MUL result.color, texel, program.local[1];
/// END";
/// let loader = Loader::new()
///     .parameter(1, [1.0, 0.5, 0.25, 1.0])
///     .texture("t3 = bricks, wrap=mirror")?;
/// let scene = loader.read("wall.arbfp", text)?;
/// let mut picture = ColourImage::new(ColourFormat::Rgba8, 128, 128);
/// scene.draw(&Engine::auto(), &mut picture)?;
/// # assert_ne!(picture.bytes()[..4], [0; 4]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Default, Debug)]
pub struct Loader {
    form: Form,
    choice: Choice,
    stage: Option<Stage>,
    parameters: ParameterValues,
    textures: TextureOptions,
    values: Vec<ByName<ValueSetting>>,
    varyings: Vec<ByName<VaryingSetting>>,
}

/// Why there is no scene: all that was said about the file, at least one error.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub struct LoadError {
    /// Errors and warnings.
    pub notices: Vec<Notice>,
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.notices.iter().map(Notice::to_string).collect();
        write!(f, "{}", lines.join("\n"))
    }
}

impl Loader {
    /// A loader that takes programs of any form as they are.
    pub fn new() -> Loader {
        Loader::default()
    }

    /// Reads bytes as a form, whatever they look like.
    #[must_use]
    pub fn form(mut self, form: Form) -> Loader {
        self.form = form;
        self
    }

    /// Expects a program for a stage: takes it among several, and puts assembly into it.
    #[must_use]
    pub fn stage(mut self, stage: Stage) -> Loader {
        self.stage = Some(stage);
        self.prefer(stage)
    }

    /// Takes the program for a stage where a file has several.
    #[must_use]
    pub fn prefer(mut self, stage: Stage) -> Loader {
        self.choice.stage = Some(stage);
        self
    }

    /// Takes a program of a file that has several, by its number from 1.
    #[must_use]
    pub fn program(mut self, number: usize) -> Loader {
        self.choice.number = Some(number);
        self
    }

    /// Sets a parameter of the program: `program.local[n]` of ARB, `CONST[0][n]` of TGSI, `vcN` or `fcN` of AGAL,
    /// `cN` of CTM.
    #[must_use]
    pub fn parameter(mut self, number: u32, value: [f32; 4]) -> Loader {
        self.parameters.local.insert(number, value);
        self
    }

    /// Takes all that a text is translated with: parameters, the window, and how it is read.
    #[must_use]
    pub fn parameters(mut self, parameters: ParameterValues) -> Loader {
        self.parameters = parameters;
        self
    }

    /// Sets a constant, or an input that is the same everywhere: `c0 = 0.5` or `i1 = 1, 0, 0, 1`. Programs in other
    /// languages have names of their own: `program.local[1] = 0.5`, `CONST[0][1] = 0.5`, `fc1 = 0.5`. Names that a text
    /// declares are known, too: `tint = 0.5` after `PARAM tint = program.local[1];`.
    ///
    /// # Errors
    ///
    /// The text is neither.
    pub fn set(mut self, setting: &str) -> Result<Loader, SettingError> {
        self.values.push(setting.parse()?);
        Ok(self)
    }

    /// Sets an input that varies over the picture: `i6 = 2*u, 2*v, 0, 1`, or by the name that a program's language has
    /// for it: `fragment.texcoord[0] = 2*u, 2*v, 0, 1`.
    ///
    /// # Errors
    ///
    /// The text is no varying.
    pub fn varying(mut self, setting: &str) -> Result<Loader, SettingError> {
        self.varyings.push(setting.parse()?);
        Ok(self)
    }

    /// Fills a texture unit: `t0 = wall.png, mips`.
    ///
    /// # Errors
    ///
    /// The text is no texture.
    pub fn texture(mut self, setting: &str) -> Result<Loader, SettingError> {
        self.textures.settings.push(setting.parse()?);
        Ok(self)
    }

    /// Fills a texture unit with a texture in memory.
    ///
    /// # Errors
    ///
    /// There is no such unit.
    pub fn bind(
        mut self,
        unit: usize,
        texture: impl Into<Arc<Texture>>,
    ) -> Result<Loader, SettingError> {
        let unit = numbered(&unit.to_string(), 't')?;
        self.textures.bound.insert(unit, texture.into());
        Ok(self)
    }

    /// Limits the memory of all textures together, in MiB.
    #[must_use]
    pub fn texture_memory(mut self, limit: u64) -> Loader {
        self.textures.memory = limit;
        self
    }

    /// Takes textures of the scene that was loaded before with this cache, instead of reading their files again.
    #[must_use]
    pub fn texture_cache(mut self, cache: &TextureCache) -> Loader {
        self.textures.cache = Some(cache.clone());
        self
    }

    /// Loads the scene of a file. Warnings come with it.
    ///
    /// # Errors
    ///
    /// All that is wrong with the file.
    pub fn open(&self, path: impl AsRef<Path>) -> Result<Scene, LoadError> {
        heard_scene(Notices::default(), |host| self.load(path.as_ref(), host))
    }

    /// Loads the scene of bytes, which messages call `name`. Its suffix and folder count as a file's.
    ///
    /// # Errors
    ///
    /// All that is wrong with them.
    pub fn read(&self, name: &str, bytes: impl AsRef<[u8]>) -> Result<Scene, LoadError> {
        heard_scene(Notices::default(), |host| {
            self.scene_of(name, bytes.as_ref(), host)
        })
    }

    /// The same, with the files that it names from elsewhere than the file system, such as an archive.
    ///
    /// # Errors
    ///
    /// All that is wrong with them.
    pub fn read_with(
        &self,
        name: &str,
        bytes: impl AsRef<[u8]>,
        files: &Files<'_>,
    ) -> Result<Scene, LoadError> {
        heard_scene(Notices::with_files(files), |host| {
            self.scene_of(name, bytes.as_ref(), host)
        })
    }

    /// Reads the program of bytes alone, without the textures that it names, and what is said about it that keeps it
    /// from nothing: for who binds textures, inputs and constants themselves.
    ///
    /// # Errors
    ///
    /// All that is wrong with it.
    pub fn read_program(
        &self,
        name: &str,
        bytes: impl AsRef<[u8]>,
    ) -> Result<(Loaded, Vec<Notice>), LoadError> {
        heard(Notices::default(), |host| {
            let source = self.source(name, bytes.as_ref(), host)?;
            source.draft(&self.reading(Path::new(name)), host).finish()
        })
    }

    /// Translates the program of bytes to assembly that can be run. Comments and directives say what its registers hold.
    /// A program that is in no other language is disassembled.
    ///
    /// # Errors
    ///
    /// All that is wrong with it.
    pub fn translate(&self, name: &str, bytes: impl AsRef<[u8]>) -> Result<String, LoadError> {
        let (translation, _) = heard(Notices::default(), |host| {
            let source = self.source(name, bytes.as_ref(), host)?;
            if !source.is_translated() {
                return Ok(source.parse(host)?.to_string());
            }
            let reading = self.reading(Path::new(name));
            let mut listing = source.list(&reading.parameters, host)?;
            listing.program = source.staged(listing.program, reading.stage, None, host)?;
            Ok(listing::assembly(&listing))
        })?;
        Ok(translation)
    }

    /// Loads the scene of a file for a host.
    ///
    /// # Errors
    ///
    /// There is none. The host has heard why if the error is [`Error::Reported`] or [`Error::NotProgram`].
    pub fn load(&self, path: &Path, host: &dyn Host) -> Result<Scene, Error> {
        let source = Source::read(path, self.form, self.choice, host)?;
        self.scene(path, source, host)
    }

    fn source(&self, name: &str, bytes: &[u8], host: &dyn Host) -> Result<Source, Error> {
        let sources = Sources::of(Path::new(name), bytes.to_vec(), self.form, host)?;
        sources.one(self.choice, host)
    }

    fn reading(&self, path: &Path) -> Reading {
        Reading::new(path, self.stage, self.parameters.clone())
    }

    fn scene_of(&self, name: &str, bytes: &[u8], host: &dyn Host) -> Result<Scene, Error> {
        self.scene(Path::new(name), self.source(name, bytes, host)?, host)
    }

    fn scene(&self, path: &Path, source: Source, host: &dyn Host) -> Result<Scene, Error> {
        let draft = source.draft(&self.reading(path), host);
        let mut scene = Scene::load(host, draft, &self.textures)?;
        for setting in &self.values {
            let setting = scene.named(setting)?;
            scene.set(host, &setting);
        }
        for setting in &self.varyings {
            let setting = scene.named(setting)?;
            scene.set(host, &ValueSetting::Input(setting));
        }
        Ok(scene)
    }
}

fn heard_scene(
    host: Notices<'_>,
    load: impl FnOnce(&dyn Host) -> Result<Scene, Error>,
) -> Result<Scene, LoadError> {
    let (mut scene, warnings) = heard(host, load)?;
    scene.warnings = warnings;
    Ok(scene)
}

/// The result of loading, and the messages that a host of one's own hears meanwhile.
pub(crate) fn heard<T>(
    host: Notices<'_>,
    load: impl FnOnce(&dyn Host) -> Result<T, Error>,
) -> Result<(T, Vec<Notice>), LoadError> {
    let loaded = load(&host);
    if let Err(error) = &loaded {
        error.tell(&host);
    }
    let notices = host.heard();
    match loaded {
        Ok(loaded) => Ok((loaded, notices)),
        Err(_) => Err(LoadError { notices }),
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::io::{self, Cursor, Read};

    use attila_shader::Engine;
    use attila_shader::draw::ColourImage;
    use attila_shader::isa::TEXTURE_UNITS;
    use attila_shader::machine::pipeline::ColourFormat;
    use attila_shader::texture::{Dimension, Format, Image, Sampler, Size};
    use expect_test::{Expect, expect};

    use super::*;
    use crate::host::Topic;

    fn refused(loader: &Loader, name: &str, text: &str, expected: Expect) {
        let error = loader.read(name, text).err();
        expected.assert_eq(&error.map(|it| it.to_string()).unwrap_or_default());
    }

    /// The first pixel of the picture of a text.
    fn pixel(loader: &Loader, text: &str) -> [u8; 4] {
        let scene = loader.read("text", text);
        let scene = scene.unwrap_or_else(|error| panic!("{error}"));
        let mut picture = ColourImage::new(ColourFormat::Rgba8, 2, 2);
        let drawn = scene.draw(&Engine::interp(), &mut picture);
        drawn.expect("it draws");
        [0, 1, 2, 3].map(|at| picture.bytes()[at])
    }

    #[test]
    fn all_that_is_wrong_is_said_at_once_with_its_place() {
        let text =
            ";! texture t0 = none.png\n;! varying i6 = w\nmul r0, r1\nfoo r0, r1\ntex o1, i6, t0";
        refused(
            &Loader::new(),
            "a.attila",
            text,
            expect![[r#"
            a.attila:3:11: error: operand 2 of `mul` is missing
              help: usage: mul[_sat] dst, a, b|imm
            a.attila:4:1: error: unknown instruction `foo`
            a.attila:2:12: error: `w` is not a sum of numbers and multiples of u, v, s and t
            a.attila:1:12: error: t0: none.png: No such file or directory (os error 2)"#]],
        );
        refused(
            &Loader::new(),
            "b.bin",
            "\u{89}PNG",
            expect![[r#"b.bin:1:1: error: expected an instruction, found `\u{89}`"#]],
        );
        let choice = Loader::new().program(3);
        refused(
            &choice,
            "c.arbfp",
            "!!ARBfp1.0\nEND",
            expect!["error: c.arbfp: there is no program 3: the file has 1"],
        );
    }

    #[test]
    fn settings_go_over_what_a_program_says() {
        let text = ";! const c0 = 1 0 0 1\n;! varying i6 = 0\nadd o1, c0, i6";
        assert_eq!(pixel(&Loader::new(), text), [255, 0, 0, 255]);
        let loader = Loader::new().set("c0 = 0,0,1,1").expect("a constant");
        let loader = loader.varying("i6 = 0, 1, 0, 0").expect("a varying");
        assert_eq!(pixel(&loader, text), [0, 255, 255, 255]);
        assert!(Loader::new().set("r0=1").is_err());
    }

    #[test]
    fn programs_in_other_languages_have_names_of_their_own() {
        for (text, varying, constant, more) in [
            (
                "!!ARBfp1.0\nMUL result.color, fragment.texcoord[0], program.local[1];\nEND",
                "fragment.texcoord[0]",
                "program.local[1]",
                "",
            ),
            (
                "FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nDCL CONST[0][0..1]\n\
                 MUL OUT[0], IN[0], CONST[0][1]\nEND",
                "GENERIC[0]",
                "CONST[0][1]",
                ", `IN[0]`, `CONST[1]`",
            ),
            ("mul ft0, v0, fc1\nmov oc, ft0", "v0", "fc1", ""),
        ] {
            let loader = Loader::new().set(&format!("{constant} = 0, 0.5, 1, 1"));
            let loader = loader
                .expect("a parameter")
                .varying(&format!("{varying} = 1"));
            let loader = loader.expect("an input");
            assert_eq!(pixel(&loader, text), [0, 127, 255, 255], "{text}");
            let typed = Loader::new().set("fc2=1").expect("it may be a parameter");
            let error = typed.read("a", text).err().expect("it is none");
            let known = format!(
                "error: a: the program does not read `fc2`; it reads `{varying}`, `{constant}`{more}"
            );
            assert_eq!(error.to_string(), known);
        }
        let assembly = Loader::new().set("fc2=1").expect("it may be a parameter");
        refused(
            &assembly,
            "a.attila",
            "mov o1, c0",
            expect![
                "error: a.attila: `fc2` is not a register: i0-i63, o0-o63, r0-r255, c0-c511, a0-a3 or p0-p31"
            ],
        );
        assert!(Loader::new().set("fc2=1,2").is_err());
        assert!(Loader::new().varying("v0=w").is_err());
    }

    #[test]
    fn names_are_listed_with_their_registers() {
        let text = "!!ARBfp1.0\nPARAM tint = program.local[1];\n\
            MUL result.color, fragment.texcoord[0], tint;\nEND";
        let scene = Loader::new().read("text", text).expect("a scene");
        let names = scene.loaded.names.registers();
        let names: Vec<String> = names.map(|(name, reg)| format!("{name}={reg}")).collect();
        assert_eq!(
            names.join(" "),
            "fragment.texcoord[0]=i6 program.local[1]=c0 tint=c0"
        );
    }

    #[test]
    fn registers_have_the_names_of_the_text_and_of_the_machine() {
        let text = "!!ARBfp1.0\nPARAM tint = program.local[1];\n\
            MUL result.color, fragment.texcoord[0], tint;\nEND";
        let (loaded, _) = Loader::new().read_program("text", text).expect("a program");
        let register = |name: &str| {
            let found = loaded.names.register(name);
            found.map_or_else(|error| error.to_string(), |it| it.to_string())
        };
        assert_eq!(register("tint"), "c0");
        assert_eq!(register("fragment.texcoord[0]"), "i6");
        assert_eq!(register("I6"), "i6");
        assert_eq!(register("o63"), "o63");
        for wrong in ["c512", "p0", "i6[2]"] {
            assert!(register(wrong).contains("is not a register"), "{wrong}");
        }
        assert!(register("hue").contains("does not read `hue`"));
    }

    #[test]
    fn places_are_shown_with_their_lines() {
        let text = "\tmov r0, r\u{e4}\nmul_sat r0, r1\n;! const c0 = red";
        let error = Loader::new().read_program("a", text).err();
        let notices = error.expect("it is wrong").notices;
        let shown = notices.iter().map(|it| it.shown().unwrap_or_default());
        let shown: Vec<String> = shown.collect();
        expect![[r"
            1 | 	mov r0, rä
              | 	        ^
            2 | mul_sat r0, r1
              |               ^
            3 | ;! const c0 = red
              |               ^^^"]]
        .assert_eq(&shown.join("\n"));
        let topics: Vec<_> = notices.iter().map(|it| it.message.topic).collect();
        assert_eq!(topics, [Topic::Syntax, Topic::Syntax, Topic::Directive]);
    }

    #[test]
    fn programs_are_read_in_the_language_that_is_told() {
        let agal = "mov ft0, v0\nmov oc, ft0";
        let read = |language, text: &str| {
            let loader = Loader::new().form(Form::Language(language));
            loader.read_program("text", text).is_ok()
        };
        assert!(read("AGAL", agal) && !read("ARB", agal));
        let arb = "!!ARBfp1.0\nMOV result.color, fragment.color;\nEND\n";
        assert!(read("ARB", arb) && !read("TGSI", arb));
        let assembly = Loader::new().form(Form::Assembly);
        assert!(assembly.read_program("a.agal", "mov o1, i1").is_ok());
        assert!(assembly.read_program("a", arb).is_err());
    }

    #[test]
    fn translations_are_assembly_that_can_be_loaded() {
        let arb = "!!ARBfp1.0\nMUL result.color, fragment.color, program.local[0];\nEND\n";
        let loader = Loader::new().parameter(0, [1.0, 0.5, 0.0, 1.0]);
        let text = loader.translate("a", arb).expect("it is a program");
        assert!(text.contains("; i1 = fragment.color"), "{text}");
        let direct = loader.read_program("a", arb).expect("a program").0;
        let again = Loader::new().read_program("a", &text).expect("a program").0;
        assert_eq!(again.program, direct.program);
        assert_eq!(again.directives.constants, direct.directives.constants);
        let assembly = "mov o1, i1 <- end\n";
        assert_eq!(
            loader.translate("a", assembly).expect("a program"),
            assembly
        );
    }

    #[test]
    fn names_that_a_text_declares_are_those_of_what_they_stand_for() {
        let arb = "!!ARBfp1.0\nATTRIB place = fragment.texcoord[0];\nPARAM tint = program.local[1];\n\
            PARAM half = { 0.5, 0.5, 0.5, 0.5 };\nPARAM unused = program.local[7];\n\
            PARAM m[3] = { { 1, 1, 1, 1 }, program.env[0..1] };\nALIAS hue = tint;\nTEMP t;\n\
            MUL t, place, tint;\nMAD t, t, m[0], m[2];\nMUL result.color, t, half;\nEND";
        let tgsi = "FRAG\nDCL IN[3], GENERIC[9], LINEAR\nDCL OUT[0], COLOR\nDCL CONST[0..4]\n\
            IMM FLT32 { 0.5, 0.5, 0.5, 0.5 }\nMAD OUT[0], IN[3], CONST[4], CONST[2]\n\
            MUL OUT[0], OUT[0], IMM[0]\nEND";
        for (text, varying, constants, constant) in [
            (arb, "place", ["hue", "m[2]"], "half"),
            (arb, "place", ["tint", "program.env[1]"], "m[0]"),
            (tgsi, "IN[3]", ["CONST[4]", "CONST[2]"], "IMM[0]"),
        ] {
            let [factor, term] = constants;
            let loader = Loader::new().set(&format!("{factor} = 0, 0.5, 1, 1"));
            let loader = loader.expect("a parameter").set(&format!("{term}=0,0,1,0"));
            let loader = loader
                .expect("a parameter")
                .varying(&format!("{varying}=1"));
            let loader = loader.expect("an input");
            assert_eq!(pixel(&loader, text), [0, 63, 255, 127], "{text}");
            let loader = loader
                .set(&format!("{constant}=1"))
                .expect("it may be a parameter");
            let error = loader.read("a", text).err().expect("it is a constant");
            let message =
                format!("error: a: `{constant}` is a constant of the text, which cannot be set");
            assert_eq!(error.to_string(), message);
        }
        let unused = Loader::new()
            .set("unused=1")
            .expect("it may be a parameter");
        refused(
            &unused,
            "a.arbfp",
            arb,
            expect![
                "error: a.arbfp: the program does not read `unused`; it reads `fragment.texcoord[0]`, `program.local[1]`, `program.env[1]`, `hue`, `m[2]`, `place`, `tint`"
            ],
        );
    }

    /// A texture of one texel.
    fn texture(dimension: Dimension) -> Texture {
        let texels = vec![255, 0, 255, 255];
        let image = Image::from_texels(dimension, Format::Rgba8, Size::d2(1, 1), texels);
        let image = Arc::new(image.expect("it is an image"));
        Texture::new(image, Sampler::of(dimension)).expect("the sampler fits")
    }

    #[test]
    fn textures_in_memory_go_over_all_others() {
        let loader = Loader::new().bind(2, texture(Dimension::D2));
        let loader = loader.expect("there is such a unit");
        let text = ";! texture t2 = none.png\ntex o1, i6, t2";
        assert_eq!(pixel(&loader, text), [255, 0, 255, 255]);
        let wanted = ";! texture t2 = cube\ntex o1, i6, t2";
        refused(
            &loader,
            "cube.attila",
            wanted,
            expect![[r#"
            cube.attila:1:12: error: t2: the texture in memory: a 2D image, but the program samples a cube here: `cube:FILE` is a picture of six faces in a strip or a cross, or a DDS file of a cube; `cube:` may have six pictures, too"#]],
        );
        assert!(
            Loader::new()
                .bind(TEXTURE_UNITS.into(), texture(Dimension::D1))
                .is_err()
        );
    }

    #[test]
    fn programs_are_read_without_their_textures() {
        let loader = Loader::new().stage(Stage::Fragment);
        let text =
            ";! texture t2 = none.png\n;! const c0 = 1 2 3 4\ntex r0, i6, t2\nmul o1, r0, r1";
        let (loaded, warnings) = loader.read_program("a", text).expect("it is a program");
        assert_eq!(loaded.program.usage().textures, 4);
        assert_eq!(loaded.directives.constants.len(), 1);
        let warnings: Vec<String> = warnings.iter().map(Notice::to_string).collect();
        expect!["a:4:1: warning: r1.xyzw is read but never written; it is 0"]
            .assert_eq(&warnings.join("\n"));
        assert!(loader.read_program("a", "mul r0").is_err());
    }

    #[test]
    fn files_come_from_where_the_caller_has_them() {
        let text = ";! texture t0 = dot.tga\ntex o1, i6, t0";
        let dot = [
            0u8, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 24, 0, 1, 2, 3,
        ];
        let files = |path: &Path| match path == Path::new("far/dot.tga") {
            true => Ok(Box::new(Cursor::new(dot)) as Box<dyn Read>),
            false => Err(io::ErrorKind::NotFound.into()),
        };
        let scene = Loader::new().read_with("far/a.attila", text, &files);
        assert_eq!(scene.map(|scene| scene.warnings), Ok(Vec::new()));
    }

    #[test]
    fn textures_of_the_scene_before_are_not_read_again() {
        // A picture of one texel, of the blue that the file has at the time.
        let (opened, blue) = (Cell::new(0), Cell::new(255));
        let files = |_: &Path| {
            opened.set(opened.get() + 1);
            let mut dot = [0u8; 21];
            (dot[2], dot[12], dot[14], dot[16], dot[18]) = (2, 1, 1, 24, blue.get());
            Ok(Box::new(Cursor::new(dot)) as Box<dyn Read>)
        };
        let cache = TextureCache::default();
        let loader = Loader::new().texture_cache(&cache);
        let blue_of = |loader: &Loader, text: &str| {
            let scene = loader.read_with("a.attila", text, &files);
            let mut picture = ColourImage::new(ColourFormat::Rgba8, 2, 2);
            let drawn = scene
                .expect("a scene")
                .draw(&Engine::interp(), &mut picture);
            drawn.expect("it draws");
            (picture.bytes()[2], opened.get())
        };
        let text = ";! texture t0 = dot.tga\ntex o1, i6, t0";
        assert_eq!(blue_of(&loader, text), (255, 1));
        blue.set(7);
        assert_eq!(blue_of(&loader, &format!("{text}\nnop")), (255, 1));
        let wrong = loader.read_with("a.attila", format!("{text}, i7"), &files);
        assert!(wrong.is_err());
        assert_eq!(blue_of(&loader, text), (255, 1));
        // Another setting is another texture, and the first is forgotten.
        let nearest = ";! texture t0 = dot.tga, nearest\ntex o1, i6, t0";
        assert_eq!(blue_of(&loader, nearest), (7, 2));
        assert_eq!(blue_of(&loader, text), (7, 3));
        let border = |number| {
            let options = format!("wrap=border, border={number}:0:0:0");
            format!(";! texture t0 = dot.tga, {options}\ntex o1, i6, t0")
        };
        assert_eq!(blue_of(&loader, &border("0")).1, 4);
        assert_eq!(blue_of(&loader, &border("-0")).1, 5);
        cache.clear();
        assert_eq!(blue_of(&loader, &border("-0")).1, 6);
        assert_eq!(blue_of(&loader, text), (7, 7));
        let little = loader.clone().texture_memory(0);
        assert!(little.read_with("a.attila", text, &files).is_err());
        assert_eq!(blue_of(&loader, text), (7, 7));
        assert_eq!(blue_of(&Loader::new(), text), (7, 8));
    }

    #[test]
    fn translations_are_assembly_with_comments() {
        let translate = |text: &str| {
            let translated = Loader::new().translate("a", text);
            translated.unwrap_or_else(|error| error.to_string())
        };
        expect![[r#"
            ; the text: arithmetic 1, indirections 1, attributes 1; ATTILA instructions 1
            ;! stage fragment
            ; i6 = fragment.texcoord[0]
            ; o1 = result.color
            mov o1, i6 <- end
        "#]]
        .assert_eq(&translate(
            "!!ARBfp1.0\nMOV result.color, fragment.texcoord[0];\nEND",
        ));
        expect![[r#"
            add o1, i0, i0 <- end
        "#]]
        .assert_eq(&translate("add o1, i0, i0"));
        expect![[r#"
            a:1:7: error: operand 1 of `add` is missing
              help: usage: add[_sat] dst, a, b|imm"#]]
        .assert_eq(&translate("add o1"));
    }

    #[test]
    fn warnings_come_with_the_scene() {
        let loader = Loader::new().set("c7 = 1").expect("a constant");
        let loader = loader.varying("i9 = u").expect("a varying");
        let loader = loader.bind(3, texture(Dimension::D2)).expect("a unit");
        let scene = loader.read("a.attila", b"mov o1, c0").expect("a scene");
        let warnings: Vec<String> = scene.warnings.iter().map(Notice::to_string).collect();
        expect![[r#"
            warning: a.attila: the program does not read t3, which is set for it
            warning: a.attila: the program does not read c7, which is set for it
            warning: a.attila: the program does not read i9, which is set for it"#]]
        .assert_eq(&warnings.join("\n"));
    }
}
