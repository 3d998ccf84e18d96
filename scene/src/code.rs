//! Codes of messages about files and their directives. Those about texts and programs are in `attila_shader::isa::code`.

use attila_shader::isa::codes;

codes! {
    DIRECTIVE = "D01" "a directive that is not right"
        "Lines that begin with `;!` say what a program is run and drawn with. `attila run --help` and `attila render --help` show them."
        ";! cnst c0 = 1\nmov o1, c0";
    SCENE = "D02" "a varying, texture or image that a directive describes, and that cannot be had"
        "The file may be missing or damaged, be another kind of image than the program samples, or the text be wrong. Files are looked for beside the program."
        ";! texture t0 = none.png\ntex o1, i6, t0";
    UNIT = "D03" "a texture unit that an option has to fill"
        "`--texture tN=FILE` of `attila run` and `attila render` binds an image to it. `;! texture tN = FILE` does so for everybody."
        "tex o1, i6, t9";
    READ = "F01" "a file that cannot be read"
        "It is missing, a directory, empty, too large, or one that this user may not read."
        "attila check none.attila";
    NOT_TEXT = "F02" "a text that is not UTF-8"
        "The message has the line and the column. In comments it is a warning."
        "printf 'mov o1, i0 ; \\344' | attila check -";
    NOT_PROGRAM = "F03" "a file that is not a program"
        "It is in another language, such as GLSL, in a format of another program, or few of its lines look like instructions."
        "#version 120\nvoid main() { gl_FragColor = vec4(1.0); }";
    BINARY = "F04" "a binary with words that are not instructions"
        "The file may be damaged, cut off, or one of another machine. The list has the bytes at fault."
        "printf '\\377\\000%.0s' 1 2 3 4 5 6 7 8 | attila check -";
    CHOICE = "F05" "none, or several, of the programs in a file are meant"
        "`--program N` takes the Nth, `--stage` the one for a stage."
        "printf '!!ARBfp1.0\\nEND\\n!!ARBfp1.0\\nEND\\n' | attila check - --program 3";
    STAGE = "F06" "a program for another stage than the one that is asked for"
        "The first line of a text in another language says its stage. `--stage` chooses that of assembly and binaries."
        "printf '!!ARBfp1.0\\nEND\\n' | attila check - --stage vertex";
    SKIPPED = "F07" "a part of a file that is not read"
        "Something stands between or after the programs of a file."
        "printf '!!ARBfp1.0\\nEND\\nmore\\n' | attila check -";
    UNREAD = "F08" "a setting that the program does not read"
        "A register, input, parameter or texture unit is set for it in vain. The name may be another one."
        "printf '!!ARBfp1.0\\nEND\\n' | attila check - --local 0=1";
}
