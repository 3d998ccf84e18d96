//! Random regions of every kind of operand.

use iced_x86::{Code, Register};

use crate::emit::wide::forms::{Form, Width};
use crate::emit::wide::mir::{
    Arg, Block, Class, Edge, End, Fma, Holds, Home, Inst, Label, Region, Split, Under, Vreg, Vregs,
};

/// A sequence of numbers (SplitMix64).
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// A number below `limit`.
    pub(super) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) % limit as u64) as usize
    }
}

/// The most blocks, and the most instructions of one.
#[derive(Clone, Copy)]
pub(super) struct Sizes {
    pub(super) blocks: usize,
    pub(super) insts: usize,
}

/// A region with its virtual registers.
pub(super) struct Made {
    pub(super) region: Region,
    pub(super) vregs: Vregs,
    /// Registers whose values are in memory always.
    pub(super) homes: Vec<Vreg>,
}

pub(super) fn mask_class(width: Width) -> Class {
    if width.has_masks() {
        Class::Mask
    } else {
        Class::Vector
    }
}

/// A new value in memory.
fn home(width: Width, class: Class, vregs: &mut Vregs, homes: &mut Vec<Vreg>) -> Vreg {
    let is_word = width.has_masks() && homes.len().is_multiple_of(2);
    let holds = match class {
        Class::Mask => Holds::Bits,
        Class::Vector if is_word => Holds::Word,
        Class::Vector => Holds::Vector,
    };
    let vreg = vregs.at_home(
        class,
        Home {
            base: Register::R15,
            displacement: 64 * homes.len() as i32,
            holds,
        },
    );
    homes.push(vreg);
    vreg
}

fn op(code: Code, args: &[Arg], under: Under) -> Inst {
    let args = args.into();
    Inst::Op { code, args, under }
}

/// A value of a class that is computed of what is in memory.
pub(super) fn start(
    width: Width,
    class: Class,
    vregs: &mut Vregs,
    homes: &mut Vec<Vreg>,
) -> (Vreg, Inst) {
    let [a, b] = [(); 2].map(|()| home(width, Class::Vector, vregs, homes));
    let result = vregs.add(class);
    let args = [Arg::Def(result), Arg::Use(a), Arg::UseMem(b)];
    let form = match class {
        Class::Vector => Form::Paddd,
        Class::Mask => Form::Pcmpgtd,
    };
    (result, op(form.code(width), &args, Under::All))
}

/// Instructions that use each of `params`, and one that computes the mask `wants`.
pub(super) fn turn(
    width: Width,
    class: Class,
    params: &[Vreg],
    wants: Vreg,
    vregs: &mut Vregs,
    homes: &[Vreg],
) -> (Vec<Inst>, Option<Inst>) {
    let mut sum = params[0];
    let mut insts = Vec::new();
    for &param in params {
        let result = vregs.add(class);
        let args = [Arg::Def(result), Arg::Use(sum), Arg::Use(param)];
        let code = match class {
            Class::Vector => Form::Paddd.code(width),
            Class::Mask => Code::VEX_Kxorw_kr_kr_kr,
        };
        insts.push(op(code, &args, Under::All));
        sum = result;
    }
    let test = if class == mask_class(width) {
        let code = match class {
            Class::Vector => Form::Paddd.code(width),
            Class::Mask => Code::VEX_Kandw_kr_kr_kr,
        };
        op(
            code,
            &[Arg::Def(wants), Arg::Use(sum), Arg::Use(params[0])],
            Under::All,
        )
    } else {
        let args = [Arg::Def(wants), Arg::Use(sum), Arg::UseMem(homes[0])];
        op(Form::Pcmpgtd.code(width), &args, Under::All)
    };
    (insts, Some(test))
}

/// A region that is being made.
struct Maker<'a> {
    width: Width,
    random: &'a mut Random,
    vregs: Vregs,
    homes: Vec<Vreg>,
    /// What may be used at this place: vectors, masks.
    usable: [Vec<Vreg>; 2],
    insts: Vec<Inst>,
}

