// What a program could do with the first version. It is never changed, and neither is the header beside it, as long as the
// SONAME is the same.
#include <attila.h>
#include <stdio.h>

static int stop(void *user, uint64_t done, uint64_t all) {
    (void)done;
    (void)all;
    return *(int *)user;
}

int main(void) {
    unsigned char pixels[2][4][4];
    const float half[4] = {0.5f, 1, 1, 1};
    float numbers[2][4] = {{1, 1, 1, 1}, {2, 2, 2, 2}}, doubled[2];
    int never = 0;
    attila_program *program = NULL, *twice = NULL;
    attila_shader *shader = NULL, *twice_shader = NULL;
    attila_bindings *bindings = NULL;
    attila_draw *draw = NULL;
    attila_error *error = NULL;
    attila_load_options options = ATTILA_LOAD_OPTIONS_INIT;
    attila_prepare_options engine = ATTILA_PREPARE_OPTIONS_INIT;
    attila_state state = ATTILA_STATE_INIT;
    attila_varying colour = ATTILA_VARYING_INIT;
    attila_image image = ATTILA_IMAGE_INIT;
    attila_frame frame = ATTILA_FRAME_INIT;
    attila_column column = ATTILA_COLUMN_INIT;
    attila_output output = ATTILA_OUTPUT_INIT;
    attila_map map = ATTILA_MAP_INIT;
    attila_diagnostic diagnostic = ATTILA_DIAGNOSTIC_INIT;
    attila_rect all = {0, 0, 4, 2};

    options.name = attila_text_of("frozen");
    options.stage = ATTILA_STAGE_FRAGMENT;
    engine.engine = ATTILA_ENGINE_AUTO;
    state.blend[0].enabled = 1;
    state.blend[0].colour_src = state.blend[0].alpha_src = ATTILA_FACTOR_ONE;
    colour.kind = ATTILA_INPUT_FLAT;
    colour.planes[0].at = colour.planes[3].at = 1;
    colour.planes[1].at = 0.999f;
    image.pixels = pixels;
    image.bytes = sizeof(pixels);
    image.width = 4;
    image.height = 2;
    image.pitch = sizeof(pixels[0]);
    frame.colour[0] = &image;
    frame.progress = stop;
    frame.user = &never;
    if (attila_version() < ATTILA_VERSION ||
        attila_program_load(attila_bytes_of("mul o1, i6, c0"), &options, &program, &error) ||
        attila_shader_prepare(program, &engine, &shader, &error) ||
        attila_bindings_new(program, &bindings, &error) ||
        attila_bindings_constants(bindings, 0, half, 1) ||
        attila_draw_new(shader, &state, &draw, &error) || attila_draw_input(draw, 6, &colour))
        return 1;
    frame.bindings = bindings;
    if (attila_draw_rect(draw, &frame, all, &error)) return 2;

    column.number = 0;
    column.vectors = numbers[0];
    column.count = 2;
    output.number = 1;
    output.components = 1;
    output.vectors = doubled;
    output.count = 2;
    map.inputs = &column;
    map.input_count = 1;
    map.outputs = &output;
    map.output_count = 1;
    if (attila_program_load(attila_bytes_of("add o1, i0, i0"), NULL, &twice, NULL) ||
        attila_shader_prepare(twice, NULL, &twice_shader, NULL) ||
        attila_shader_map(twice_shader, NULL, &map, NULL))
        return 3;
    attila_program_free(twice);
    if (attila_program_load(attila_bytes_of("mul"), NULL, &twice, &error) != ATTILA_STATUS_PROGRAM ||
        attila_error_diagnostic(error, 0, &diagnostic))
        return 4;
    printf("%d %d %d %d; %f %f; 1 diagnostic at %u:%u\n", pixels[1][3][0], pixels[1][3][1], pixels[1][3][2],
           pixels[1][3][3], doubled[0], doubled[1], diagnostic.line, diagnostic.column);
    attila_error_free(error);
    attila_draw_free(draw);
    attila_bindings_free(bindings);
    attila_shader_free(twice_shader);
    attila_shader_free(shader);
    attila_program_free(program);
    return attila_live_objects() != 0;
}
