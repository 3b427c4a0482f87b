// Compiles a loop for wider vectors as well, if the loader can choose among a function's clones when the
// program starts. A program for any x86-64 then has both, without an option.
#pragma once

#include <cstddef>  // of glibc: it says that it is

#include "microparquet/detail/desktop.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define MICROPARQUET_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || __has_feature(thread_sanitizer)
#define MICROPARQUET_SANITIZED 1
#endif
#endif

// Marks a function that is no template; its callees must be inlined. The loader chooses before sanitizers are
// ready for it. Clang has other rules for such functions, and compiles one form.
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__GLIBC__) && \
    MICROPARQUET_DESKTOP && !defined(MICROPARQUET_SANITIZED)
#define MICROPARQUET_VECTORIZED __attribute__((target_clones("default", "avx2"), noinline))
#else
#define MICROPARQUET_VECTORIZED
#endif
