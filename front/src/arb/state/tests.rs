use super::super::binding::{Light, Material, Product};
use super::*;

const MATRIX: Matrix4 = Matrix4 {
    rows: [
        [2.0, 0.0, 0.0, 3.0],
        [0.0, 4.0, 0.0, 5.0],
        [0.0, 0.0, 8.0, 6.0],
        [0.0, 0.0, 0.0, 1.0],
    ],
};

fn rows(state: &FixedState, matrix: Matrix, transform: Transform) -> [[f32; 4]; 4] {
    [0, 1, 2, 3].map(|row| state.value(State::MatrixRow(matrix, transform, row)))
}

/// A material and a light of which no two numbers are the same.
fn lit() -> FixedState {
    FixedState {
        front: SurfaceMaterial {
            ambient: [0.1, 0.2, 0.3, 0.4],
            diffuse: [0.5, 0.25, 0.75, 0.6],
            specular: [2.0, 3.0, 4.0, 0.7],
            emission: [0.01, 0.02, 0.03, 0.04],
            shininess: 17.0,
        },
        lights: vec![
            LightSource::initial(0),
            LightSource {
                ambient: [10.0, 20.0, 30.0, 40.0],
                diffuse: [2.0, 4.0, 8.0, 16.0],
                specular: [1.0, 0.5, 0.25, 0.125],
                position: [3.0, 0.0, 4.0, 1.0],
                attenuation: [1.0, 2.0, 3.0],
                spot_direction: [0.0, 2.0, -1.0],
                spot_exponent: 5.0,
                spot_cutoff: 60.0,
            },
        ],
        ambient: [10.0, 10.0, 10.0, 10.0],
        ..FixedState::default()
    }
}

#[test]
fn a_new_state_is_that_of_a_new_context() {
    let state = FixedState::default();
    let value = |state_vector| state.value(state_vector);
    for face in [Face::Front, Face::Back] {
        let material = |property| value(State::Material(face, property));
        assert_eq!(material(Material::Ambient), [0.2, 0.2, 0.2, 1.0]);
        assert_eq!(material(Material::Diffuse), [0.8, 0.8, 0.8, 1.0]);
        assert_eq!(material(Material::Specular), [0.0, 0.0, 0.0, 1.0]);
        assert_eq!(material(Material::Emission), [0.0, 0.0, 0.0, 1.0]);
        assert_eq!(material(Material::Shininess), [0.0, 0.0, 0.0, 1.0]);
        assert_eq!(
            value(State::SceneColor(face)),
            [0.2 * 0.2, 0.2 * 0.2, 0.2 * 0.2, 1.0]
        );
    }
    for (light, level) in [(0, 1.0), (1, 0.0), (7, 0.0)] {
        let light = |property| value(State::Light(light, property));
        assert_eq!(light(Light::Ambient), [0.0, 0.0, 0.0, 1.0]);
        assert_eq!(light(Light::Diffuse), [level, level, level, 1.0]);
        assert_eq!(light(Light::Specular), [level, level, level, 1.0]);
        assert_eq!(light(Light::Position), [0.0, 0.0, 1.0, 0.0]);
        assert_eq!(light(Light::Attenuation), [1.0, 0.0, 0.0, 0.0]);
        assert_eq!(light(Light::SpotDirection), [0.0, 0.0, -1.0, -1.0]);
        assert_eq!(light(Light::Half), [0.0, 0.0, 1.0, 1.0]);
    }
    assert_eq!(value(State::LightModelAmbient), [0.2, 0.2, 0.2, 1.0]);
    for space in [TexGen::Eye, TexGen::Object] {
        let plane = |coordinate| value(State::TexGen(7, space, coordinate));
        assert_eq!(plane(0), [1.0, 0.0, 0.0, 0.0]);
        assert_eq!(plane(1), [0.0, 1.0, 0.0, 0.0]);
        assert_eq!([plane(2), plane(3)], [[0.0; 4]; 2]);
    }
    assert_eq!(value(State::TexEnvColor(15)), [0.0; 4]);
    assert_eq!(value(State::FogColor), [0.0; 4]);
    assert_eq!(value(State::FogParams), [1.0, 0.0, 1.0, 1.0]);
    assert_eq!(value(State::ClipPlane(5)), [0.0; 4]);
    assert_eq!(value(State::PointSize), [1.0, 0.0, 64.0, 1.0]);
    assert_eq!(value(State::PointAttenuation), [1.0, 0.0, 0.0, 1.0]);
    assert_eq!(value(State::DepthRange), [0.0, 1.0, 1.0, 1.0]);
    let matrices = [
        Matrix::ModelView(3),
        Matrix::Projection,
        Matrix::ModelViewProjection,
        Matrix::Texture(7),
        Matrix::Palette(31),
        Matrix::Program(7),
    ];
    for matrix in matrices {
        assert_eq!(
            rows(&state, matrix, Transform::InverseTranspose),
            Matrix4::IDENTITY.rows
        );
    }
}

