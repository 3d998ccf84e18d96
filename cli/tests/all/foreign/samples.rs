//! Beginnings of files that are not programs.

/// The first bytes of formats, and the name of the format.
pub(super) const MAGIC: &[(&[u8], &str)] = &[
    (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "a PNG image"),
    (b"\xff\xd8\xff\xe0\0\x10JFIF\0", "a JPEG image"),
    (b"GIF89a\x10\0\x10\0", "a GIF image"),
    (b"DDS \x7c\0\0\0", "a DDS image"),
    (b"RIFF\x24\0\0\0WEBPVP8 ", "a WebP image"),
    (b"II*\0\x08\0\0\0", "a TIFF image"),
    (b"BM\x36\x04\0\0\0\0\0\0\x36\0\0\0", "a BMP image"),
    (b"%PDF-1.7\n%\x01\x02\n", "a PDF document"),
    (b"PK\x03\x04\x14\0\0\0", "a ZIP archive"),
    (b"\x1f\x8b\x08\0\0\0\0\0", "gzip data"),
    (b"BZh91AY&SY\0", "bzip2 data"),
    (b"\xfd7zXZ\0", "xz data"),
    (b"\x28\xb5\x2f\xfd\0", "Zstandard data"),
    (b"\x7fELF\x02\x01\x01\0", "an ELF file"),
    (b"MZ\x90\0\x03\0", "a Windows program"),
    (b"\xcf\xfa\xed\xfe\x07\0\0\x01", "a Mach-O file"),
    (b"\0asm\x01\0\0\0", "WebAssembly"),
    (b"\x03\x02\x23\x07\0\0\x01\0", "SPIR-V"),
    (b"\x07\x23\x02\x03\0\x01\0\0", "SPIR-V"),
    (b"DXBC\0\x01\x02\x03", "a Direct3D shader (DXBC)"),
    (b"\0\x02\xff\xff\x01\0", "a Direct3D 9 shader"),
    (b"\x01\x01\xfe\xff\x1f\0", "a Direct3D 9 shader"),
    (b"BC\xc0\xde\x35\x14\0\0", "LLVM bitcode"),
    (b"SQLite format 3\0", "an SQLite database"),
    (b"OTTO\0\x0b\0\x80", "a font"),
];

/// Texts that are recognized, with the names of their kinds.
pub(super) const KINDS: &[(&str, &str)] = &[
    (
        "alias va0, pos\nm44 op, va0, vc0\nmov v0, va1\n",
        "is AGAL with",
    ),
    (
        "#define colour fc0\ntex ft1, v0, fs0 <2d,linear,repeat>\nmul oc, ft1, fc0.xyzw\n",
        "is AGAL with",
    ),
    (
        "#version 330 core\nin vec2 uv;\nout vec4 colour;\nvoid main() {\n  colour = vec4(uv, 0, 1);\n}\n",
        "is GLSL",
    ),
    (
        "uniform sampler2D wall;\nvarying vec2 uv;\nvoid main() { gl_FragColor = texture2D(wall, uv); }\n",
        "is GLSL",
    ),
    (
        "float4 tint;\nfloat4 main(float2 uv : TEXCOORD0) : COLOR0 {\n  return tint * uv.x;\n}\n",
        "is HLSL",
    ),
    (
        "@fragment\nfn main() -> @location(0) vec4<f32> {\n  return vec4<f32>(1.0);\n}\n",
        "is WGSL",
    ),
    (
        "DCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\n  0: MOV OUT[0], IN[0]\n  1: END\n",
        "is TGSI without its first line, such as `VERT` or `FRAG`",
    ),
    (
        "               OpCapability Shader\n               OpEntryPoint Fragment %4 \"main\"\n",
        "is SPIR-V assembly",
    ),
    (
        "ps_2_0\ndef c0, 1, 0, 0, 1\ndcl t0.xy\ndcl_2d s0\ntexld r0, t0, s0\nmov oC0, r0\n",
        "this is Direct3D assembly (`ps_2_0`), which is not supported",
    ),
    (
        "; made by hand\nvs_1_1\ndcl_position v0\nm4x4 oPos, v0, c0\n",
        "this is Direct3D assembly (`vs_1_1`), which is not supported",
    ),
    (
        "!!ARBfp2.0\nTEMP a;\nMOV result.color, a;\nEND\n",
        "this is an ARB fragment program of another version (`!!ARBfp2.0`), which is not supported",
    ),
    (
        "!!FP1.0\nMOVR R0, f[COL0];\nMOVR o[COLR], R0;\nEND\n",
        "this is a program of NV_fragment_program (`!!FP1.0`), which is not supported",
    ),
    (
        "!!VP1.1\nDP4 o[HPOS].x, v[OPOS], c[0];\nMOV o[COL0], v[COL0];\nEND\n",
        "this is a program of NV_vertex_program (`!!VP1.1`), which is not supported",
    ),
    (
        "void mainImage(out vec4 c, in vec2 p) {\n  c = vec4(p, sin(iTime), 1.0);\n}\n",
        "is GLSL",
    ),
    (
        "texture t;\nsampler2D s = sampler_state { Texture = <t>; };\nfloat4 f(float2 uv : TEXCOORD0) : COLOR { return tex2D(s, uv); }\n",
        "is HLSL",
    ),
    (
        "{\n  \"inputs\": {\n    \"i0\": [1, 2]\n  }\n}\n",
        "is JSON",
    ),
    ("[{\"a\": 1},\n {\"a\": 2}]\n", "is JSON"),
    ("<?xml version=\"1.0\"?>\n<a>\n  <b/>\n</a>\n", "is XML"),
    (
        "<!DOCTYPE html>\n<html>\n<body>\n<p>Hello</p>\n</body>\n",
        "is an HTML document",
    ),
    (
        "total 12\ndrwxr-xr-x 2 me me 4096 Jan  1 12:00 src\n-rw-r--r-- 1 me me  120 Jan  1 12:00 a.attila\n",
        "is a directory listing",
    ),
    (
        "#include <stdio.h>\nint main(void) {\n  puts(\"hello\");\n  return 0;\n}\n",
        "is C or C++",
    ),
    (
        "#!/bin/sh\nset -e\nfor f in *.c; do\n  cc \"$f\"\ndone\n",
        "is a script",
    ),
    ("P3\n2 1\n255\n255 0 0  0 255 0\n", "is a PNM image"),
    (
        "-----BEGIN CERTIFICATE-----\nMIIBszCC\nAVmgAwIB\n",
        "is a PEM file",
    ),
    (
        "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n",
        "is a patch",
    ),
];

