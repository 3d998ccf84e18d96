//! Programs with known results, on every engine.

use std::io::{BufRead, BufReader, Cursor};
use std::path::{Path, PathBuf};

use attila_conformance::vectors::{
    Count, MAX_LINE, MAX_UNPACKED, Summary, VectorsError, open, reader, run_vectors,
};
use attila_shader::machine::ErrorChain;
use attila_shader::{Engine, Program};

const SAMPLE: &str = include_str!("../vectors/sample.jsonl");
const AGAL: &str = include_str!("../vectors/agal.jsonl");
const CTM: &str = include_str!("../vectors/ctm.jsonl");
const SAMPLES: &str = include_str!("../vectors/samples.jsonl");
const COVERAGE: &str = include_str!("../vectors/coverage.jsonl");

fn run(engine: &Engine, text: &str) -> Summary {
    run_vectors(engine, text.as_bytes()).unwrap_or_else(|error| panic!("{error}"))
}

fn describe(summary: &Summary) -> String {
    let failures: Vec<String> = summary.failures.iter().map(ToString::to_string).collect();
    failures.join("\n")
}

#[test]
fn the_sample_passes_on_every_engine() {
    for engine in Engine::all() {
        let summary = run(&engine, SAMPLE);
        let name = engine.name();
        let expected = Count {
            pass: 6,
            sensitive_pass: 1,
            ..Count::default()
        };
        assert_eq!(summary.total(), expected, "{name}: {}", describe(&summary));
        let expected = Count {
            pass: 7,
            ..expected
        };
        let summary = run(&engine, AGAL);
        assert_eq!(summary.total(), expected, "{name}: {}", describe(&summary));
    }
}

/// Every word of every expectation matters: a vector with one changed digit does not pass.
#[test]
fn a_planted_error_in_any_expectation_is_noticed() {
    // Depths have one component, and requests that are left out are not compared.
    let is_complete = |line: &&str| !line.contains("\"od\"") && !line.contains("nobody");
    let agal = AGAL.lines().filter(is_complete);
    for line in SAMPLE.lines().chain(agal) {
        let start = line.find("\"expect\"").expect("vectors expect something");
        let mut words = 0;
        for at in word_positions(line, start) {
            let mut planted = line.to_owned();
            // The last digit but one: beyond the largest tolerance of a vector.
            let digit = if &line[at..=at] == "7" { "0" } else { "7" };
            planted.replace_range(at..=at, digit);
            let count = run(&Engine::interp(), &planted).total();
            assert_eq!(count.fail + count.sensitive_fail, 1, "{planted}");
            words += 1;
        }
        assert!(words > 0, "{line}");
    }
}

/// The position of the last digit but one of every word of eight or four digits, from `start` on.
fn word_positions(line: &str, start: usize) -> impl Iterator<Item = usize> {
    let mut offset = start;
    line[start..].split('"').filter_map(move |part| {
        let begin = offset;
        offset += part.len() + 1;
        let is_word = matches!(part.len(), 4 | 8) && part.bytes().all(|b| b.is_ascii_hexdigit());
        is_word.then_some(begin + part.len() - 2)
    })
}

#[test]
fn a_missing_and_an_additional_request_are_noticed() {
    let line = SAMPLE
        .lines()
        .find(|line| line.contains("\"TXP\""))
        .expect("a texture vector");
    let (head, _) = line
        .split_once(",\"texture_requests\"")
        .expect("it expects a request");
    let additional = format!("{head}}}}}");
    let summary = run(&Engine::interp(), &additional);
    assert!(describe(&summary).contains("request 0 is one too many"));
    let request = &line[line.find("{\"op\"").expect("a request")..line.len() - 3];
    let missing = line.replace(request, &format!("{request},{request}"));
    let summary = run(&Engine::interp(), &missing);
    assert!(describe(&summary).contains("request 1 (TXP) was not made"));
}

/// The vector of an AGAL program with a text in place of another.
fn altered(id: &str, from: &str, to: &str) -> String {
    let mut lines = AGAL.lines();
    let line = lines.find(|line| line.contains(id)).expect("a vector");
    assert!(line.contains(from), "{line}");
    describe(&run(&Engine::interp(), &line.replace(from, to)))
}

