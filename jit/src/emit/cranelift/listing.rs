//! Listings of Cranelift's input and of its code.

use std::ops::Range;

use cranelift_codegen::binemit::Reloc;
use cranelift_codegen::ir::{ExternalName, Function};
use cranelift_codegen::{CompiledCode, Context, FinalizedRelocTarget};
use cranelift_module::{FuncId, Module as _};
use target_lexicon::Triple;

use crate::Listing;
use crate::code::Module;
use crate::emit::{Made, disassembly};
use crate::ir::Origin;

/// The columns before the instructions of a text: Cranelift writes there what they are there for.
const PLACES: usize = 32;

/// A function's text, with the instruction that each line is there for.
pub(super) fn clif(function: &Function) -> Listing {
    let mut listing = Listing::default();
    for line in function.display().to_string().lines() {
        let columns = line
            .split_at_checked(PLACES)
            .map(|(it, rest)| (it.trim(), rest));
        let (place, text) = match columns {
            Some((place, text)) if place.is_empty() || place.starts_with('@') => (place, text),
            Some(_) | None => ("", line),
        };
        let place = usize::from_str_radix(place.trim_start_matches('@'), 16);
        listing.push(text, place.ok());
    }
    listing
}

/// The instructions of a function. Where there is no disassembler, they are as Cranelift writes them, which does not say what
/// they are there for.
///
/// # Panics
///
/// If the function is not compiled.
pub(super) fn assembly(context: &Context, module: &Module, triple: &Triple) -> Listing {
    let code = context.compiled_code().expect("it is compiled");
    if let Some(disassembler) = disassembly::of(triple.architecture) {
        return disassembler(&made(code), &links(code, &context.func, module));
    }
    let mut listing = Listing::default();
    let text = code.vcode.iter().flat_map(|text| text.lines());
    text.for_each(|line| listing.push(line, None));
    listing
}

/// The code, without constants behind it.
fn made(code: &CompiledCode) -> Made {
    let places = code.buffer.get_srclocs_sorted();
    let end = places.last().map_or(0, |place| place.end as usize);
    let origins = places.iter().flat_map(|place| {
        let is = (!place.loc.is_default()).then(|| place.loc.bits() as usize);
        let origin = is.map(Origin::instruction).unwrap_or_default();
        [(place.start, origin), (place.end, Origin::default())]
    });
    Made {
        bytes: code.buffer.data()[..end].to_vec(),
        origins: origins.map(|(at, origin)| (at as usize, origin)).collect(),
    }
}

/// The addresses in the code, and the names of what they will be.
fn links(code: &CompiledCode, function: &Function, module: &Module) -> Vec<(Range<usize>, String)> {
    let name = |target: &FinalizedRelocTarget| {
        let FinalizedRelocTarget::ExternalName(ExternalName::User(name)) = target else {
            return target.display(Some(&function.params));
        };
        let id = FuncId::from_u32(function.params.user_named_funcs()[*name].index);
        let known = module.declarations().get_function_decl(id);
        known.linkage_name(id).into_owned()
    };
    let links = code.buffer.relocs().iter().map(|it| {
        let at = it.offset as usize;
        let bytes = if it.kind == Reloc::Abs8 { 8 } else { 4 };
        (at..at + bytes, name(&it.target))
    });
    links.collect()
}
