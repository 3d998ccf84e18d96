//! Vertex and fragment programs in draws.

use attila_shader::draw::{
    ColourImage, DepthImage, DepthState, Draw, Interpolation, Mesh, Plane, Varying,
};
use attila_shader::front::tgsi::{self, Dialect, Input, SemanticName, Translation};
use attila_shader::machine::SampleCount;
use attila_shader::machine::pipeline::{ColourFormat, Compare, DepthFormat};
use attila_shader::{Bindings, Shader, VertexBuffers};

use super::translated;

const SIZE: u32 = 8;

/// Two triangles that cover everything, the second right of and below the diagonal; no buffers.
const CORNERS: [[u32; 3]; 2] = [[0, 1, 2], [2, 1, 3]];

/// Vertex n of four at the corners: x is its bit 0, y bit 1, upwards.
const VERTEX: &str = "VERT
DCL SV[0], VERTEXID
DCL SV[1], INSTANCEID
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[9]
DCL OUT[2], COLOR
DCL TEMP[0..1]
IMM[0] UINT32 { 1, 2, 0, 0 }
IMM[1] FLT32 { 1.0, 2.0, 0.5, 0.0 }
AND TEMP[0].xy, SV[0].xxxx, IMM[0].xyyy
U2F TEMP[0].xy, TEMP[0]
MAD OUT[0].xy, TEMP[0], IMM[1].yxxx, -IMM[1].xxxx
MOV OUT[0].zw, IMM[1].wwwx
MOV OUT[1].x, SV[0].xxxx
MOV OUT[1].y, SV[1].xxxx
MOV OUT[2], IMM[1].yyyy
END";

fn image() -> ColourImage {
    ColourImage::new(ColourFormat::Rgba32F, SIZE, SIZE)
}

/// A program on every engine.
fn prepared(text: &str) -> (Translation, Vec<Shader>) {
    let translation = translated(text, Dialect::T23);
    let shaders = super::prepared(&translation);
    (translation, shaders)
}

/// A draw with inputs as the text interpolates them.
fn draw<'a>(translation: &Translation, shader: &Shader) -> Draw<'a> {
    let mut draw = Draw::new(shader);
    for port in &translation.details.inputs {
        let given = [
            SemanticName::Position,
            SemanticName::Face,
            SemanticName::PrimitiveId,
        ];
        let interpolation = match port.varying.interpolation {
            Some(tgsi::Interpolation::Constant) => Interpolation::Flat,
            Some(tgsi::Interpolation::Linear) => Interpolation::Linear,
            Some(tgsi::Interpolation::Perspective | tgsi::Interpolation::Color) | None => {
                Interpolation::Perspective
            }
        };
        let semantic = port.varying.semantic.map(|it| it.name);
        if let Some(register) = port
            .register
            .filter(|_| !semantic.is_some_and(|it| given.contains(&it)))
        {
            let varying = Varying::vertices(interpolation).cylindrical(port.varying.wraps);
            draw = draw.varying(register.into(), varying);
        }
    }
    draw.sample_shading(translation.details.runs_for_samples())
}

/// A draw that is told of the outputs of the vertex program, too.
fn linked<'a>(vertex: &Translation, fragment: &Translation, shader: &Shader) -> Draw<'a> {
    let details = &vertex.details;
    let draw = draw(fragment, shader).two_sided(details.is_two_sided());
    let clips = details.clip_distances().into_iter();
    let draw = clips.fold(draw, |draw, (register, slots)| {
        draw.clip_distances(register, slots)
    });
    let culls = details.cull_distances().into_iter();
    culls.fold(draw, |draw, (register, slots)| {
        draw.cull_distances(register, slots)
    })
}

/// The constants of a translation, for images of this size.
fn bindings(translation: &Translation) -> Bindings<'static> {
    super::bindings(translation, |_| [SIZE as f32, SIZE as f32, 0.0, 1.0])
}

