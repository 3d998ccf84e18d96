// One shader on four threads, each with a draw of its own for a quarter of the picture.
#define _POSIX_C_SOURCE 200809L
#include <attila.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 256, THREADS = 4 };

static const char *PROGRAM =
    "mul    r0.xy, i0, c0.x      ; i0 is the pixel's position\n"
    "dp3    r0.z, r0, r0\n"
    "mul    r0.xyz, r0, r0.z\n"
    "mov_sat o1, r0\n";

static unsigned char pixels[SIZE][SIZE][4];

struct work {
    pthread_t thread;
    attila_draw *draw;
    const attila_bindings *bindings;
    int top;
    attila_status status;
};

static void *run(void *argument) {
    struct work *work = argument;
    attila_image image = ATTILA_IMAGE_INIT;
    attila_frame frame = ATTILA_FRAME_INIT;
    attila_rect rows = {0, 0, SIZE, 0};
    image.pixels = pixels[work->top];
    image.width = SIZE;
    image.height = SIZE / THREADS;
    frame.bindings = work->bindings;
    frame.colour[0] = &image;
    // The rows of this thread are a tile of the picture.
    frame.origin[1] = work->top;
    frame.picture[0] = frame.picture[1] = SIZE;
    rows.y0 = work->top;
    rows.y1 = work->top + SIZE / THREADS;
    work->status = attila_draw_rect(work->draw, &frame, rows, NULL);
    return NULL;
}

static void check(attila_status status) {
    if (status == ATTILA_STATUS_OK) return;
    fprintf(stderr, "status %d\n", (int)status);
    exit(1);
}

int main(int argc, char **argv) {
    const float scale[4] = {1.0f / SIZE, 0, 0, 0};
    struct work work[THREADS];
    attila_program *program;
    attila_shader *shader;
    attila_bindings *bindings;
    FILE *file;
    int n;

    check(attila_program_load(attila_bytes_of(PROGRAM), NULL, &program, NULL));
    check(attila_shader_prepare(program, NULL, &shader, NULL));
    check(attila_bindings_new(program, &bindings, NULL));
    check(attila_bindings_constants(bindings, 0, scale, 1));
    for (n = 0; n < THREADS; n++) {
        check(attila_draw_new(shader, NULL, &work[n].draw, NULL));
        work[n].bindings = bindings;
        work[n].top = n * SIZE / THREADS;
        if (pthread_create(&work[n].thread, NULL, run, &work[n])) return 1;
    }
    for (n = 0; n < THREADS; n++) {
        pthread_join(work[n].thread, NULL);
        check(work[n].status);
        attila_draw_free(work[n].draw);
    }
    file = fopen(argc > 1 ? argv[1] : "threads.ppm", "wb");
    fprintf(file, "P6 %d %d 255\n", SIZE, SIZE);
    for (n = 0; n < SIZE * SIZE; n++) fwrite(pixels[0][n], 1, 3, file);
    fclose(file);
    attila_bindings_free(bindings);
    attila_shader_free(shader);
    attila_program_free(program);
    return 0;
}
