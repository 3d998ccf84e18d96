//! An engine of the caller.

#[allow(
    dead_code,
    unreachable_pub,
    reason = "the file is a program of its own, too"
)]
#[path = "../../machine/examples/smallest.rs"]
mod smallest;

use std::sync::Arc;

use attila_shader::{
    Bindings, ColourFormat, ColourImage, Draw, Engine, Plane, Program, ValidProgram, Varying,
};
use smallest::Mover;

fn program(text: &str) -> ValidProgram {
    let program = Program::assemble(text).expect("it is a program");
    program.validate().expect("it is valid")
}

#[test]
fn the_smallest_engine_draws_and_maps_as_the_interpreter_does() {
    let results = [Engine::interp(), Engine::custom(Arc::new(Mover))].map(|engine| {
        let shader = engine.prepare(&program("mov o1, i1")).unwrap();
        let mut image = ColourImage::new(ColourFormat::Rgba32F, 5, 3);
        let component = |dx, dy| Plane { at: 0.0, dx, dy };
        let planes = [(1.0, 0.0), (0.0, 1.0), (0.5, 0.25), (0.0, 0.0)];
        let colour = Varying::linear(planes.map(|(dx, dy)| component(dx, dy)));
        let draw = Draw::new(&shader).varying(1, colour).target(0, &mut image);
        draw.rect(0..5, 0..3).unwrap();
        let (inputs, mut outputs) = ([[1.0, -0.0, 3.0, 0.5]; 7], [[0.0; 4]; 7]);
        let bindings = Bindings::new();
        let map = shader.map(&bindings).input(1, &inputs);
        map.output(1, &mut outputs).run().unwrap();
        assert_eq!(outputs, inputs);
        image.bytes().to_vec()
    });
    assert!(results[0].iter().any(|byte| *byte != 0));
    assert_eq!(results[0], results[1]);
}

#[test]
fn the_smallest_engine_refuses_other_programs() {
    let engine = Engine::custom(Arc::new(Mover));
    assert!(engine.prepare(&program("mov o1, i2")).is_err());
    assert!(engine.prepare_stateful(&program("mov o1, i1")).is_err());
}
