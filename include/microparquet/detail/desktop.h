// Whether the library is built for a desktop or for a device.
#pragma once

// Set by the build: see cmake/microparquet_platform.cmake, whose targets export it. Where there is no CMake, as in the packages
// for firmware, the library is a device's.
#ifndef MICROPARQUET_DESKTOP
#define MICROPARQUET_DESKTOP 0
#endif

// The inline namespace of Writer and Reader: a program that was compiled with another value than its library does not link, and
// the linker names the namespace.
#if MICROPARQUET_DESKTOP
#define MICROPARQUET_BUILT_FOR library_built_for_desktop
#else
#define MICROPARQUET_BUILT_FOR library_built_for_device
#endif

namespace microparquet::detail {

// Desktops have memory and flash to spare: there the library takes many values at once, borrows pages, and writes what only
// desktops write. Files are the same plain Parquet either way.
inline constexpr bool kDesktop = MICROPARQUET_DESKTOP != 0;

}  // namespace microparquet::detail