fn words(image: &ColourImage, x: u32, y: u32) -> [u32; 4] {
    let pixel = image.pixel::<[f32; 4]>(x, y).expect("it is in the image");
    pixel.map(f32::to_bits)
}

#[test]
fn vertices_instances_and_triangles_know_their_numbers() {
    let (translation, vertices) = prepared(VERTEX);
    let constants = bindings(&translation);
    let (fragment, fragments) = prepared(
        "FRAG
DCL IN[0], GENERIC[9], CONSTANT
DCL IN[1].x, PRIM_ID, CONSTANT
DCL OUT[0], COLOR
MOV OUT[0].xy, IN[0]
MOV OUT[0].z, IN[1].xxxx
MOV OUT[0].w, IN[1].yyyy
END",
    );
    let buffers = VertexBuffers::new();
    for (vertex, shader) in vertices.iter().zip(&fragments) {
        let mut target = image();
        let mesh = Mesh::new(vertex, &buffers, &CORNERS)
            .bindings(&constants)
            .instance(7);
        draw(&fragment, shader)
            .target(0, &mut target)
            .mesh(&mesh)
            .expect("it draws");
        // Flat inputs are those of the last vertex.
        assert_eq!(words(&target, 0, SIZE - 1), [2, 7, 0, 0]);
        assert_eq!(words(&target, SIZE - 1, 0), [3, 7, 1, 0]);
    }
}

#[test]
fn numbers_of_triangles_do_not_depend_on_threads() {
    let (fragment, fragments) = prepared(
        "FRAG
DCL IN[0].x, PRIM_ID, CONSTANT
DCL OUT[0], COLOR
MOV OUT[0], IN[0].xxxx
END",
    );
    let (translation, vertices) = prepared(VERTEX);
    let constants = bindings(&translation);
    let buffers = VertexBuffers::new();
    // More than one thread sets up at a time; only the last covers anything.
    let mut triangles = vec![[0, 0, 0]; 9999];
    triangles.push(CORNERS[0]);
    for (vertex, shader) in vertices.iter().zip(&fragments) {
        let mut target = image();
        draw(&fragment, shader)
            .target(0, &mut target)
            .threads(2)
            .mesh(&Mesh::new(vertex, &buffers, &triangles).bindings(&constants))
            .expect("it draws");
        assert_eq!(words(&target, 0, SIZE - 1), [9999; 4]);
    }
}

#[test]
fn rectangles_are_primitive_0_and_a_varying_of_that_number_goes_first() {
    let text = "FRAG\nDCL IN[0], PRIM_ID, CONSTANT\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0].xxxx\nEND";
    let (_, fragments) = prepared(text);
    for shader in &fragments {
        let mut target = image();
        let all = || (0..SIZE, 0..SIZE);
        let (columns, rows) = all();
        let drawn = Draw::new(shader).target(0, &mut target).rect(columns, rows);
        drawn.expect("it draws");
        assert_eq!(words(&target, 3, 3), [0; 4]);
        let (columns, rows) = all();
        let drawn = Draw::new(shader)
            .varying(55, Varying::flat([f32::from_bits(5); 4]))
            .target(0, &mut target)
            .rect(columns, rows);
        drawn.expect("it draws");
        assert_eq!(words(&target, 3, 3), [5; 4]);
    }
}

#[test]
fn vertex_colours_are_clamped_only_if_the_mesh_says_so() {
    let (translation, vertices) = prepared(VERTEX);
    let constants = bindings(&translation);
    let text = "FRAG\nDCL IN[0], COLOR, COLOR\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND";
    let (fragment, fragments) = prepared(text);
    let buffers = VertexBuffers::new();
    for (vertex, shader) in vertices.iter().zip(&fragments) {
        for (clamp, expected) in [(true, 1.0), (false, 2.0)] {
            let mut target = image();
            let mesh = Mesh::new(vertex, &buffers, &CORNERS)
                .bindings(&constants)
                .clamp_colour(clamp);
            let drawn = draw(&fragment, shader).target(0, &mut target).mesh(&mesh);
            drawn.expect("it draws");
            assert_eq!(target.pixel::<[f32; 4]>(4, 4), Some([expected; 4]));
        }
    }
}