#[test]
fn each_side_has_its_material() {
    let state = lit();
    let front = |property| state.value(State::Material(Face::Front, property));
    assert_eq!(front(Material::Ambient), [0.1, 0.2, 0.3, 0.4]);
    assert_eq!(front(Material::Diffuse), [0.5, 0.25, 0.75, 0.6]);
    assert_eq!(front(Material::Specular), [2.0, 3.0, 4.0, 0.7]);
    assert_eq!(front(Material::Emission), [0.01, 0.02, 0.03, 0.04]);
    assert_eq!(front(Material::Shininess), [17.0, 0.0, 0.0, 1.0]);
    let back = state.value(State::Material(Face::Back, Material::Ambient));
    assert_eq!(back, [0.2, 0.2, 0.2, 1.0]);
}

#[test]
fn lights_give_their_numbers_in_the_order_of_the_language() {
    let state = lit();
    let light = |property| state.value(State::Light(1, property));
    assert_eq!(light(Light::Ambient), [10.0, 20.0, 30.0, 40.0]);
    assert_eq!(light(Light::Diffuse), [2.0, 4.0, 8.0, 16.0]);
    assert_eq!(light(Light::Specular), [1.0, 0.5, 0.25, 0.125]);
    assert_eq!(light(Light::Position), [3.0, 0.0, 4.0, 1.0]);
    assert_eq!(light(Light::Attenuation), [1.0, 2.0, 3.0, 5.0]);
    assert_eq!(light(Light::SpotDirection), [0.0, 2.0, -1.0, 0.5]);
}

#[test]
fn a_half_vector_is_between_the_light_and_the_viewer() {
    let state = lit();
    // (0.6, 0, 0.8) + (0, 0, 1) has the length sqrt(3.6).
    let length = 3.6_f64.sqrt();
    let expected = [(0.6 / length) as f32, 0.0, (1.8 / length) as f32, 1.0];
    let half = state.value(State::Light(1, Light::Half));
    for (found, expected) in half.into_iter().zip(expected) {
        assert!((found - expected).abs() < 1e-7, "{half:?}");
    }
    let half = |position| {
        let light = LightSource {
            position,
            ..LightSource::initial(0)
        };
        light.value(Light::Half)
    };
    assert_eq!(half([0.0, 0.0, 0.0, 1.0]), [0.0, 0.0, 1.0, 1.0]);
    assert_eq!(half([0.0, 0.0, -2.0, 0.0]), [0.0, 0.0, 0.0, 1.0]);
}

#[test]
fn products_of_colours_have_the_alpha_of_the_material() {
    let state = lit();
    let product = |product| state.value(State::LightProduct(1, Face::Front, product));
    assert_eq!(
        product(Product::Ambient),
        [10.0 * 0.1, 20.0 * 0.2, 30.0 * 0.3, 0.4]
    );
    assert_eq!(product(Product::Diffuse), [1.0, 1.0, 6.0, 0.6]);
    assert_eq!(product(Product::Specular), [2.0, 1.5, 1.0, 0.7]);
    let back = state.value(State::LightProduct(1, Face::Back, Product::Diffuse));
    assert_eq!(back, [2.0 * 0.8, 4.0 * 0.8, 8.0 * 0.8, 1.0]);
    let scene = state.value(State::SceneColor(Face::Front));
    assert_eq!(
        scene,
        [10.0 * 0.1 + 0.01, 10.0 * 0.2 + 0.02, 10.0 * 0.3 + 0.03, 0.6]
    );
}

