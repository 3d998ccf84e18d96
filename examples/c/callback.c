// A texture of one's own: a callback that computes a checkerboard, and stops at what it does not know.
#include <attila.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 64 };

static const char *PROGRAM =
    "!!ARBfp1.0\n"
    "TEX result.color, fragment.texcoord[0], texture[2], 2D;\n"
    "END\n";

struct board {
    float squares;
};

static int answer(void *user, const attila_texture_query *query, float (*out)[4]) {
    const struct board *board = user;
    int lane;
    if (query->lookup != ATTILA_LOOKUP_SAMPLE) return 1;
    for (lane = 0; lane < 4; lane++) {
        int column = (int)floorf(query->coords[0][lane] * board->squares);
        int row = (int)floorf(query->coords[1][lane] * board->squares);
        float grey = (column + row) % 2 ? 1.0f : 0.25f;
        out[0][lane] = out[1][lane] = out[2][lane] = grey;
        out[3][lane] = 1;
    }
    return 0;
}

static void check(attila_status status, attila_error *error) {
    attila_text text = attila_status_text(status);
    if (status == ATTILA_STATUS_OK) return;
    attila_error_message(error, &text);
    fprintf(stderr, "%.*s\n", (int)text.length, text.data);
    exit(1);
}

int main(int argc, char **argv) {
    static unsigned char pixels[SIZE][SIZE][4];
    struct board board = {8};
    attila_program *program;
    attila_shader *shader;
    attila_bindings *bindings;
    attila_draw *draw;
    attila_register place;
    attila_error *error = NULL;
    attila_texture_unit unit = ATTILA_TEXTURE_UNIT_INIT;
    attila_varying coordinates = ATTILA_VARYING_INIT;
    attila_image image = ATTILA_IMAGE_INIT;
    attila_frame frame = ATTILA_FRAME_INIT;
    attila_rect all = {0, 0, SIZE, SIZE};
    FILE *file;
    int at;

    check(attila_program_load(attila_bytes_of(PROGRAM), NULL, &program, &error), error);
    check(attila_shader_prepare(program, NULL, &shader, &error), error);
    check(attila_bindings_new(program, &bindings, &error), error);
    check(attila_draw_new(shader, NULL, &draw, &error), error);

    unit.answer = answer;
    unit.user = &board;
    unit.units = 1u << 2;
    check(attila_bindings_texture_unit(bindings, &unit), NULL);

    check(attila_program_register(program, attila_text_of("fragment.texcoord[0]"), &place, &error), error);
    coordinates.kind = ATTILA_INPUT_LINEAR;
    coordinates.planes[0].dx = 1.0f / SIZE;
    coordinates.planes[1].dy = 1.0f / SIZE;
    coordinates.planes[3].at = 1;
    check(attila_draw_input(draw, place.number, &coordinates), NULL);

    image.pixels = pixels;
    image.width = SIZE;
    image.height = SIZE;
    frame.bindings = bindings;
    frame.colour[0] = &image;
    check(attila_draw_rect(draw, &frame, all, &error), error);

    file = fopen(argc > 1 ? argv[1] : "callback.ppm", "wb");
    fprintf(file, "P6 %d %d 255\n", SIZE, SIZE);
    for (at = 0; at < SIZE * SIZE; at++) fwrite(pixels[0][at], 1, 3, file);
    fclose(file);

    attila_draw_free(draw);
    attila_bindings_free(bindings);
    attila_shader_free(shader);
    attila_program_free(program);
    return 0;
}
