//! Texts that are recognized by what stands in them.

use attila_isa::text::is_blank;

/// Names of kinds of text, and what the first line begins with, in any case.
const BEGINNINGS: &[(&str, &str)] = &[
    ("a PDF document", "%PDF-"),
    ("a PostScript document", "%!PS"),
    ("an RTF document", "{\\rtf"),
    ("an HTML document", "<!doctype html"),
    ("an HTML document", "<html"),
    ("an SVG image", "<svg"),
    ("a PEM file", "-----BEGIN "),
    ("a patch", "diff --git "),
    ("a patch", "--- a/"),
    ("a script", "#!"),
    ("LLVM IR", "; ModuleID"),
    ("SPIR-V assembly", "; SPIR-V"),
    ("a Radiance image", "#?RADIANCE"),
];

/// Names of languages, and strings that only texts in them have, all of a row's together.
const EVIDENCE: &[(&str, &[&str])] = &[
    ("GLSL", &["\n#version "]),
    ("GLSL", &["void main", "gl_"]),
    ("GLSL", &["void main", "uniform "]),
    ("GLSL", &["void main", "varying "]),
    ("GLSL", &["void main", "attribute "]),
    ("GLSL", &["void main", "layout("]),
    ("GLSL", &["void main", "precision "]),
    // Shadertoy.
    ("GLSL", &["mainImage", "vec4 "]),
    ("GLSL", &["\nprecision ", "float;"]),
    ("GLSL", &["\nuniform ", "vec"]),
    ("GLSL", &["\nvarying ", "vec"]),
    ("GLSL", &["vec4 ", "gl_"]),
    ("HLSL", &["technique", "pass", "Shader", "{"]),
    ("HLSL", &["sampler_state"]),
    ("HLSL", &["SamplerState "]),
    ("HLSL", &["Texture2D", "float4 "]),
    ("HLSL", &["[numthreads("]),
    ("HLSL", &["float4 ", "SV_"]),
    ("HLSL", &["float4 ", "cbuffer "]),
    ("HLSL", &["float4 ", ": COLOR"]),
    ("HLSL", &["float4 ", ": TEXCOORD"]),
    ("HLSL or Cg", &["float4", ": register("]),
    ("HLSL or Cg", &["float4", ": TEXUNIT"]),
    ("HLSL or Cg", &["float4", ": POSITION"]),
    ("HLSL or Cg", &["float4", "tex2D("]),
    ("HLSL or Cg", &["half4 ", "tex2D("]),
    ("HLSL or Cg", &["float4", "mul("]),
    ("Metal", &["metal_stdlib"]),
    ("WGSL", &["fn ", "@fragment"]),
    ("WGSL", &["fn ", "@vertex"]),
    ("TGSI with other lines before `FRAG`", &["\nFRAG", "DCL "]),
    ("TGSI with other lines before `VERT`", &["\nVERT", "DCL "]),
    ("TGSI with other lines before `GEOM`", &["\nGEOM", "DCL "]),
    ("TGSI with other lines before `COMP`", &["\nCOMP", "DCL "]),
    (
        "TGSI without its first line, such as `VERT` or `FRAG`",
        &["DCL OUT[", ": MOV "],
    ),
    (
        "AGAL with other lines before its first instruction",
        &[" op, v", " va"],
    ),
    (
        "AGAL with other lines before its first instruction",
        &[" oc, ft", " v0"],
    ),
    ("SPIR-V assembly", &["OpCapability ", "OpEntryPoint "]),
    ("LLVM IR", &["\ndefine ", "\ntarget "]),
    ("PTX", &["\n.version ", "\n.target "]),
    ("C or C++", &["\n#include <"]),
    ("C or C++", &["\n#include \""]),
];

