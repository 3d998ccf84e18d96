//! The time from the start of `attila debug` to its first screen, in a terminal in tmux. The limit is 100 ms.
#![expect(clippy::print_stdout, reason = "benchmarks say what they measured")]

use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Starts that are measured.
const STARTS: usize = 10;

fn tmux(arguments: &[&str]) -> Option<String> {
    let mut command = Command::new("tmux");
    command
        .args(["-f", "/dev/null", "-L", "attila-bench"])
        .args(arguments);
    let output = command.stderr(Stdio::null()).output().ok()?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The time to the first screen of a debugger that is started in an open terminal.
fn start(sphere: &str) -> Option<Duration> {
    tmux(&["new-session", "-d", "-x", "120", "-y", "40", "sh"])?;
    sleep(Duration::from_millis(200));
    let attila = env!("CARGO_BIN_EXE_attila");
    let line = format!("{attila} debug {sphere} --pixel 320,240");
    tmux(&["send-keys", "-l", &line])?;
    sleep(Duration::from_millis(100));
    let start = Instant::now();
    tmux(&["send-keys", "Enter"])?;
    while !tmux(&["capture-pane", "-p"])?.contains("requests and history") {
        if start.elapsed() > Duration::from_secs(60) {
            return None;
        }
    }
    let time = start.elapsed();
    tmux(&["kill-server"])?;
    Some(time)
}

fn main() {
    let sphere = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/pictures/sphere.attila");
    let times: Option<Vec<Duration>> = (0..STARTS).map(|_| start(sphere)).collect();
    let Some(mut times) = times else {
        println!("SKIPPED: there is no tmux, or no screen");
        return;
    };
    times.sort_unstable();
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    println!(
        "first screen of attila debug: {:.0} ms, at most {:.0} ms of {STARTS}",
        milliseconds(times[STARTS / 2]),
        milliseconds(times[STARTS - 1])
    );
}
