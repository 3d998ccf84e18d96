//! `attila play` as a browser, and others, see it.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::{attila, scratch};

/// A page of which only the place of the program counts.
const PAGE: &str = "<title>a page</title><!--PROGRAM--><script>run()</script>";

/// A server, which ends with it.
struct Server {
    child: Child,
    /// The port and the token of its address.
    port: u16,
    token: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// An answer: its status, its headers, its body.
struct Answer {
    status: u16,
    headers: String,
    body: Vec<u8>,
}

impl Server {
    fn start(folder: &Path, options: &[&str]) -> Server {
        fs::write(folder.join("page.html"), PAGE).expect("it can be written");
        let child = Command::new(env!("CARGO_BIN_EXE_attila"))
            .args(["play", "--page", "page.html"])
            .args(options)
            .current_dir(folder)
            .stdout(Stdio::piped())
            .spawn();
        let mut child = child.expect("it starts");
        let mut line = String::new();
        let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
        out.read_line(&mut line).expect("it prints its address");
        let rest = line.trim().strip_prefix("http://127.0.0.1:");
        let (port, token) = rest
            .and_then(|it| it.split_once("/?token="))
            .expect("an address");
        Server {
            port: port.parse().expect("a port"),
            token: token.to_owned(),
            child,
        }
    }

    fn send(&self, request: &str) -> BufReader<TcpStream> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        stream
            .set_read_timeout(Some(Duration::from_secs(30)))
            .expect("a time");
        stream.write_all(request.as_bytes()).expect("it reads");
        BufReader::new(stream)
    }

    /// Asks with the right token.
    fn ask(&self, method: &str, path: &str, headers: &str, body: &str) -> Answer {
        let request = format!(
            "{method} {path}?token={} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nConnection: close\r\nContent-Length: {}\r\n{headers}\r\n{body}",
            self.token,
            self.port,
            body.len()
        );
        answer(self.send(&request))
    }
}

fn answer(mut from: impl Read) -> Answer {
    let mut all = Vec::new();
    from.read_to_end(&mut all).expect("an answer");
    let end = all
        .windows(4)
        .position(|it| it == b"\r\n\r\n")
        .expect("headers end");
    let headers = String::from_utf8_lossy(&all[..end]).into_owned();
    let status = headers.split(' ').nth(1).and_then(|it| it.parse().ok());
    Answer {
        status: status.expect("a status"),
        headers,
        body: all[end + 4..].to_vec(),
    }
}

fn folder(name: &str) -> PathBuf {
    let folder = scratch(&format!("play-{name}"));
    fs::create_dir_all(&folder).expect("it can be made");
    folder
}

#[test]
fn the_page_has_the_program_and_a_policy() {
    let folder = folder("page");
    fs::write(folder.join("a.attila"), "mov o1, i1 ; </script>\n").expect("written");
    let server = Server::start(&folder, &["a.attila"]);
    let page = server.ask("GET", "/", "", "");
    assert_eq!(page.status, 200);
    let html = String::from_utf8(page.body).expect("text");
    assert!(
        html.contains(
            r#"id="program">{"name":"a.attila","text":"mov o1, i1 ; \u003c/script>\n"}</script>"#
        ),
        "{html}"
    );
    let policy = page
        .headers
        .lines()
        .find(|it| it.starts_with("content-security-policy"));
    let policy = policy.expect("a policy");
    let (_, nonce) = policy.split_once("'nonce-").expect("a number");
    let nonce = &nonce[..32];
    assert!(
        html.contains(&format!("<script nonce=\"{nonce}\">run()")),
        "{html}"
    );
    assert!(policy.contains("'wasm-unsafe-eval'") && !policy.contains("'unsafe-eval'"));
}

#[test]
fn others_are_refused() {
    let folder = folder("others");
    let server = Server::start(&folder, &[]);
    let (port, token) = (server.port, &server.token);
    let get = |path: &str, headers: &str| {
        let request = format!("GET {path} HTTP/1.1\r\nConnection: close\r\n{headers}\r\n");
        answer(server.send(&request)).status
    };
    let own = format!("Host: localhost:{port}\r\n");
    let path = format!("/?token={token}");
    assert_eq!(get(&path, &own), 200);
    assert_eq!(get("/", &own), 403);
    assert_eq!(get("/?token=0", &own), 403);
    assert_eq!(get(&path, "Host: example.com\r\n"), 403);
    assert_eq!(
        get(&path, &format!("{own}Origin: http://example.com\r\n")),
        403
    );
    assert_eq!(get(&path, &format!("{own}Origin: null\r\n")), 403);
    assert_eq!(
        get(&path, &format!("{own}Origin: http://localhost:{port}\r\n")),
        200
    );
    assert_eq!(get(&format!("/page.html?token={token}"), &own), 404);
    assert_eq!(get(&format!("/../page.html?token={token}"), &own), 404);
}