#[test]
fn several_colours_and_the_depth_come_out_and_the_stencil_is_only_listed() {
    let (fragment, fragments) = prepared(
        "FRAG
PROPERTY FS_COORD_ORIGIN LOWER_LEFT
DCL IN[0], POSITION, LINEAR
DCL IN[1], FACE, CONSTANT
DCL OUT[0], COLOR[0]
DCL OUT[1], COLOR[2]
DCL OUT[2], POSITION
DCL OUT[3], STENCIL
IMM[0] FLT32 { 0.25, 3.0, 0.0, 1.0 }
MOV OUT[0], IN[0]
MOV OUT[1], IN[1].xxxx
MOV OUT[2].z, IMM[0].xxxx
MOV OUT[3].y, IMM[0].yyyy
END",
    );
    let listed = fragment.outputs.iter();
    let stencil = listed.filter(|(output, _)| output.name == SemanticName::Stencil);
    assert_eq!(stencil.count(), 1);
    let bindings = bindings(&fragment);
    let state = DepthState {
        compare: Compare::Always,
        write: true,
    };
    for shader in &fragments {
        let (mut first, mut second) = (image(), image());
        let mut depths = DepthImage::new(DepthFormat::D32F, SIZE, SIZE);
        let drawn = Draw::new(shader)
            .bindings(&bindings)
            .target(0, &mut first)
            .target(2, &mut second)
            .depth(&mut depths, state)
            .rect(0..SIZE, 0..SIZE);
        drawn.expect("it draws");
        let position = [2.5, SIZE as f32 - 1.5, 0.5, 1.0];
        assert_eq!(first.pixel::<[f32; 4]>(2, 1), Some(position));
        assert_eq!(second.pixel::<[f32; 4]>(2, 1), Some([1.0; 4]));
        assert_eq!(depths.pixel::<f32>(2, 1), Some(0.25));
    }
}

#[test]
fn inputs_beyond_the_sixteenth_have_planes_like_all_others() {
    let text = "FRAG\nDCL IN[0], GENERIC[20], LINEAR\nDCL IN[1], PCOORD, LINEAR\nDCL OUT[0], COLOR\nADD OUT[0], IN[0], IN[1]\nEND";
    let (fragment, fragments) = prepared(text);
    let registers: Vec<u8> = fragment
        .inputs
        .iter()
        .map(|(_, register)| *register)
        .collect();
    assert_eq!(registers, [35, 47]);
    let generic = fragment.inputs.iter().map(|(input, _)| *input).next();
    assert!(matches!(generic, Some(Input::Semantic(it)) if it.index == 20));
    let plane = |dx, dy| Plane { at: 1.0, dx, dy };
    for shader in &fragments {
        let mut target = image();
        let drawn = Draw::new(shader)
            .varying(35, Varying::linear([plane(1.0, 0.0); 4]))
            .varying(47, Varying::linear([plane(0.0, 2.0); 4]))
            .target(0, &mut target)
            .rect(0..SIZE, 0..SIZE);
        drawn.expect("it draws");
        let expected = (1.0 + 5.5) + (1.0 + 2.0 * 3.5);
        assert_eq!(target.pixel::<[f32; 4]>(5, 3), Some([expected; 4]));
    }
}

