// Loops that are compiled for wider vectors as well, where the loader can choose among the forms of a function when
// the program starts: so a program for any x86-64 has them, without an option.
#pragma once

#include <cstddef>  // of glibc: it says that it is

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define MICROPARQUET_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || __has_feature(thread_sanitizer)
#define MICROPARQUET_SANITIZED 1
#endif
#endif

// Of a function that is no template; what it calls is to be inlined into it. The choice is made before sanitizers
// are ready for it. Clang has other rules for such functions, and takes the one form.
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__GLIBC__) && \
    !defined(__OPTIMIZE_SIZE__) && !defined(MICROPARQUET_SANITIZED)
#define MICROPARQUET_VECTORIZED __attribute__((target_clones("default", "avx2"), noinline))
#else
#define MICROPARQUET_VECTORIZED
#endif