#[test]
fn files_that_are_named_are_served_by_their_numbers() {
    let folder = folder("files");
    fs::write(folder.join("wall.bin"), [1, 2, 3]).expect("written");
    let server = Server::start(&folder, &["--file", "wall.bin"]);
    let page = server.ask("GET", "/", "", "");
    assert!(String::from_utf8_lossy(&page.body).contains(r#""files":["wall.bin"]"#));
    assert_eq!(server.ask("GET", "/file/0", "", "").body, [1, 2, 3]);
    assert_eq!(server.ask("GET", "/file/1", "", "").status, 404);
    assert_eq!(server.ask("GET", "/file/x", "", "").status, 400);
}

/// The JSON and the bytes of an answer to messages.
fn messages(server: &Server, messages: &Value) -> (Value, Vec<u8>) {
    let Answer { status, body, .. } = server.ask("POST", "/answer", "", &messages.to_string());
    assert_eq!(status, 200, "{}", String::from_utf8_lossy(&body));
    let (length, rest) = body.split_first_chunk::<4>().expect("a length");
    let (json, bytes) = rest.split_at(u32::from_le_bytes(*length) as usize);
    (serde_json::from_slice(json).expect("JSON"), bytes.to_vec())
}

#[test]
fn pictures_are_drawn_by_the_command() {
    let folder = folder("answer");
    let server = Server::start(&folder, &[]);
    let program = json!({ "name": "a.attila", "text": ";! const c0 = 1 0.5 0 1\nmov o1, c0\n" });
    let load = json!({ "load": { "program": program } });
    let draw = json!({ "draw": { "size": [2, 1], "constants": [] } });
    let (json, pixels) = messages(&server, &json!([load, draw]));
    assert_eq!(json["rows"], json!([0, 1]));
    assert_eq!(pixels, [255, 127, 0, 255, 255, 127, 0, 255]);
    let huge = json!({ "draw": { "size": [16384, 16384], "constants": [] } });
    let (json, _) = messages(&server, &json!([load, huge]));
    assert!(
        json["error"]
            .as_str()
            .expect("an error")
            .contains("16384x16384")
    );
    assert_eq!(server.ask("POST", "/answer", "", "[").status, 400);
}

#[test]
fn programs_that_the_command_draws_have_its_files() {
    let folder = folder("answer-files");
    let wall = image::RgbaImage::from_pixel(1, 1, image::Rgba([9, 8, 7, 255]));
    wall.save(folder.join("wall.png"))
        .expect("it can be written");
    let server = Server::start(&folder, &["--file", "wall.png"]);
    let text = ";! texture t0 = wall.png, nearest\ntex o1, i6, t0\n";
    let load = json!({ "load": { "program": { "name": "a.attila", "text": text } } });
    let (_, pixels) = messages(&server, &json!([load, { "draw": { "size": [1, 1] } }]));
    assert_eq!(pixels, [9, 8, 7, 255]);
}

#[test]
fn a_watched_program_is_told_whenever_it_changes() {
    let folder = folder("watch");
    let file = folder.join("a.attila");
    fs::write(&file, "mov o1, i1\n").expect("written");
    let server = Server::start(&folder, &["--watch", "a.attila"]);
    let request = format!(
        "GET /watch?token={} HTTP/1.1\r\nHost: localhost:{}\r\n\r\n",
        server.token, server.port
    );
    let mut events = server.send(&request);
    let mut line = String::new();
    while line != "\r\n" {
        line.clear();
        events.read_line(&mut line).expect("headers");
    }
    for text in ["mov o1, i2\n", "mov o1, c100\n"] {
        fs::write(&file, text).expect("written");
        while !line.starts_with("data: ") {
            line.clear();
            events.read_line(&mut line).expect("an event");
        }
        let event: Value = serde_json::from_str(&line["data: ".len()..]).expect("JSON");
        assert_eq!(event, json!({ "name": "a.attila", "text": text }));
        line.clear();
    }
}

#[test]
fn random_requests_and_connections_change_nothing() {
    let folder = folder("random");
    let server = Server::start(&folder, &[]);
    let parts = [
        "GET ",
        "POST ",
        "/",
        "?token=",
        &server.token,
        " HTTP/1.1\r\n",
        "Host: localhost\r\n",
        "\r\n\r\n",
        "{\"draw\":",
        "\0",
        "%ff",
        "Content-Length: 99999999999\r\n",
    ];
    let mut state = 1u32;
    let mut below = |end: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as usize % end
    };
    for _ in 0..8000 {
        let request: String = (0..below(12)).map(|_| parts[below(parts.len())]).collect();
        drop(server.send(&request));
    }
    let words = [
        "[",
        "]",
        "{",
        "}",
        ",",
        "\"load\":",
        "\"draw\":",
        "\"size\":",
        "[2,2]",
        "\"program\":",
        "{\"name\":\"a\",\"text\":\"mov o1, c0\"}",
        "\"list\"",
        "-1",
        "1e999",
        "null",
        "\"mesh\":",
        "{\"model\":\"cube\",\"vertex\":{\"name\":\"v\",\"text\":\"mov o0, i0\"}}",
    ];
    for _ in 0..2000 {
        let body: String = (0..below(16)).map(|_| words[below(words.len())]).collect();
        let body = format!("[{body}]");
        assert!(
            [200, 400].contains(&server.ask("POST", "/answer", "", &body).status),
            "{body}"
        );
    }
    assert_eq!(server.ask("GET", "/", "", "").status, 200);
}

/// Bytes of memory that a server has.
#[cfg(target_os = "linux")]
fn memory(server: &Server) -> usize {
    let status = fs::read_to_string(format!("/proc/{}/status", server.child.id()));
    let status = status.expect("it runs");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB"));
    1024 * kilobytes
        .and_then(|it| it.parse::<usize>().ok())
        .expect("a size")
}

#[cfg(target_os = "linux")]
#[test]
fn a_thousand_connections_leave_memory_as_it_was() {
    let folder = folder("memory");
    fs::write(folder.join("a.attila"), "mov o1, i1\n").expect("written");
    let server = Server::start(&folder, &["--watch", "a.attila"]);
    let program = json!({ "name": "a.attila", "text": "mov o1, i6\n" });
    let messages_of = |n: usize| json!([{ "load": { "program": program } }, { "draw": { "size": [64, 64 + n % 8] } }]);
    let watch = format!(
        "GET /watch?token={} HTTP/1.1\r\nHost: localhost:{}\r\n\r\n",
        server.token, server.port
    );
    let connect = |count: usize| {
        for n in 0..count {
            assert_eq!(server.ask("GET", "/", "", "").status, 200);
            drop(server.send(&watch));
            if n % 10 == 0 {
                messages(&server, &messages_of(n / 10));
            }
        }
    };
    connect(300);
    let before = memory(&server);
    connect(1000);
    let more = memory(&server).saturating_sub(before);
    assert!(more < 4 << 20, "{more} bytes more");
}

#[test]
fn the_page_is_exported_with_its_program() {
    let folder = folder("export");
    fs::write(folder.join("page.html"), PAGE).expect("written");
    fs::write(folder.join("other.html"), "<title>another page</title>").expect("written");
    let path = |name: &str| folder.join(name).display().to_string();
    fs::write(path("a.attila"), "mov o1, i1\n").expect("written");
    let page = path("page.html");
    let outcome = attila(
        &format!("play {} --page {page} --export -", path("a.attila")),
        "",
    );
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert!(
        outcome
            .stdout
            .contains(r#"{"name":"a.attila","text":"mov o1, i1\n"}"#)
    );
    assert!(outcome.stdout.contains("<script>run()"));
    let outcome = attila(
        &format!("play --page {} --export -", path("other.html")),
        "",
    );
    assert_eq!(
        (outcome.code, &*outcome.stderr),
        (1, "error: that is not the playground's page\n")
    );
    let outcome = attila(&format!("play none.attila --page {page} --export -"), "");
    assert!(outcome.stderr.contains("none.attila"), "{}", outcome.stderr);
}
