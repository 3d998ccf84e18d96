// Programs of guests in AGAL, TGSI and ARB, with a constant and a texture: one path for all. Writes agal.ppm, tgsi.ppm
// and arb.ppm, or appends to the file that is named.
#include <attila.hpp>

#include <cstdint>
#include <cstdio>
#include <iostream>
#include <vector>

namespace {

const std::uint32_t SIZE = 128;

const char *AGAL = "tex ft0, v0, fs0 <2d,linear,repeat>\nmul ft0, ft0, fc1\nmov oc, ft0";
const char *TGSI =
    "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\n"
    "DCL CONST[0][0..1]\nDCL TEMP[0]\nTEX TEMP[0], IN[0], SAMP[0], 2D\nMUL OUT[0], TEMP[0], CONST[0][1]\nEND";
const char *ARB =
    "!!ARBfp1.0\nTEMP t;\nTEX t, fragment.texcoord[0], texture[0], 2D;\nMUL result.color, t, program.local[1];\nEND";

struct Guest {
    const char *name, *program, *input, *constant;
};

const Guest GUESTS[] = {
    {"agal", AGAL, "v0", "fc1"},
    {"tgsi", TGSI, "GENERIC[0]", "CONST[0][1]"},
    {"arb", ARB, "fragment.texcoord[0]", "program.local[1]"},
};

// 16x16 texels, red to the right and green downwards.
attila::Texture texels() {
    std::vector<std::uint8_t> texels;
    for (int at = 0; at < 256; at++) {
        for (int byte : {at % 16 * 16, at / 16 * 16, 255 - at % 16 * 16, 255}) {
            texels.push_back(static_cast<std::uint8_t>(byte));
        }
    }
    attila_bytes level{texels.data(), texels.size()};
    attila_image_data data = ATTILA_IMAGE_DATA_INIT;
    data.width = data.height = 16;
    data.levels = &level;
    return attila::texture(data);
}

std::vector<std::uint8_t> draw(const Guest &guest, const attila::Texture &texture) {
    auto program = attila::load(guest.program);
    auto shader = attila::prepare(program);
    auto bindings = attila::bindings(program);
    const float tint[4] = {1, 0.5f, 0.25f, 1};
    attila::call(attila_bindings_set, bindings, attila::text(guest.constant), tint);
    attila::check(attila_bindings_texture(bindings, 0, texture));

    attila_register place;
    attila::call(attila_program_register, program, attila::text(guest.input), &place);
    attila_varying coordinates = ATTILA_VARYING_INIT;
    coordinates.kind = ATTILA_INPUT_LINEAR;
    coordinates.planes[0].dx = coordinates.planes[1].dy = 2.0f / SIZE;
    coordinates.planes[3].at = 1;
    auto draw = attila::draw(shader);
    attila::check(attila_draw_input(draw, place.number, &coordinates));

    std::vector<std::uint8_t> pixels(SIZE * SIZE * 4);
    attila_image image = ATTILA_IMAGE_INIT;
    image.pixels = pixels.data();
    image.bytes = pixels.size();
    image.width = image.height = SIZE;
    attila_frame frame = ATTILA_FRAME_INIT;
    frame.bindings = bindings;
    frame.colour[0] = &image;
    attila::call(attila_draw_rect, draw, &frame, attila_rect{0, 0, SIZE, SIZE});
    return pixels;
}

void write(const std::string &name, const char *mode, const std::vector<std::uint8_t> &pixels) {
    std::FILE *file = std::fopen(name.c_str(), mode);
    if (!file) throw std::runtime_error("cannot write " + name);
    std::fprintf(file, "P6 %u %u 255\n", SIZE, SIZE);
    for (std::size_t at = 0; at < pixels.size(); at += 4) std::fwrite(&pixels[at], 1, 3, file);
    std::fclose(file);
}

}  // namespace

int main(int argc, char **argv) try {
    auto texture = texels();
    for (const Guest &guest : GUESTS) {
        auto pixels = draw(guest, texture);
        argc > 1 ? write(argv[1], "ab", pixels) : write(guest.name + std::string(".ppm"), "wb", pixels);
    }
    // What a guest hears of a program that is none.
    try {
        attila::load("!!ARBfp1.0\nMOV result.colour, 1;\nEND");
    } catch (const attila::Error &error) {
        for (const auto &it : error.diagnostics) std::cout << it.display << '\n';
    }
} catch (const std::exception &error) {
    std::cerr << error.what() << '\n';
    return 1;
}
