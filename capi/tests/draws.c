/* Draws what records of a file describe, and writes what became of the memory: python/tests/test_c.py makes the file. */
#include <attila.h>
#include <stdio.h>
#include <stdlib.h>

/* All that stands in a record before what it counts; pointers are set here. */
struct record {
    size_t program, constants, inputs, vertices, memory;
    uint32_t budget, has_depth;
    attila_prepare_options prepare;
    attila_state state;
    attila_image colour, depth;
    attila_frame frame;
    attila_rect area;
};

struct constant {
    size_t index;
    uint32_t words[4];
};

struct input {
    size_t number;
    attila_varying varying;
};

static void *taken(FILE *file, size_t bytes) {
    void *memory = malloc(bytes ? bytes : 1);
    if (!memory || fread(memory, 1, bytes, file) != bytes) exit(2);
    return memory;
}

static void ok(attila_status status) {
    if (status != ATTILA_STATUS_OK) exit(3);
}

static attila_status draw_shape(attila_draw *draw, const struct record *record, float *positions, float *colours) {
    attila_array attribute = ATTILA_ARRAY_INIT;
    attila_triangles triangles = ATTILA_TRIANGLES_INIT;
    if (!record->vertices) return attila_draw_rect(draw, &record->frame, record->area, NULL);
    attribute.input = 1;
    attribute.numbers = colours;
    attribute.count = triangles.count = record->vertices;
    triangles.positions = positions;
    triangles.attributes = &attribute;
    triangles.attribute_count = 1;
    return attila_draw_triangles(draw, &record->frame, &triangles, NULL);
}

static attila_bindings *bound(const attila_program *program, struct record *record, FILE *file) {
    struct constant *constants = taken(file, record->constants * sizeof *constants);
    void *texels = taken(file, 64);
    attila_image_data data = ATTILA_IMAGE_DATA_INIT;
    attila_bytes level;
    attila_bindings *bindings;
    attila_texture *texture;
    size_t n;
    level.data = texels;
    level.length = 64;
    data.width = data.height = 4;
    data.levels = &level;
    ok(attila_texture_new(&data, NULL, &texture, NULL));
    ok(attila_bindings_new(program, &bindings, NULL));
    for (n = 0; n < record->constants; n++)
        ok(attila_bindings_constant_bits(bindings, constants[n].index, constants[n].words, 1));
    for (n = 0; n < 16; n++) ok(attila_bindings_texture(bindings, n, texture));
    ok(attila_bindings_loop_budget(bindings, record->budget));
    ok(attila_texture_free(texture));
    free(constants);
    free(texels);
    return bindings;
}

static void draw_record(struct record *record, FILE *file) {
    attila_load_options options = ATTILA_LOAD_OPTIONS_INIT;
    attila_program *program;
    attila_shader *shader;
    attila_bindings *bindings;
    attila_draw *draw;
    attila_bytes source;
    struct input *inputs;
    float *positions, *colours;
    uint8_t *memory;
    int32_t status;
    size_t n;
    source.length = record->program;
    source.data = taken(file, source.length);
    options.form = ATTILA_FORM_BINARY;
    options.stage = ATTILA_STAGE_FRAGMENT;
    ok(attila_program_load(source, &options, &program, NULL));
    ok(attila_shader_prepare(program, &record->prepare, &shader, NULL));
    ok(attila_draw_new(shader, &record->state, &draw, NULL));
    bindings = bound(program, record, file);
    inputs = taken(file, record->inputs * sizeof *inputs);
    for (n = 0; n < record->inputs; n++) ok(attila_draw_input(draw, inputs[n].number, &inputs[n].varying));
    positions = taken(file, record->vertices * 16);
    colours = taken(file, record->vertices * 16);
    memory = taken(file, 2 * record->memory);
    record->colour.pixels = memory;
    record->depth.pixels = memory + record->memory;
    record->frame.bindings = bindings;
    record->frame.colour[0] = &record->colour;
    record->frame.depth = record->has_depth ? &record->depth : NULL;
    status = draw_shape(draw, record, positions, colours);
    fwrite(&status, sizeof status, 1, stdout);
    fwrite(memory, 1, 2 * record->memory, stdout);
    ok(attila_draw_free(draw));
    ok(attila_bindings_free(bindings));
    ok(attila_shader_free(shader));
    ok(attila_program_free(program));
    free((void *)source.data);
    free(inputs);
    free(positions);
    free(colours);
    free(memory);
}

int main(int count, char **arguments) {
    FILE *file = count == 2 ? fopen(arguments[1], "rb") : NULL;
    struct record record;
    if (!file) return 1;
    while (fread(&record, sizeof record, 1, file) == 1) draw_record(&record, file);
    return attila_live_objects() != 0;
}