#[test]
fn agal_vectors_compare_texts_samplers_and_depths() {
    let mut other = altered("depth_and_colours", "mov oc1, v0.x", "mov oc1, v0.y");
    assert!(
        other.contains("the text assembles to other bytes"),
        "{other}"
    );
    assert!(other.contains("text: lane 0: o2.x is 00000000"), "{other}");
    other = altered(
        "depth_and_colours",
        "\"od\":[\"3e000000",
        "\"od\":[\"3e000001",
    );
    assert!(other.contains("lane 1: z of sample 0"), "{other}");
    let id = "lookups_that_nobody_reads";
    other = altered(id, "\"wrap\":1", "\"wrap\":2");
    assert!(other.contains("request 1 has another sampler"), "{other}");
    assert!(!other.contains("request 0"), "{other}");
    other = altered(id, "\"unit\":1", "\"unit\":2");
    assert!(
        other.contains("request 2 is for unit 1, expected 2"),
        "{other}"
    );
}

#[test]
fn agal_vectors_count_requests() {
    let id = "lookups_that_nobody_reads";
    let line = AGAL.lines().find(|line| line.contains(id)).expect("it");
    let (head, _) = line.split_once(",\"texture_requests\"").expect("requests");
    let none = describe(&run(&Engine::interp(), &format!("{head}}}}}")));
    assert!(none.contains("request 1 is one too many"), "{none}");
    let at = line.rfind("{\"unit\"").expect("a request");
    let last = &line[at..line.len() - 3];
    let more = line.replace(last, &format!("{last},{last}"));
    let more = describe(&run(&Engine::interp(), &more));
    assert!(more.contains("request 3 was not made"), "{more}");
}

#[test]
fn agal_vectors_that_are_no_programs_are_refused() {
    let line = AGAL.lines().next().expect("it has lines");
    let fail = |from: &str, to: &str| {
        let line = line.replace(from, to);
        match run_vectors(&Engine::interp(), line.as_bytes()) {
            Ok(_) => panic!("accepted: {line}"),
            Err(error) => ErrorChain(&error).to_string(),
        }
    };
    assert!(fail("mov oc.xz", "mvo oc.xz").contains("unknown opcode `mvo`"));
    assert!(fail("\"program\":\"a0", "\"program\":\"a1").contains("begins with the byte a0"));
    assert!(fail("\"oc0\"", "\"ft0\"").contains("`ft0` is not a register"));
    assert!(fail("{\"1\":[", "{\"99\":[").contains("a register that programs do not have"));
}

#[test]
fn operations_on_the_ctm_path_and_ctm_texts_pass_on_every_engine() {
    for engine in Engine::all() {
        let summary = run(&engine, CTM);
        let expected = Count {
            pass: 11,
            ..Count::default()
        };
        assert_eq!(summary.total(), expected, "{}", describe(&summary));
    }
}

#[test]
fn another_bit_of_an_operation_or_a_word_is_noticed() {
    let changes = [
        ("7fffffff", "7fc00000"),
        ("3e800000000", "3e800001000"),
        ("41100000\"}", "41100001\"}"),
        ("0a400039", "0a000039"),
        ("\"r\": \"7fc12345", "\"r\": \"7fc12346"),
        ("\"a\": \"3e800000", "\"a\": \"3e900000"),
        ("\"3f000000\", \"7fffffff\"", "\"3f000000\", \"7fc00000\""),
        ("\"ffc12345\", \"7fa00001\"", "\"ffc12345\", \"7fe00001\""),
        ("\"expect\": \"refuse\"", "\"expect\": \"ok\""),
        ("\"expect\": \"ok\"", "\"expect\": \"refuse\""),
    ];
    for (from, to) in changes {
        let changed = CTM.replacen(from, to, 1);
        assert_ne!(changed, CTM, "{from}");
        let summary = run(&Engine::interp(), &changed);
        assert_eq!(summary.total().fail, 1, "{from}: {}", describe(&summary));
    }
    let shorter = CTM.replacen("\"a\": \"40000000", "\"a\": \"", 1);
    let failures = describe(&run(&Engine::interp(), &shorter));
    assert!(
        failures.contains("as many words as the result"),
        "{failures}"
    );
}

#[test]
fn sensitive_vectors_are_counted_apart() {
    let line = SAMPLE
        .lines()
        .find(|line| line.contains("sensitive"))
        .expect("a sensitive vector");
    let planted = line.replace("3fc00000", "3fc00100");
    let summary = run(&Engine::interp(), &planted);
    assert_eq!(summary.total().sensitive_fail, 1);
    assert_eq!(summary.total().fail, 0);
    assert!(summary.failures.is_empty());
}

