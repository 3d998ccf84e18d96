//! Points, of which draws have none: a geometry program makes squares of them.

use std::fmt::Write;

use attila_shader::front::tgsi::{
    Options, Semantic, SemanticName, TgsiError, Translation, compile,
};

/// The corners of a square in the order of a strip: swizzles of (-1, 1).
const CORNERS: [&str; 4] = ["xxxx", "yxxx", "xyxx", "yyxx"];

/// A geometry program that makes a square around each vertex of a program with these outputs, PSIZE pixels wide, or
/// one. The window has this size.
pub(super) fn squares(
    outputs: &[(Semantic, u8)],
    [width, height]: [u32; 2],
) -> Result<Translation, TgsiError> {
    let is = |name| move |semantic: &Semantic| semantic.name == name;
    let semantics = outputs.iter().map(|(semantic, _)| *semantic);
    // Triangles have no use for edge flags.
    let semantics = semantics.filter(|it| !is(SemanticName::EdgeFlag)(it));
    let semantics: Vec<Semantic> = semantics.collect();
    let place = |name| semantics.iter().position(is(name));
    let position = place(SemanticName::Position).unwrap_or_default();
    let size = match place(SemanticName::PointSize) {
        Some(size) => format!("IN[0][{size}].xxxx"),
        None => "IMM[0].yyyy".to_owned(),
    };
    let mut declarations = String::new();
    let mut copies = String::new();
    for (number, semantic) in semantics.iter().enumerate() {
        // Writing to a text never fails.
        let _ = writeln!(declarations, "DCL IN[][{number}], {semantic}");
        if semantic.name != SemanticName::PointSize {
            let _ = writeln!(declarations, "DCL OUT[{number}], {semantic}");
            let _ = writeln!(copies, "MOV OUT[{number}], IN[0][{number}]");
        }
    }
    let corners = CORNERS.map(|corner| {
        format!(
            "{copies}MAD OUT[{position}].xy, TEMP[0], IMM[0].{corner}, IN[0][{position}]\nEMIT\n"
        )
    });
    let text = format!(
        "GEOM
PROPERTY GS_INPUT_PRIMITIVE POINTS
PROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP
PROPERTY GS_MAX_OUTPUT_VERTICES 4
{declarations}DCL TEMP[0]
IMM[0] FLT32 {{-1.0, 1.0, {width}.0, {height}.0}}
MUL TEMP[0].xy, {size}, IN[0][{position}].wwww
DIV TEMP[0].xy, TEMP[0], IMM[0].zwww
{}END
",
        corners.concat()
    );
    compile(&text, &Options::default())
}
