// The smallest program that draws: load, prepare, draw, write hello.ppm or the file that is named.
#include <attila.h>
#include <stdio.h>

static const char *PROGRAM =
    "mul o1, i6, c0          ; red to the right, green downwards, and dimmed\n";

int main(int argc, char **argv) {
    enum { W = 256, H = 128 };
    static unsigned char pixels[H][W][4];
    const float dim[4] = {0.5f, 1, 1, 1};
    attila_program *program = NULL;
    attila_shader *shader = NULL;
    attila_bindings *bindings = NULL;
    attila_draw *draw = NULL;
    attila_error *error = NULL;
    attila_varying colour = ATTILA_VARYING_INIT;
    attila_image image = ATTILA_IMAGE_INIT;
    attila_frame frame = ATTILA_FRAME_INIT;
    attila_rect all = {0, 0, W, H};
    colour.kind = ATTILA_INPUT_LINEAR;
    colour.planes[0].dx = 1.0f / W;
    colour.planes[1].dy = 1.0f / H;
    image.pixels = pixels;
    image.width = W;
    image.height = H;
    frame.colour[0] = &image;
    if (attila_program_load(attila_bytes_of(PROGRAM), NULL, &program, &error) == ATTILA_STATUS_OK &&
        attila_shader_prepare(program, NULL, &shader, &error) == ATTILA_STATUS_OK &&
        attila_bindings_new(program, &bindings, &error) == ATTILA_STATUS_OK &&
        attila_bindings_constants(bindings, 0, dim, 1) == ATTILA_STATUS_OK &&
        attila_draw_new(shader, NULL, &draw, &error) == ATTILA_STATUS_OK &&
        attila_draw_input(draw, 6, &colour) == ATTILA_STATUS_OK) {
        frame.bindings = bindings;
        attila_draw_rect(draw, &frame, all, &error);
    }
    if (error) {
        attila_text text = {NULL, 0};
        attila_error_message(error, &text);
        fprintf(stderr, "%.*s\n", (int)text.length, text.data);
    } else {
        FILE *file = fopen(argc > 1 ? argv[1] : "hello.ppm", "wb");
        int at;
        fprintf(file, "P6 %d %d 255\n", W, H);
        for (at = 0; at < W * H; at++) fwrite(pixels[0][at], 1, 3, file);
        fclose(file);
    }
    attila_draw_free(draw);
    attila_bindings_free(bindings);
    attila_shader_free(shader);
    attila_program_free(program);
    attila_error_free(error);
    return error != NULL;
}