#[test]
fn outputs_of_vertices_cut_triangles_and_colour_their_backs() {
    let text = VERTEX
        .replace(
            "DCL OUT[2], COLOR",
            "DCL OUT[2], COLOR\nDCL OUT[3], BCOLOR\nDCL OUT[4], CLIPDIST\nDCL OUT[5], CULLDIST",
        )
        .replace(
            "MOV OUT[2], IMM[1].yyyy",
            "MOV OUT[2], IMM[1].zzzz\nMOV OUT[3], IMM[1].xxxx\nMAD OUT[4], TEMP[0].xxxx, IMM[1].yyyy, -IMM[1].xxxx\nMOV OUT[5].x, -IMM[1].xxxx",
        );
    let fragment = "FRAG\nDCL IN[0], COLOR, PERSPECTIVE\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nEND";
    let (fragment, fragments) = prepared(fragment);
    for (property, culls) in [("", true), ("PROPERTY NUM_CULLDIST_ENABLED 0\n", false)] {
        let (translation, vertices) =
            prepared(&text.replace("VERT\n", &format!("VERT\n{property}")));
        let constants = bindings(&translation);
        let buffers = VertexBuffers::new();
        for (vertex, shader) in vertices.iter().zip(&fragments) {
            for (triangles, colour) in [
                (CORNERS, 0.5_f32),
                (CORNERS.map(|[a, b, c]| [a, c, b]), 1.0),
            ] {
                let mut target = image();
                linked(&translation, &fragment, shader)
                    .target(0, &mut target)
                    .mesh(&Mesh::new(vertex, &buffers, &triangles).bindings(&constants))
                    .expect("it draws");
                for (x, y) in (0..SIZE).flat_map(|y| (0..SIZE).map(move |x| (x, y))) {
                    let expected = if culls || x < SIZE / 2 { 0.0 } else { colour };
                    assert_eq!(words(&target, x, y)[0], expected.to_bits(), "({x}, {y})");
                }
            }
        }
    }
}

#[test]
fn samples_have_numbers_and_positions_and_masks_choose_some() {
    let (translation, vertices) = prepared(VERTEX);
    let constants = bindings(&translation);
    let (fragment, fragments) = prepared(
        "FRAG
DCL IN[0], GENERIC[9], LINEAR, SAMPLE
DCL SV[0], SAMPLEID
DCL SV[1], SAMPLEPOS
DCL SV[2], SAMPLEMASK
DCL OUT[0], COLOR
DCL OUT[1], SAMPLEMASK
IMM[0] UINT32 { 11, 0, 0, 0 }
U2F OUT[0].x, SV[0].xxxx
MOV OUT[0].yz, SV[1].xxyy
MOV OUT[0].w, IN[0].yyyy
AND OUT[1].x, SV[2].xxxx, IMM[0].xxxx
END",
    );
    let values = bindings(&fragment);
    let buffers = VertexBuffers::new();
    for (vertex, shader) in vertices.iter().zip(&fragments) {
        let (format, count) = (ColourFormat::Rgba32F, SampleCount::Four);
        let mut target = ColourImage::multisampled(format, SIZE, SIZE, count);
        target.fill([9.0_f32; 4]);
        let mesh = Mesh::new(vertex, &buffers, &CORNERS).bindings(&constants);
        linked(&translation, &fragment, shader)
            .bindings(&values)
            .target(0, &mut target)
            .mesh(&mesh.instance(7))
            .expect("it draws");
        let sample = |n| {
            target
                .sample(n)
                .pixel::<[f32; 4]>(3, 5)
                .expect("it is there")
        };
        let all = [0, 1, 2, 3].map(sample);
        // The positions of four samples, in sixteenths, from the corner.
        let [a, b, c, d] = [[6.0, 2.0], [14.0, 6.0], [2.0, 10.0], [10.0, 14.0]];
        let at = |n: f32, [x, y]: [f32; 2]| [n, x / 16.0, y / 16.0];
        let expected = [at(0.0, a), at(1.0, b), [9.0; 3], at(3.0, d)];
        assert_eq!(
            all.map(|[x, y, z, _]| [x, y, z]),
            expected,
            "{c:?} is masked"
        );
    }
}