#[test]
fn lines_that_are_no_vectors_are_refused_with_their_number() {
    let fail = |text: &str| match run_vectors(&Engine::interp(), text.as_bytes()) {
        Ok(_) => panic!("accepted: {text}"),
        Err(error) => error,
    };
    let error = fail("\n{\"id\":3}");
    assert!(
        matches!(error, VectorsError::Format { line: 2, .. }),
        "{error}"
    );
    let first = SAMPLE.lines().next().expect("the sample has lines");
    let error = fail(&first.replace("3f800000", "3f80000"));
    assert!(
        ErrorChain(&error)
            .to_string()
            .contains("eight hexadecimal digits"),
        "{error}"
    );
    let error = fail(&first.replace("\"program\":\"14", "\"program\":\"05"));
    assert!(error.to_string().contains("nan_selects_second"), "{error}");
}

/// A text so many times, compressed.
fn gzip(text: &str, times: usize) -> Cursor<Vec<u8>> {
    use std::io::Write;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let written = encoder.write_all(text.as_bytes());
    written.expect("memory takes all");
    // Compressed files one after the other are a compressed file.
    Cursor::new(encoder.finish().expect("memory takes all").repeat(times))
}

#[test]
fn compressed_files_are_recognised() {
    let summary = run_vectors(&Engine::interp(), reader(gzip(SAMPLE, 1)));
    assert_eq!(summary.expect("vectors").total().pass, 6);
}

#[test]
fn a_line_longer_than_any_vector_is_refused_with_its_number() {
    let blanks = " ".repeat(MAX_LINE / 4);
    let error = run_vectors(&Engine::interp(), reader(gzip(&format!("\n{blanks}"), 1)));
    assert_eq!(
        error.expect("blank lines are skipped").total(),
        Count::default()
    );
    let long = format!("\n{}\n", blanks.repeat(4));
    let error = run_vectors(&Engine::interp(), long.as_bytes()).expect_err("it is too long");
    assert_eq!(
        error.to_string(),
        "line 2: the line is too long; the limit is 4194304 bytes"
    );
    // However long it is, and whether it ends or not.
    let endless = BufReader::new(std::io::repeat(b' '));
    let error = run_vectors(&Engine::interp(), endless).expect_err("it is too long");
    assert!(
        matches!(error, VectorsError::TooLong { line: 1 }),
        "{error}"
    );
}

#[test]
fn a_compressed_file_gives_no_more_than_the_limit() {
    let line = format!("{}\n", " ".repeat((1 << 20) - 1));
    let lines = (MAX_UNPACKED >> 20) as usize;
    let summary = run_vectors(&Engine::interp(), reader(gzip(&line, lines)));
    assert_eq!(summary.expect("it is full").total(), Count::default());
    let error = run_vectors(&Engine::interp(), reader(gzip(&line, lines + 1)));
    assert_eq!(
        ErrorChain(&error.expect_err("it is too large")).to_string(),
        "line 65: the file is too large; the limit is 67108864 bytes after unpacking"
    );
}

#[test]
fn a_loop_of_requests_that_nobody_expects_is_not_described_to_its_end() {
    let program =
        "again: tex o1, i1, t0\nadd r0.x, r0.x, 1\nsetplt p0, r0.x, 1000\njmp p0, again\nend";
    let bytes = Program::assemble(program).expect("it assembles").encode();
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let vector = format!(
        r#"{{"id":"loop","group":"loops","stage":"fragment","ulp":0,"program":"{digits}","expect":{{}}}}"#
    );
    let summary = run(&Engine::interp(), &vector);
    let text = describe(&summary);
    assert!(
        text.contains("lane 0: request 24 is one too many"),
        "{text}"
    );
    assert!(
        text.contains("3900 more requests were not compared"),
        "{text}"
    );
    assert_eq!(text.matches("one too many").count(), 200, "{text}");
}

