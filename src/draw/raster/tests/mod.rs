//! Coverage and interpolation against exact references.

mod apart;
mod many;
mod planes;

use std::collections::BTreeMap;
use std::f32::consts::TAU;

use rand::{RngExt, SeedableRng, rngs::ChaCha8Rng};

use attila_machine::pipeline::Span;

use super::{
    Area, Corners, Cull, Distances, FrontFace, PlaneLayout, Primitives, Rules, Spans, Vertex,
};

/// A vertex with one attribute.
#[derive(Clone, Copy, Debug)]
struct Corner {
    position: [f32; 4],
    attribute: f32,
}

impl Vertex for Corner {
    fn position(&self) -> [f32; 4] {
        self.position
    }

    fn attribute(&self, _register: usize) -> [f32; 4] {
        [self.attribute; 4]
    }
}

fn at(x: f32, y: f32) -> Corner {
    Corner {
        position: [x, y, 0.5, 1.0],
        attribute: 0.0,
    }
}

pub(super) fn rules(width: i32, height: i32) -> Rules {
    within(Area {
        columns: 0..width,
        rows: 0..height,
    })
}

/// Rules of drawing all of an area.
pub(super) fn within(area: Area) -> Rules {
    Rules {
        drawn: area.clone(),
        area,
        cull: Cull::None,
        front: FrontFace::CounterClockwise,
        positions: None,
        distances: Distances::default(),
    }
}

/// How many random triangles a test is for: so many, or as `.ci/slow triangles` says.
pub(super) fn count_of(usual: usize) -> usize {
    let count = std::env::var("ATTILA_TRIANGLES").ok();
    count.map_or(usual, |count| {
        count.parse().expect("ATTILA_TRIANGLES is a number")
    })
}

/// Rows of a band that has all there are.
const ALL_ROWS: u32 = 1 << 15;

/// No triangles yet, to be drawn in bands of `height` rows.
fn none(rules: &Rules, height: u32) -> Primitives {
    let mut primitives = Primitives::default();
    primitives.clear(&rules.drawn, height);
    primitives
}

/// The spans of triangles, drawn in bands of `height` rows.
fn spans(rules: &Rules, triangles: &[[Corner; 3]], height: u32) -> Spans {
    let mut primitives = none(rules, height);
    for triangle in triangles {
        primitives.push(rules, &PlaneLayout::default(), triangle.each_ref());
    }
    spans_of(&primitives, rules, height)
}

/// The spans of triangles that have been set up.
fn spans_of(primitives: &Primitives, rules: &Rules, height: u32) -> Spans {
    let mut spans = Spans::default();
    let rows = rules.drawn.rows.clone();
    let bands = 0..rows.end.cast_unsigned().div_ceil(height);
    for band in bands {
        let top = (band * height).cast_signed();
        let area = Area {
            rows: rows.start.max(top)..rows.end.min(top + height.cast_signed()),
            ..rules.drawn.clone()
        };
        let bin = primitives.bins.band(band as usize);
        let mut next = 0;
        let mut append = |to: usize, spans: &mut Spans| {
            for span in &bin.spans()[next..to] {
                let quads = span.first as usize..(span.first + span.quads) as usize;
                let first = spans.coverage.len() as u32;
                spans.spans.push(Span { first, ..*span });
                spans.coverage.extend(&bin.coverage()[quads]);
            }
            next = to;
        };
        for (before, outline) in &bin.outlines {
            append(*before as usize, &mut spans);
            outline.spans(&area, &mut spans);
        }
        append(bin.spans().len(), &mut spans);
    }
    spans
}

/// The pixels that are covered, and the primitive of each.
fn pixels(spans: &Spans) -> Vec<((u32, u32), u32)> {
    let mut pixels = Vec::new();
    for span in &spans.spans {
        for quad in 0..span.quads {
            let coverage = spans.coverage[(span.first + quad) as usize];
            assert!(coverage != 0 && coverage < 16, "{span:?}");
            for lane in (0..4).filter(|lane| coverage >> lane & 1 != 0) {
                let x = span.x + 2 * quad + lane % 2;
                pixels.push(((x, span.y + lane / 2), span.primitive));
            }
        }
    }
    pixels
}

/// How often each pixel is covered.
fn hits(spans: &Spans) -> BTreeMap<(u32, u32), u32> {
    let mut hits = BTreeMap::new();
    for (pixel, _) in pixels(spans) {
        *hits.entry(pixel).or_default() += 1;
    }
    hits
}