/// A random region.
pub(super) fn made(width: Width, sizes: Sizes, random: &mut Random) -> Made {
    let count = 1 + random.below(sizes.blocks);
    let nexts = nexts(count, random);
    let over = dominators(&nexts);
    let mut maker = Maker {
        width,
        random,
        vregs: Vregs::default(),
        homes: Vec::new(),
        usable: [Vec::new(), Vec::new()],
        insts: Vec::new(),
    };
    for class in [
        Class::Vector,
        Class::Vector,
        Class::Vector,
        mask_class(width),
    ] {
        home(width, class, &mut maker.vregs, &mut maker.homes);
    }
    let params: Vec<Vec<Vreg>> = (0..count).map(|block| maker.params(block)).collect();
    let mut computed: Vec<[Vec<Vreg>; 2]> = Vec::new();
    let mut region = Region::default();
    for block in 0..count {
        maker.begin(&over[block], &computed, &params[block]);
        for _ in 0..maker.random.below(sizes.insts + 1) {
            maker.inst();
        }
        let end = maker.end(&nexts[block], &params);
        computed.push(std::mem::take(&mut maker.usable));
        region.blocks.push(Block {
            params: params[block].clone(),
            insts: std::mem::take(&mut maker.insts),
            origins: Vec::new(),
            end,
        });
    }
    Made {
        region,
        vregs: maker.vregs,
        homes: maker.homes,
    }
}

/// The blocks that may follow each: the next one, and perhaps another.
fn nexts(count: usize, random: &mut Random) -> Vec<Vec<usize>> {
    let next = |block: usize| {
        if block + 1 == count {
            return Vec::new();
        }
        // Nothing leads to the first block.
        let other = 1 + random.below(count - 1);
        match random.below(5) {
            0 | 1 => vec![block + 1],
            2 => vec![block + 1, other],
            _ => vec![other, block + 1],
        }
    };
    (0..count).map(next).collect()
}

/// The blocks that every way to a block goes through, itself last.
fn dominators(nexts: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let count = nexts.len();
    let mut over: Vec<Vec<usize>> = vec![(0..count).collect(); count];
    over[0] = vec![0];
    for _ in 0..count {
        for block in 1..count {
            let mut common: Vec<usize> = (0..count).collect();
            for (from, to) in nexts.iter().enumerate() {
                if to.contains(&block) {
                    common.retain(|it| over[from].contains(it));
                }
            }
            common.retain(|&it| it != block);
            common.push(block);
            over[block] = common;
        }
    }
    over
}

