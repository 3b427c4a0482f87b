// What C++ needs, and the library of ziglang does not have for WebAssembly.

namespace std {
inline namespace __1 {

// What the library finds to be impossible: the page says that the core has failed.
[[noreturn]] void __libcpp_verbose_abort(const char*, ...) noexcept { __builtin_trap(); }

}  // namespace __1
}  // namespace std

extern "C" {

[[noreturn]] void __abort_message(const char*, ...) { __builtin_trap(); }
[[noreturn]] void abort_message(const char*, ...) { __builtin_trap(); }

// The thread ends with the worker, and all of its memory with it.
int __cxa_thread_atexit(void (*)(void*), void*, void*) { return 0; }

}  // extern "C"

// The tag by which C++ throws.
__asm__(
    ".globl __cpp_exception\n"
    ".tagtype __cpp_exception i32\n"
    "__cpp_exception:\n");