/// The name of the text's kind, if it is known.
pub fn kind_of_text(text: &str) -> Option<&'static str> {
    let text = text.trim_start_matches(is_blank);
    let begins = |with: &str| {
        let start = text.get(..with.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(with))
    };
    let beginning = BEGINNINGS.iter().find(|(_, with)| begins(with));
    let evident = |string: &&str| match string.strip_prefix('\n') {
        // The first line has no line end before it.
        Some(line) => text.starts_with(line) || text.contains(string),
        None => text.contains(string),
    };
    let by_evidence = || EVIDENCE.iter().find(|(_, all)| all.iter().all(evident));
    let by_structure = || {
        let kinds = [
            ("a directory listing", is_listing as fn(&str) -> bool),
            ("JSON", is_json),
            ("a PNM image", is_pnm),
            ("XML", is_xml),
        ];
        kinds.into_iter().find(|(_, is)| is(text))
    };
    beginning
        .map(|(kind, _)| *kind)
        .or_else(|| by_evidence().map(|(kind, _)| *kind))
        .or_else(|| by_structure().map(|(kind, _)| kind))
}

/// The output of `ls -l`.
fn is_listing(text: &str) -> bool {
    let is_entry = |line: &str| {
        let mode = line.as_bytes().first_chunk::<10>();
        mode.is_some_and(|[kind, rights @ ..]| {
            b"-bcdlps".contains(kind) && rights.iter().all(|right| b"-rwxsStT".contains(right))
        })
    };
    let mut lines = text.lines();
    let first = lines.next().unwrap_or_default();
    is_entry(first) || first.starts_with("total ") && lines.next().is_some_and(is_entry)
}

fn is_json(text: &str) -> bool {
    let mut marks = text.chars().filter(|c| !c.is_whitespace());
    match (marks.next(), marks.next()) {
        (Some('{'), Some(next)) => matches!(next, '"' | '}'),
        (Some('['), Some(next)) => matches!(next, '"' | '{' | '[' | ']' | '-' | '0'..='9'),
        _ => false,
    }
}

/// The kind of image, then its size.
fn is_pnm(text: &str) -> bool {
    let mut words = text.split_ascii_whitespace();
    let kind = words
        .next()
        .is_some_and(|word| matches!(word.as_bytes(), [b'P', b'1'..=b'6']));
    kind && words
        .next()
        .is_some_and(|word| word.parse::<u32>().is_ok() || word == "#")
}

fn is_xml(text: &str) -> bool {
    let mut chars = text.chars();
    let second = |c: char| c.is_ascii_alphabetic() || matches!(c, '?' | '!');
    chars.next() == Some('<') && chars.next().is_some_and(second)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_known_by_what_stands_in_them() {
        for (text, kind) in [
            ("\n <!DOCTYPE HTML>", "an HTML document"),
            ("<?xml version=\"1.0\"?>", "XML"),
            ("#version 330\nvoid main() {}", "GLSL"),
            ("// a\n#version 330", "GLSL"),
            ("uniform vec4 a;\nvoid main() {}", "GLSL"),
            ("void main (void)\n{ gl_FragColor = c; }", "GLSL"),
            (
                "// by nobody\nvoid mainImage( out vec4 fragColor, in vec2 fragCoord )\n{",
                "GLSL",
            ),
            ("float4 main() : SV_Target", "HLSL"),
            (
                "texture t;\nsampler s = sampler_state { Texture = <t>; };\n",
                "HLSL",
            ),
            (
                "technique t {\n  pass p { PixelShader = compile ps_2_0 main(); }\n}",
                "HLSL",
            ),
            (
                "float4 main(float2 uv : TEXCOORD0, uniform sampler2D s) {",
                "HLSL",
            ),
            ("half4 c = tex2D(s, uv);", "HLSL or Cg"),
            (
                "a dump:\nFRAG\nDCL IN[0]",
                "TGSI with other lines before `FRAG`",
            ),
            ("{\n  \"a\": 1", "JSON"),
            ("[[1, 2]]", "JSON"),
            ("total 8\n-rw-r--r-- 1 a a 4", "a directory listing"),
            ("drwxr-xr-x 2 a a 4096", "a directory listing"),
            ("P3\n2 2\n", "a PNM image"),
            ("int a;\n#include <stdio.h>", "C or C++"),
        ] {
            assert_eq!(kind_of_text(text), Some(kind), "{text}");
        }
    }

    #[test]
    fn other_texts_are_not_known() {
        for text in [
            "",
            "[section]",
            "{ a }",
            "<- end",
            "P3 mov",
            "mov o1, i1 ; FRAG",
            "total",
        ] {
            assert_eq!(kind_of_text(text), None, "{text}");
        }
    }
}