impl Maker<'_> {
    fn params(&mut self, block: usize) -> Vec<Vreg> {
        if block == 0 {
            return Vec::new();
        }
        let count = self.random.below(6);
        let classes = [Class::Vector, Class::Vector, mask_class(self.width)];
        let param = |_| self.vregs.add(classes[self.random.below(3)]);
        (0..count).map(param).collect()
    }

    fn begin(&mut self, over: &[usize], computed: &[[Vec<Vreg>; 2]], params: &[Vreg]) {
        self.usable = [Vec::new(), Vec::new()];
        for class in [Class::Vector, Class::Mask] {
            let known = over.iter().filter_map(|&block| computed.get(block));
            let mut known: Vec<Vreg> = known.flat_map(|it| it[class as usize].clone()).collect();
            known.sort_unstable();
            known.dedup();
            self.usable[class as usize] = known;
        }
        params.iter().for_each(|&param| self.known(param));
    }

    fn known(&mut self, vreg: Vreg) {
        self.usable[self.vregs.class(vreg) as usize].push(vreg);
    }

    /// A value that may be used, mostly a computed one.
    fn some(&mut self, class: Class) -> Vreg {
        let homes: Vec<Vreg> = self.homes.clone();
        let homes: Vec<Vreg> = homes
            .into_iter()
            .filter(|&home| self.vregs.class(home) == class)
            .collect();
        let known = &self.usable[class as usize];
        if known.is_empty() || self.random.below(6) == 0 {
            return homes[self.random.below(homes.len())];
        }
        // Half of them are new ones.
        let from = if self.random.below(2) == 0 {
            known.len().saturating_sub(6)
        } else {
            0
        };
        known[from + self.random.below(known.len() - from)]
    }

    fn vector(&mut self) -> Vreg {
        self.some(Class::Vector)
    }

    fn mask(&mut self) -> Vreg {
        self.some(mask_class(self.width))
    }

    fn fresh(&mut self, class: Class) -> Vreg {
        self.vregs.add(class)
    }

    fn push(&mut self, code: Code, args: &[Arg], under: Under) {
        self.insts.push(op(code, args, under));
    }

    fn form(&mut self, form: Form, args: &[Arg]) {
        self.push(form.code(self.width), args, Under::All);
    }

    fn inst(&mut self) {
        let [a, b, c] = [(); 3].map(|()| self.vector());
        let result = self.fresh(Class::Vector);
        let def = Arg::Def(result);
        match self.random.below(12) {
            0 | 1 => self.form(Form::Paddd, &[def, Arg::Use(a), Arg::UseMem(b)]),
            2 => self.form(Form::Pshufb, &[def, Arg::Use(a), Arg::UseWhole(b)]),
            3 => self.form(Form::Permilps, &[def, Arg::UseMem(a), Arg::Imm(27)]),
            4 | 5 => {
                let [negates_product, negates_sum] = [2, 2].map(|n| self.random.below(n) == 0);
                self.insts.push(Inst::Fma(Fma {
                    result,
                    of: [a, b, c],
                    negates_product,
                    negates_sum,
                    double: false,
                }));
            }
            6 => self.choose(result, [a, b]),
            7 => return self.mask_inst([a, b]),
            8 => return self.gather(result, a),
            9 => self.tied(result, [a, b, c]),
            10 => return self.split(result, [a, b]),
            _ => self.two_ways(result, a),
        }
        self.known(result);
    }

    fn choose(&mut self, result: Vreg, [a, b]: [Vreg; 2]) {
        let mask = self.mask();
        let args = [
            Arg::Def(result),
            Arg::Use(a),
            Arg::UseMem(b),
            Arg::Use(mask),
        ];
        match self.width {
            Width::V256 => {
                self.push(Code::VEX_Vblendvps_ymm_ymm_ymmm256_ymm, &args, Under::All);
            }
            Width::V512 if self.random.below(2) == 0 => {
                let args = [Arg::Def(result), Arg::UseWhole(a)];
                let code = Form::Movaps.code(self.width);
                self.push(code, &args, Under::Zeroing(mask));
            }
            Width::V512 => {
                let code = Code::EVEX_Vblendmps_zmm_k1z_zmm_zmmm512b32;
                self.push(code, &args[..3], Under::Mask(mask));
            }
        }
    }

    fn mask_inst(&mut self, [a, b]: [Vreg; 2]) {
        let result = self.fresh(mask_class(self.width));
        let [m, n] = [(); 2].map(|()| self.mask());
        match (self.width, self.random.below(3)) {
            (Width::V256, 0) => {
                let code = Code::VEX_Vtestps_ymm_ymmm256;
                return self.push(code, &[Arg::Use(m), Arg::Use(n)], Under::All);
            }
            (Width::V512, 0) => {
                let args = [Arg::Def(result), Arg::Use(m), Arg::Use(n)];
                self.push(Code::VEX_Kandw_kr_kr_kr, &args, Under::All);
            }
            _ => self.form(
                Form::Pcmpgtd,
                &[Arg::Def(result), Arg::Use(a), Arg::UseMem(b)],
            ),
        }
        self.known(result);
    }

    /// As the emitter makes it: lanes have a register of their own.
    fn gather(&mut self, result: Vreg, a: Vreg) {
        let zero = self.homes[0];
        let mask = self.mask();
        if self.vregs.home(a).is_some() || a == mask || mask == zero {
            return;
        }
        let used_up = self.fresh(mask_class(self.width));
        let args = [Arg::Tied(result, zero), Arg::Lanes(Register::R10, a, 4, 0)];
        let code = Form::Pgatherdd.code(self.width);
        self.push(code, &args, Under::Consumed(used_up, mask));
        self.known(result);
    }

    fn tied(&mut self, result: Vreg, [a, b, c]: [Vreg; 3]) {
        let mask = self.mask();
        match (self.width, self.random.below(2)) {
            (Width::V256, _) => {
                self.form(
                    Form::Paddd,
                    &[Arg::Def(result), Arg::UseMem(a), Arg::Use(a)],
                );
            }
            (Width::V512, 0) => {
                let args = [Arg::Tied(result, a), Arg::Use(b), Arg::Use(c)];
                let code = Code::EVEX_Vpermt2q_zmm_k1z_zmm_zmmm512b64;
                self.push(code, &args, Under::All);
            }
            (Width::V512, _) => {
                let args = [Arg::Tied(result, a), Arg::Use(b), Arg::UseMem(c)];
                self.push(Form::And.code(self.width), &args, Under::Mask(mask));
            }
        }
    }

    /// As a slow path: a value that a call may replace.
    fn split(&mut self, result: Vreg, [fast, x]: [Vreg; 2]) {
        let (mask, lanes) = (self.mask(), self.fresh(Class::Vector));
        let pins = [
            Arg::Tied(result, fast),
            Arg::Use(mask),
            Arg::Use(x),
            Arg::DefEarly(lanes),
        ];
        let sum = Form::Paddd.code(self.width);
        let cold = vec![
            op(
                sum,
                &[Arg::Def(lanes), Arg::Use(x), Arg::Use(x)],
                Under::All,
            ),
            op(
                sum,
                &[Arg::Def(result), Arg::Use(result), Arg::Use(lanes)],
                Under::All,
            ),
        ];
        self.insts.push(Inst::Split(Box::new(Split {
            code: Code::Jne_rel32_64,
            pins: pins.as_slice().into(),
            hot: Vec::new(),
            cold,
        })));
        self.known(result);
    }

    /// As a load at the end of a span: two ways to the same.
    fn two_ways(&mut self, result: Vreg, x: Vreg) {
        let pins = [Arg::DefEarly(result), Arg::Use(x)];
        let way = |imm| {
            let args = [Arg::Def(result), Arg::Use(x), Arg::Imm(imm)];
            vec![op(Form::Permilps.code(self.width), &args, Under::All)]
        };
        let (hot, cold) = (way(1), way(2));
        self.insts.push(Inst::Split(Box::new(Split {
            code: Code::Jb_rel32_64,
            pins: pins.as_slice().into(),
            hot,
            cold,
        })));
    }

    fn end(&mut self, nexts: &[usize], params: &[Vec<Vreg>]) -> End {
        let mut edges = nexts.iter().map(|&block| Edge {
            block,
            args: params[block]
                .iter()
                .map(|&param| self.arg(param, &params[block]))
                .collect(),
        });
        match (edges.next(), edges.next()) {
            (None, _) => End::Leave(Label(0)),
            (Some(edge), None) => End::Jump(edge),
            (Some(then), Some(other)) => {
                let mask = self.mask();
                End::Any { mask, then, other }
            }
        }
    }

    /// A value for a parameter: where it is possible, often another one of the same block.
    fn arg(&mut self, param: Vreg, params: &[Vreg]) -> Vreg {
        let class = self.vregs.class(param);
        let other = params[self.random.below(params.len())];
        let is_known = self.usable[class as usize].contains(&other);
        if is_known && self.random.below(2) == 0 {
            return other;
        }
        self.some(class)
    }
}