/// Runs every file of a folder on every engine, and counts the files.
fn check(folder: &Path) -> usize {
    let entries = std::fs::read_dir(folder).expect("it is a folder");
    let paths = entries.map(|entry| entry.expect("it can be listed").path());
    let is_ours = |path: &PathBuf| path.extension().is_some_and(|e| e == "gz" || e == "jsonl");
    let mut files: Vec<PathBuf> = paths.filter(is_ours).collect();
    files.sort();
    for engine in Engine::all() {
        for file in &files {
            let source = open(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
            let summary = run_vectors(&engine, source)
                .unwrap_or_else(|error| panic!("{}: {error}", file.display()));
            let failures = describe(&summary);
            let (name, file) = (engine.name(), file.display());
            assert!(summary.total().pass > 0, "{name} {file}");
            assert_eq!(summary.total().fail, 0, "{name} {file}\n{failures}");
        }
    }
    files.len()
}

#[test]
fn our_vectors_pass_on_every_engine() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors");
    assert_eq!(check(&folder), 5);
}

#[test]
fn another_answer_about_samples_or_another_spelling_is_noticed() {
    let changes = [
        ("\"centroid\": \"ffff0003", "\"centroid\": \"ffff0002"),
        ("\"predicate\": [0, 1", "\"predicate\": [1, 1"),
        ("\"offset\": [\"0007", "\"offset\": [\"0006"),
        ("\"sample_shading\": true", "\"sample_shading\": false"),
        ("\"imm\": \"fd", "\"imm\": \"fe"),
        ("\"covered\": \"ffffffff", "\"covered\": \"00000000"),
        ("\"centre\": \"4224", "\"centre\": \"4225"),
        ("\"samples\": [\"4214", "\"samples\": [\"4215"),
        ("19c65452", "19c65453"),
        ("[r9.x + 16]", "[r9.x + 15]"),
        ("\"expect\": \"refuse", "\"expect\": \"ok"),
        ("\"expect\": \"ok", "\"expect\": \"refuse"),
    ];
    for (from, to) in changes {
        let changed = SAMPLES.replacen(from, to, 1);
        assert_ne!(changed, SAMPLES, "{from}");
        let summary = run(&Engine::interp(), &changed);
        assert_eq!(summary.total().fail, 1, "{from}: {}", describe(&summary));
    }
}

/// The large collection is not part of the source.
#[test]
#[ignore = "needs ../shared/pixld"]
fn the_large_collection_of_vectors_about_samples_passes_on_every_engine() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/pixld/vectors.jsonl.gz");
    let lines = open(&file).expect("it can be opened").lines();
    let lines = lines.map(|line| line.expect("it is a text") + "\n");
    // It has R32 refused, but registers go up to R254.
    let vectors: String = lines.filter(|line| !line.contains("\"bad_r32\"")).collect();
    for engine in Engine::all() {
        let summary = run(&engine, &vectors);
        let failures = describe(&summary);
        assert_eq!(summary.total().fail, 0, "{} {failures}", engine.name());
        assert!(summary.total().pass > 700);
    }
}

/// The large collection is not part of the source.
#[test]
#[ignore = "needs ../shared/agal/vectors"]
fn the_large_collection_of_agal_vectors_passes_on_every_engine() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/agal/vectors");
    assert!(check(&folder) > 0);
}

/// The large collection is not part of the source.
#[test]
#[ignore = "needs ../shared/ctm"]
fn the_large_collection_of_ctm_vectors_passes_on_every_engine() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/ctm");
    assert!(check(&folder) > 0);
}

/// The large collection is not part of the source.
#[test]
#[ignore = "needs ../shared/vectors"]
fn the_large_collection_of_vectors_passes_on_every_engine() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/vectors");
    assert!(check(&folder) > 0);
}

#[test]
fn another_mask_or_another_triangle_in_front_is_noticed() {
    let changes = [
        (
            "\"masks\":\"0.",
            "\"masks\":\"1.",
            "sample 0 at (0, 0) of 7x5 pixels",
        ),
        (
            "\"ids\":\"0",
            "\"ids\":\"2",
            "sample 0 at (0, 0) of 6x6 pixels",
        ),
    ];
    for (from, to, message) in changes {
        let changed = COVERAGE.replacen(from, to, 1);
        assert_ne!(changed, COVERAGE, "{from}");
        let summary = run(&Engine::interp(), &changed);
        assert_eq!(summary.total().fail, 1, "{to}");
        assert!(
            describe(&summary).contains(message),
            "{}",
            describe(&summary)
        );
    }
    let shorter = COVERAGE.replacen("\"masks\":\"0.", "\"masks\":\"", 1);
    let error = run_vectors(&Engine::interp(), shorter.as_bytes());
    assert!(error.is_err(), "a mask is missing");
}
