//! The value of an instruction as a picture over all pixels.

use attila_shader::draw::Draw;
use attila_shader::isa::{Bank, DstReg, Inst, Operand, Profile, Reg, Slots};
use attila_shader::{ColourFormat, Program, ValidProgram};
use serde_json::json;

use crate::drawing;
use crate::message::Picture;
use crate::session::{Answered, Session};

/// The colour of a pixel whose value is no number.
const NAN: [u8; 4] = [255, 0, 255, 255];

/// The outputs that targets take.
const TARGETS: std::ops::RangeInclusive<u16> = 1..=8;

/// Draws what an instruction writes, the last time that it is executed, clamped to 0 to 1. One component is grey.
pub(crate) fn draw(session: &mut Session, instruction: usize, picture: &Picture) -> Answered {
    let engine = session.engine(picture.engine).clone();
    let ready = session.ready(picture)?;
    let valid = &ready.scene.loaded.program;
    let insts = valid.program().insts();
    let inst = insts
        .get(instruction)
        .ok_or("there is no such instruction")?;
    let written = inst.dst.reg.ok_or("it writes no register")?;
    let is_spare = |output: &u16| !valid.usage().writes_output((*output).into());
    let mut spare = TARGETS.filter(is_spare);
    let output = spare.next().ok_or("no output is left for the value")?;
    let program = with_copy(valid.program(), instruction, output)?;
    let shader = &engine.prepare(&program).map_err(drawing::message)?;
    let bindings = drawing::bindings(ready.scene, picture);
    let mut image = ready.image(ColourFormat::Rgba32F)?;
    let draw = Draw::new(shader).bindings(&bindings);
    let draw = draw.target(usize::from(output) - 1, &mut image);
    ready.paint(draw, [0, ready.rows[0]], ready.tile())?;
    let values = image.bytes().chunks_exact(16).map(|pixel| {
        let component = |at: usize| {
            pixel[4 * at..]
                .first_chunk()
                .map_or(0.0, |it| f32::from_le_bytes(*it))
        };
        [0, 1, 2, 3].map(component)
    });
    let pixels: Vec<u8> = values
        .flat_map(|value| colour(value, written.mask))
        .collect();
    let name = valid.program().insts()[instruction].to_string();
    Ok((json!({ "instruction": name, "rows": ready.rows }), pixels))
}

/// The program, with a copy of an instruction before it that writes to an output.
fn with_copy(program: &Program, at: usize, output: u16) -> Result<ValidProgram, String> {
    let moved = |pc: usize| pc + usize::from(pc >= at);
    let mut insts: Vec<Inst> = Vec::with_capacity(program.insts().len() + 1);
    for (pc, inst) in program.insts().iter().enumerate() {
        let reg = Reg::within(Profile::Extended, Bank::Output, output);
        if let (true, Some(dst), Some(reg)) = (pc == at, inst.dst.reg, reg) {
            let mut copy = *inst;
            (copy.end, copy.dst.pred) = (false, None);
            copy.dst.reg = Some(DstReg { reg, ..dst });
            insts.push(copy);
        }
        let mut inst = *inst;
        if let Some(offset) = inst.jump_offset() {
            // A jump to the instruction comes to its copy first.
            let target = pc.saturating_add_signed(offset as isize);
            let target = if target == at { at } else { moved(target) };
            inst.operands[1] = Operand::Offset((target as i64 - moved(pc) as i64) as i32);
        }
        insts.push(inst);
    }
    let copied = program
        .with_insts(insts)
        .map_err(|(_, error)| error.to_string())?;
    copied.validate().map_err(drawing::message)
}

/// The pixel of a value of which some components count.
fn colour(value: [f32; 4], mask: Slots) -> [u8; 4] {
    let of = |at: usize| value[at];
    let counted: Vec<usize> = (0..4).filter(|at| mask.bits() & (1 << at) != 0).collect();
    let shown = match counted[..] {
        [only] => [of(only); 3],
        [..] => [0, 1, 2].map(|at| if counted.contains(&at) { of(at) } else { 0.0 }),
    };
    if shown.iter().any(|it| it.is_nan()) {
        return NAN;
    }
    let [r, g, b] = shown.map(|it| (it.clamp(0.0, 1.0) * 255.0) as u8);
    [r, g, b, 255]
}