#[test]
fn planes_colours_fog_and_points_are_given_as_they_were_set() {
    let mut planes = TexGenPlanes::default();
    planes.eye[3] = [1.0, 2.0, 3.0, 4.0];
    planes.object[2] = [5.0, 6.0, 7.0, 8.0];
    let state = FixedState {
        tex_gen: vec![TexGenPlanes::default(), planes],
        tex_env: vec![[0.0; 4], [0.1, 0.2, 0.3, 0.4]],
        clip_planes: vec![[9.0, 8.0, 7.0, 6.0]],
        fog: FogState {
            color: [0.5, 0.6, 0.7, 0.8],
            density: 0.25,
            start: 2.0,
            end: 6.0,
        },
        point: PointState {
            size: 3.0,
            min: 2.0,
            max: 9.0,
            fade: 4.0,
            attenuation: [0.1, 0.2, 0.3],
        },
        depth_range: [0.25, 0.75],
        ..FixedState::default()
    };
    assert_eq!(
        state.value(State::TexGen(1, TexGen::Eye, 3)),
        [1.0, 2.0, 3.0, 4.0]
    );
    assert_eq!(
        state.value(State::TexGen(1, TexGen::Object, 2)),
        [5.0, 6.0, 7.0, 8.0]
    );
    assert_eq!(state.value(State::TexGen(0, TexGen::Eye, 3)), [0.0; 4]);
    assert_eq!(state.value(State::TexEnvColor(1)), [0.1, 0.2, 0.3, 0.4]);
    assert_eq!(state.value(State::ClipPlane(0)), [9.0, 8.0, 7.0, 6.0]);
    assert_eq!(state.value(State::FogColor), [0.5, 0.6, 0.7, 0.8]);
    assert_eq!(state.value(State::FogParams), [0.25, 2.0, 6.0, 0.25]);
    assert_eq!(state.value(State::PointSize), [3.0, 2.0, 9.0, 4.0]);
    assert_eq!(state.value(State::PointAttenuation), [0.1, 0.2, 0.3, 1.0]);
    assert_eq!(state.value(State::DepthRange), [0.25, 0.75, 0.5, 1.0]);
}

#[test]
fn rows_of_matrices_are_mathematical_rows() {
    let second = |matrix| vec![Matrix4::IDENTITY, matrix];
    let state = FixedState {
        model_view: second(MATRIX),
        projection: MATRIX,
        texture: second(MATRIX),
        palette: second(MATRIX),
        program: second(MATRIX),
        ..FixedState::default()
    };
    let matrices = [
        Matrix::ModelView(1),
        Matrix::Projection,
        Matrix::Texture(1),
        Matrix::Palette(1),
        Matrix::Program(1),
    ];
    for matrix in matrices {
        assert_eq!(
            rows(&state, matrix, Transform::None),
            MATRIX.rows,
            "{matrix:?}"
        );
    }
    assert_eq!(
        rows(&state, Matrix::ModelView(0), Transform::None),
        Matrix4::IDENTITY.rows
    );
}

#[test]
fn matrices_are_transformed() {
    let state = FixedState {
        projection: MATRIX,
        ..FixedState::default()
    };
    let projection = |transform| rows(&state, Matrix::Projection, transform);
    let inverse = [
        [0.5, 0.0, 0.0, -1.5],
        [0.0, 0.25, 0.0, -1.25],
        [0.0, 0.0, 0.125, -0.75],
        [0.0, 0.0, 0.0, 1.0],
    ];
    assert_eq!(projection(Transform::Inverse), inverse);
    assert_eq!(projection(Transform::Transpose)[3], [3.0, 5.0, 6.0, 1.0]);
    assert_eq!(projection(Transform::Transpose)[1], [0.0, 4.0, 0.0, 0.0]);
    assert_eq!(
        projection(Transform::InverseTranspose)[3],
        [-1.5, -1.25, -0.75, 1.0]
    );
}

#[test]
fn the_model_view_matrix_comes_before_the_projection() {
    let mut shift = Matrix4::IDENTITY;
    shift.rows[0][3] = 10.0;
    let state = FixedState {
        model_view: vec![shift],
        projection: MATRIX,
        ..FixedState::default()
    };
    let both = |transform| rows(&state, Matrix::ModelViewProjection, transform);
    assert_eq!(both(Transform::None)[0], [2.0, 0.0, 0.0, 23.0]);
    assert_eq!(both(Transform::Inverse)[0], [0.5, 0.0, 0.0, -11.5]);
}

#[test]
fn parameters_come_from_where_they_are_bound_to() {
    let mut parameters = Parameters::default();
    parameters.env.insert(2, [1.0, 2.0, 3.0, 4.0]);
    parameters.local.insert(2, [5.0, 6.0, 7.0, 8.0]);
    assert_eq!(parameters.value(Param::Env(2)), [1.0, 2.0, 3.0, 4.0]);
    assert_eq!(parameters.value(Param::Local(2)), [5.0, 6.0, 7.0, 8.0]);
    assert_eq!(parameters.value(Param::Env(1)), [0.0; 4]);
    assert_eq!(parameters.value(Param::Local(1023)), [0.0; 4]);
    parameters.window = [640, 480];
    assert_eq!(parameters.value(Param::Window), [640.0, 480.0, 0.0, 1.0]);
    let constant = [0.0, -0.5, 1e20, 3.0];
    assert_eq!(parameters.value(Param::constant(constant)), constant);
    assert_eq!(
        parameters.value(Param::State(State::LightModelAmbient)),
        [0.2, 0.2, 0.2, 1.0]
    );
}