fn drawn(rules: &Rules, triangles: &[[Corner; 3]]) -> BTreeMap<(u32, u32), u32> {
    hits(&spans(rules, triangles, ALL_ROWS))
}

/// Whether the centre of a pixel is inside, edge by edge and in whole numbers.
fn covers(triangle: &[Corner; 3], x: i32, y: i32) -> bool {
    let snap = |c: f32| (f64::from(c) * 256.0).round_ties_even() as i128;
    let mut points = triangle.map(|corner| [snap(corner.position[0]), snap(corner.position[1])]);
    let edge = |a: [i128; 2], b: [i128; 2], p: [i128; 2]| {
        (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
    };
    match edge(points[0], points[1], points[2]) {
        0 => return false,
        ..0 => points.swap(1, 2),
        1.. => {}
    }
    let centre = [256 * i128::from(x) + 128, 256 * i128::from(y) + 128];
    (0..3).all(|index| {
        let (a, b) = (points[index], points[(index + 1) % 3]);
        let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
        let top_left = dy < 0 || dy == 0 && dx > 0;
        let inside = edge(a, b, centre);
        inside > 0 || inside == 0 && top_left
    })
}

fn dice(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

/// A coordinate up to `size`, often on a centre, a border of pixels, or halfway between two
/// sub-pixels.
fn coordinate(dice: &mut ChaCha8Rng, size: f32) -> f32 {
    let free = dice.random_range(-0.2 * size..1.2 * size);
    match dice.random_range(0..4) {
        0 => free.floor() + 0.5,
        1 => free.floor(),
        2 => (free * 512.0).floor() / 512.0,
        _ => free,
    }
}

#[test]
fn coverage_is_that_of_the_exact_edge_test() {
    const SIZE: i32 = 24;
    let mut dice = dice(1);
    for _ in 0..4000 {
        let size = dice.random_range(0.5..30.0);
        let corner = |dice: &mut ChaCha8Rng| at(coordinate(dice, size), coordinate(dice, size));
        let triangle = [corner(&mut dice), corner(&mut dice), corner(&mut dice)];
        let [left, top] = [0, 1].map(|_| dice.random_range(0..SIZE / 2));
        let [right, bottom] = [0, 1].map(|_| dice.random_range(SIZE / 2..SIZE));
        let rules = within(Area {
            columns: left..right,
            rows: top..bottom,
        });
        let hits = drawn(&rules, &[triangle]);
        for (x, y) in (0..SIZE).flat_map(|y| (0..SIZE).map(move |x| (x, y))) {
            let within = rules.area.columns.contains(&x) && rules.area.rows.contains(&y);
            let expected = u32::from(within && covers(&triangle, x, y));
            let hit = hits.get(&(x as u32, y as u32)).copied().unwrap_or(0);
            assert_eq!(hit, expected, "({x}, {y}) of {triangle:?}");
        }
    }
}

/// The triangles of a grid of `cells` by `cells` over the window, its inner points anywhere within
/// their cells, and each cell cut along one of its diagonals.
fn grid(dice: &mut ChaCha8Rng, cells: usize, size: f32) -> Vec<[Corner; 3]> {
    let cell = size / cells as f32;
    let mut place = |index: usize| {
        let on_border = index == 0 || index == cells;
        let shift = if on_border {
            0.0
        } else {
            coordinate(dice, cell / 3.0)
        };
        index as f32 * cell + shift
    };
    let mut points = Vec::new();
    for row in 0..=cells {
        for column in 0..=cells {
            let (x, y) = (place(column), place(row));
            points.push(at(x, y));
        }
    }
    let mut triangles = Vec::new();
    for row in 0..cells {
        for column in 0..cells {
            let corner = row * (cells + 1) + column;
            let [a, b] = [points[corner], points[corner + 1]];
            let [c, d] = [points[corner + cells + 1], points[corner + cells + 2]];
            triangles.extend(if dice.random() {
                [[a, b, c], [c, b, d]]
            } else {
                [[b, a, d], [a, d, c]]
            });
        }
    }
    triangles
}

#[test]
fn meshes_that_tile_the_window_hit_every_pixel_once() {
    let mut dice = dice(2);
    for round in 0..60 {
        // Folded cells would cover twice: they have to be large against the shifts.
        let size = dice.random_range(40..140);
        let cells = dice.random_range(1..=(size as usize / 8));
        let triangles = grid(&mut dice, cells, size as f32);
        let hits = drawn(&rules(size, size), &triangles);
        assert_eq!(hits.len(), (size * size) as usize, "round {round}");
        assert!(hits.values().all(|&hits| hits == 1), "round {round}");
    }
}

#[test]
fn fans_around_any_point_hit_every_pixel_once() {
    const SIZE: i32 = 64;
    let mut dice = dice(3);
    for _ in 0..200 {
        let size = SIZE as f32;
        let hub = at(
            dice.random_range(1.0..63.0),
            coordinate(&mut dice, 40.0).clamp(1.0, 63.0),
        );
        // Around the border, many points between the corners.
        let mut rim = Vec::new();
        for (from, to) in [
            ([0.0, 0.0], [1.0, 0.0]),
            ([1.0, 0.0], [1.0, 1.0]),
            ([1.0, 1.0], [0.0, 1.0]),
            ([0.0, 1.0], [0.0, 0.0]),
        ] {
            let mut stops: Vec<f32> = (0..dice.random_range(0..30))
                .map(|_| dice.random())
                .collect();
            stops.push(0.0);
            stops.sort_by(f32::total_cmp);
            rim.extend(stops.iter().map(|stop| {
                let [x, y] =
                    [0, 1].map(|axis: usize| size * (from[axis] + stop * (to[axis] - from[axis])));
                at(x, y)
            }));
        }
        let fan: Vec<_> = (0..rim.len())
            .map(|n| [hub, rim[n], rim[(n + 1) % rim.len()]])
            .collect();
        let hits = drawn(&rules(SIZE, SIZE), &fan);
        assert_eq!(hits.len(), (SIZE * SIZE) as usize);
        assert!(hits.values().all(|&hits| hits == 1));
    }
}

#[test]
fn bands_give_the_quads_of_the_whole() {
    let mut dice = dice(4);
    for _ in 0..40 {
        let triangles = grid(&mut dice, 5, 90.0);
        let rules = rules(90, 90);
        let whole = spans(&rules, &triangles, ALL_ROWS);
        for height in [2, 16, 32, 64] {
            let bands = spans(&rules, &triangles, height);
            let of_band = |spans: &Spans| {
                let mut rows: BTreeMap<u32, Vec<_>> = BTreeMap::new();
                for span in &spans.spans {
                    let coverage = &spans.coverage[span.first as usize..][..span.quads as usize];
                    let row = rows.entry(span.y).or_default();
                    row.push((span.x, span.quads, span.primitive, coverage.to_vec()));
                }
                rows
            };
            assert_eq!(of_band(&bands), of_band(&whole), "{height}");
        }
    }
}

#[test]
fn spans_are_in_order_and_do_not_meet() {
    let mut dice = dice(5);
    for _ in 0..2000 {
        let corner = |dice: &mut ChaCha8Rng| at(coordinate(dice, 60.0), coordinate(dice, 8.0));
        let triangle = [corner(&mut dice), corner(&mut dice), corner(&mut dice)];
        let spans = spans(&rules(64, 8), &[triangle], 8);
        for pair in spans.spans.windows(2) {
            let end = pair[0].x + 2 * pair[0].quads;
            assert!(pair[0].y < pair[1].y || pair[0].y == pair[1].y && end < pair[1].x);
        }
        assert!(
            spans
                .spans
                .iter()
                .all(|span| span.x % 2 == 0 && span.y % 2 == 0)
        );
    }
}

#[test]
fn triangles_without_an_area_or_a_place_are_dropped() {
    let (nan, inf) = (f32::NAN, f32::INFINITY);
    let rules = rules(16, 16);
    for triangle in [
        [at(1.0, 1.0), at(9.0, 9.0), at(5.0, 5.0)],
        [at(1.0, 1.0), at(1.0, 1.0), at(9.0, 3.0)],
        // No longer one once it is snapped.
        [at(1.0, 1.0), at(9.0, 1.001), at(15.0, 1.0)],
        [at(nan, 1.0), at(9.0, 1.0), at(1.0, 9.0)],
        [at(1.0, 1.0), at(9.0, nan), at(1.0, 9.0)],
        [at(1.0, 1.0), at(9.0, 1.0), at(-inf, 9.0)],
        [at(1.0, inf), at(9.0, -inf), at(1.0, 9.0)],
        [at(nan, nan), at(inf, nan), at(nan, -inf)],
    ] {
        assert!(drawn(&rules, &[triangle]).is_empty(), "{triangle:?}");
    }
}

#[test]
fn huge_triangles_cover_what_they_should() {
    let rules = rules(20, 20);
    for huge in [1e5, 1e6, 3e6, 1e10, 1e20, 1e38, f32::MAX] {
        // Everything, and the part below a diagonal from (0, 0) to (20, 20).
        let all = [at(-huge, -huge), at(huge, -huge), at(0.0, huge)];
        assert_eq!(drawn(&rules, &[all]).len(), 400, "{huge}");
        let lower = [at(-huge, -huge), at(huge, huge), at(-huge, huge)];
        let upper = [at(-huge, -huge), at(huge, huge), at(huge, -huge)];
        // Farther away, f64 does not tell where between the ends the edge comes by.
        if huge <= 1e10 {
            let lower_hits = drawn(&rules, &[lower]);
            assert_eq!(lower_hits.len(), 20 * 19 / 2, "{huge}");
            assert!(lower_hits.keys().all(|(x, y)| x < y));
        }
        let both = drawn(&rules, &[lower, upper]);
        assert_eq!(both.len(), 400);
        assert!(both.values().all(|&hits| hits == 1));
    }
}

#[test]
fn huge_fans_hit_every_pixel_once() {
    let mut dice = dice(6);
    let rules = rules(32, 32);
    for _ in 0..500 {
        let hub = at(dice.random_range(0.0..32.0), dice.random_range(0.0..32.0));
        let mut angles: Vec<f32> = (0..12).map(|_| dice.random_range(0.0..TAU)).collect();
        angles.extend([0.1, 1.6, 3.1, 4.6]);
        angles.sort_by(f32::total_cmp);
        let far = 10_f32.powf(dice.random_range(3.0..37.0));
        let rim: Vec<_> = angles
            .iter()
            .map(|angle| at(far * angle.cos(), far * angle.sin()))
            .collect();
        let fan: Vec<_> = (0..rim.len())
            .map(|n| [hub, rim[n], rim[(n + 1) % rim.len()]])
            .collect();
        let hits = drawn(&rules, &fan);
        assert_eq!(hits.len(), 32 * 32, "{far}");
        assert!(hits.values().all(|&hits| hits == 1), "{far}");
    }
}

#[test]
fn any_bits_are_positions() {
    let mut dice = dice(7);
    let rules = rules(64, 64);
    for _ in 0..4000 {
        let corner = |dice: &mut ChaCha8Rng| {
            let [x, y] = [0, 1].map(|_| match dice.random_range(0..3) {
                0 => f32::from_bits(dice.random()),
                1 => dice.random_range(-1e7..1e7),
                _ => dice.random_range(-70.0..130.0),
            });
            at(x, y)
        };
        let triangle = [corner(&mut dice), corner(&mut dice), corner(&mut dice)];
        let hits = drawn(&rules, &[triangle]);
        assert!(hits.keys().all(|&(x, y)| x < 64 && y < 64));
        assert!(hits.values().all(|&hits| hits == 1));
    }
}

#[test]
fn culling_goes_by_the_order_of_the_vertices() {
    let clockwise = [at(2.0, 2.0), at(12.0, 2.0), at(2.0, 12.0)];
    let [a, b, c] = clockwise;
    let counter_clockwise = [a, c, b];
    let shown = |cull, front, triangle| {
        let rules = Rules {
            cull,
            front,
            ..rules(16, 16)
        };
        !drawn(&rules, &[triangle]).is_empty()
    };
    for (triangle, front) in [
        (clockwise, FrontFace::Clockwise),
        (counter_clockwise, FrontFace::CounterClockwise),
    ] {
        assert!(shown(Cull::None, front, triangle));
        assert!(shown(Cull::Back, front, triangle));
        assert!(!shown(Cull::Front, front, triangle));
    }
    assert!(!shown(Cull::Back, FrontFace::CounterClockwise, clockwise));
    assert!(shown(Cull::Front, FrontFace::CounterClockwise, clockwise));
}

#[test]
fn what_is_not_in_the_area_is_not_set_up() {
    let rules = rules(16, 16);
    for triangle in [
        [at(20.0, 2.0), at(30.0, 2.0), at(20.0, 9.0)],
        [at(-9.0, 2.0), at(-1.0, 2.0), at(-1.0, 9.0)],
        [at(2.0, 16.5), at(9.0, 16.5), at(2.0, 90.0)],
        // Between centres.
        [at(2.6, 2.0), at(3.4, 2.0), at(3.0, 9.0)],
        [at(2.0, 2.6), at(9.0, 3.4), at(5.0, 3.0)],
    ] {
        let mut primitives = none(&rules, ALL_ROWS);
        primitives.push(&rules, &PlaneLayout::default(), triangle.each_ref());
        assert!(primitives.bins.is_empty() && primitives.anchors.is_empty());
    }
}
