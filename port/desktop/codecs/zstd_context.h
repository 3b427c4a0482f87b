// The context of libzstd that a thread keeps.
#pragma once

#include <zstd.h>

#include <cstddef>
#include <memory>
#include <new>

namespace microparquet::desktop {

// Making a context takes longer than undoing a small page: each thread keeps one.
template <typename Context, Context* (*kCreate)(), std::size_t (*kFree)(Context*)>
Context* context_of_thread() {
  struct Free {
    void operator()(Context* context) const { kFree(context); }
  };
  thread_local const std::unique_ptr<Context, Free> context(kCreate());
  if (context == nullptr) {
    throw std::bad_alloc();
  }
  return context.get();
}

}  // namespace microparquet::desktop