/// Texts that are neither recognized nor programs.
pub(super) const TEXTS: &[&str] = &[
    "Dear all,\nif you add the colours to the mix, then end up with too much red,\ncut down on it.\n\nBest wishes\n",
    "def shade(x):\n    if x > 0:\n        return x\n    else:\n        return -x\n\nprint(shade(3))\n",
    "fn main() {\n    let x = 3;\n    for i in 0..x {\n        println!(\"{i}\");\n    }\n}\n",
    "function f(a) {\n  if (a) { return 1; }\n  return [a, 2].map((x) => x * 2);\n}\n",
    "package main\n\nimport \"fmt\"\n\nfunc main() {\n\tfmt.Println(\"hi\")\n}\n",
    "SELECT name, count(*) FROM shaders\nWHERE size > 10\nGROUP BY name\nORDER BY 2;\n",
    "main = do\n  line <- getLine\n  let n = read line\n  print (n + 1)\n",
    "(defun f (x)\n  (if (> x 0)\n      (* x 2)\n    0))\n(f 3)\n",
    "push rbp\nmov rbp, rsp\nmov dword ptr [rbp-4], 5\nadd eax, 1\ncmp eax, 3\njmp .L2\npop rbp\nret\n",
    "push {fp, lr}\nmov r0, r1\nadd r3, r3, #1\nldr r2, [fp, #-8]\ncmp r3, #10\nblt .L3\nbl puts\nbx lr\n",
    "body {\n  margin: 0;\n  color: red;\n}\na:hover { color: blue }\n",
    "name: shader\nstages:\n  - vertex\n  - fragment\nsize:\n  width: 3\n  height: 4\n",
    "[package]\nname = \"shade\"\nversion = \"0.1.0\"\n\n[dependencies]\nrand = \"0.8\"\n",
    "all: a.out\n\na.out: a.c\n\tcc -o a.out a.c\nclean:\n\trm -f a.out\n",
    "\\documentclass{article}\n\\begin{document}\nHello, $x^2$.\n\\end{document}\n",
    "# Heading\n\nSome *text* with a list:\n\n* one\n* two\n\n```sh\nls -l\n```\n",
    "id,name,red,green\n1,wall,0.5,0.25\n2,floor,0.1,0.3\n3,\"sky, blue\",0,0\n",
    "r0\tr1\tr2\n0.5\t1\t2\n0.25\t3\t4\n",
    "2026-01-02 12:00:01 INFO starting\n2026-01-02 12:00:02 WARN slow: 3.5 ms\n  at main.rs:12\n",
    "00000000: 8950 4e47 0d0a 1a0a 0000 000d 4948 4452  .PNG\n00000010: 0000 0010 0000 0010 0806 0000  ....\n",
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  a\n\
     d7a8fbb307d7809469ca9abcb0082e4f8d5651e46d3cdb762d02d0bf37c9e592  b\n",
    "d41d8cd98f00b204e9800998ecf8427e  a\n9e107d9d372bb6826bd81d3542a419d6  b\n",
    "da39a3ee5e6b4b0d3255bfef95601890afd80709  a\n2fd4e1c67a2d28fced849ee1bb76e7391b93eb12  b\n",
    "TWFuIGlzIGRpc3Rpbmd1aXNoZWQsIG5vdCBvbmx5\nIGJ5IGhpcyByZWFzb24sIGJ1dCBieSB0aGlz\n",
    "main.c:3:5: error: expected ';'\nmain.c:4:1: note: here\nmake: *** [all] Error 1\n",
];
