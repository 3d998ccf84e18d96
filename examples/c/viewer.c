// An AGAL program that is drawn again and again into a window, or as many times as the argument says. `make -C capi viewer`
// builds it, where SDL2 is.
#include <SDL.h>
#include <attila.h>
#include <stdlib.h>

enum { W = 640, H = 480 };

static const char *PROGRAM =
    "mul ft0, v0, fc0.xxxx\n"
    "add ft0.x, ft0.x, fc0.y\n"
    "sin ft1.x, ft0.x\n"
    "cos ft1.y, ft0.y\n"
    "mul ft1.z, ft1.x, ft1.y\n"
    "mov ft1.w, fc0.w\n"
    "mul ft1, ft1, ft1\n"
    "mov oc, ft1\n";

static int fail(attila_error *error) {
    attila_text text = attila_text_of("it cannot be drawn");
    attila_error_message(error, &text);
    SDL_Log("%.*s", (int)text.length, text.data);
    return 1;
}

int main(int argc, char **argv) {
    attila_program *program;
    attila_shader *shader;
    attila_bindings *bindings;
    attila_draw *draw;
    attila_register place;
    attila_error *error = NULL;
    attila_varying input = ATTILA_VARYING_INIT;
    attila_state state = ATTILA_STATE_INIT;
    attila_image image = ATTILA_IMAGE_INIT;
    attila_frame frame = ATTILA_FRAME_INIT;
    attila_rect all = {0, 0, W, H};
    SDL_Window *window;
    SDL_Event event;
    int frames = argc > 1 ? atoi(argv[1]) : -1;

    state.threads = 0;
    input.kind = ATTILA_INPUT_LINEAR;
    input.planes[0].dx = input.planes[1].dy = 1.0f / H;
    if (attila_program_load(attila_bytes_of(PROGRAM), NULL, &program, &error) ||
        attila_shader_prepare(program, NULL, &shader, &error) ||
        attila_bindings_new(program, &bindings, &error) ||
        attila_draw_new(shader, &state, &draw, &error) ||
        attila_program_register(program, attila_text_of("v0"), &place, &error) ||
        attila_draw_input(draw, place.number, &input))
        return fail(error);
    if (SDL_Init(SDL_INIT_VIDEO)) return fail(NULL);
    window = SDL_CreateWindow("attila", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, W, H, 0);
    if (!window) return fail(NULL);
    frame.bindings = bindings;
    frame.colour[0] = &image;
    image.format = ATTILA_FORMAT_BGRA8;
    for (; frames != 0; frames--) {
        SDL_Surface *surface = SDL_GetWindowSurface(window);
        float time[4] = {12, 0, 0, 1};
        while (SDL_PollEvent(&event))
            if (event.type == SDL_QUIT) return 0;
        if (!surface || surface->format->BytesPerPixel != 4) return fail(NULL);
        time[1] = (float)SDL_GetTicks() / 500.0f;
        attila_bindings_set(bindings, attila_text_of("fc0"), time, NULL);
        image.pixels = surface->pixels;
        image.width = (uint32_t)surface->w;
        image.height = (uint32_t)surface->h;
        image.pitch = (size_t)surface->pitch;
        if (attila_draw_rect(draw, &frame, all, &error)) return fail(error);
        SDL_UpdateWindowSurface(window);
    }
    return 0;
}
