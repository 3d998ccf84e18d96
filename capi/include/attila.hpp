// attila.hpp: attila.h for C++17. Objects free themselves, and errors are exceptions.
//
// Each class converts to the pointer of attila.h, so that all functions there can be called with it. Who wants a status
// in place of an exception calls those; who wants an exception writes attila::check(attila_...(...)).
#ifndef ATTILA_HPP
#define ATTILA_HPP

#include <attila.h>

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attila {

inline attila_text text(std::string_view it) { return {it.data(), it.size()}; }
inline std::string string(attila_text it) { return it.length ? std::string(it.data, it.length) : std::string(); }

struct Diagnostic {
    bool is_error;
    unsigned line, column;
    std::size_t offset, length;
    std::string message, help, display;
};

class Error : public std::runtime_error {
public:
    Error(attila_status status, const std::string &message, std::vector<Diagnostic> diagnostics = {})
        : std::runtime_error(message), status(status), diagnostics(std::move(diagnostics)) {}
    attila_status status;
    std::vector<Diagnostic> diagnostics;
};

// An object of attila.h, which is freed by `Free`.
template <typename T, attila_status (*Free)(T *)>
class Object {
public:
    Object() = default;
    explicit Object(T *owned) : pointer(owned) {}
    Object(Object &&other) noexcept : pointer(other.release()) {}
    Object &operator=(Object &&other) noexcept {
        std::swap(pointer, other.pointer);
        return *this;
    }
    ~Object() { Free(pointer); }
    operator T *() const { return pointer; }
    // For functions that return an object.
    T **out() { return Free(release()), &pointer; }
    T *release() { return std::exchange(pointer, nullptr); }

private:
    T *pointer = nullptr;
};

using ErrorObject = Object<attila_error, attila_error_free>;
using Program = Object<attila_program, attila_program_free>;
using Shader = Object<attila_shader, attila_shader_free>;
using Texture = Object<attila_texture, attila_texture_free>;
using Bindings = Object<attila_bindings, attila_bindings_free>;
using Draw = Object<attila_draw, attila_draw_free>;

// Throws unless the status is ATTILA_STATUS_OK.
inline void check(attila_status status, attila_error *error = nullptr) {
    if (status == ATTILA_STATUS_OK) return;
    attila_text message = attila_status_text(status);
    attila_error_message(error, &message);
    std::vector<Diagnostic> diagnostics;
    attila_diagnostic it = ATTILA_DIAGNOSTIC_INIT;
    for (std::size_t n = 0; attila_error_diagnostic(error, n, &it) == ATTILA_STATUS_OK; n++) {
        diagnostics.push_back({it.severity == ATTILA_SEVERITY_ERROR, it.line, it.column, it.offset, it.length,
                               string(it.message), string(it.help), string(it.display)});
    }
    throw Error(status, string(message), std::move(diagnostics));
}

// Calls a function whose last parameter is an error, and throws what is wrong.
template <typename... Parameters, typename... Arguments>
void call(attila_status (*function)(Parameters...), Arguments &&...arguments) {
    ErrorObject error;
    attila_status status = function(std::forward<Arguments>(arguments)..., error.out());
    check(status, error);
}

inline Program load(std::string_view source, const attila_load_options *options = nullptr) {
    Program program;
    call(attila_program_load, attila_bytes{source.data(), source.size()}, options, program.out());
    return program;
}

inline Shader prepare(attila_program *program, const attila_prepare_options *options = nullptr) {
    Shader shader;
    call(attila_shader_prepare, program, options, shader.out());
    return shader;
}

inline Bindings bindings(attila_program *program = nullptr) {
    Bindings bindings;
    call(attila_bindings_new, program, bindings.out());
    return bindings;
}

inline Texture texture(const attila_image_data &data, const attila_sampler *sampler = nullptr) {
    Texture texture;
    call(attila_texture_new, &data, sampler, texture.out());
    return texture;
}

inline Draw draw(attila_shader *shader, const attila_state *state = nullptr) {
    Draw draw;
    call(attila_draw_new, shader, state, draw.out());
    return draw;
}

}  // namespace attila

#endif
