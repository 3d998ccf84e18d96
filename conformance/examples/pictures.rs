//! Prints random draws, a line of JSON each, with what both engines draw: for doors whose tests are in another language.
//! Arguments are how many, and the bytes of a row of targets.

#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, reason = "it prints for other programs")]

use attila_conformance::pictures::Picture;
use attila_shader::Engine;

fn main() {
    let mut arguments = std::env::args().skip(1).map(|it| it.parse());
    let mut number = |otherwise| match arguments.next() {
        Some(given) => given.expect("arguments are numbers"),
        None => otherwise,
    };
    let (count, pitch) = (number(300), number(160));
    let engines = [Engine::interp(), Engine::auto()];
    for picture in Picture::all().take(count) {
        println!("{}", picture.json(&engines, pitch));
    }
}
