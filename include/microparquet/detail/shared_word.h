// Word shared by an interrupt and the program, or by two threads.
#pragma once

#include <atomic>
#include <cstdint>

namespace microparquet::detail {

// Word written by one side and read by the other: memory written before a store() is visible after the load()
// that finds its value. It needs a load and a store, but no read-modify-write, which Cortex-M0 lacks.
template <bool kLockFree = std::atomic<std::uint32_t>::is_always_lock_free>
class SharedWord {
 public:
  std::uint32_t load() const { return word_.load(std::memory_order_acquire); }
  void store(std::uint32_t value) { word_.store(value, std::memory_order_release); }
  // Returns the value for the side that writes it.
  std::uint32_t own() const { return word_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint32_t> word_ = 0;
};

// Word for a machine without read-modify-write: clang calls a library for any std::atomic there, although its
// words are loaded and stored as one.
template <>
class SharedWord<false> {
 public:
  std::uint32_t load() const {
    const std::uint32_t value = word_;
    std::atomic_thread_fence(std::memory_order_acquire);
    return value;
  }
  void store(std::uint32_t value) {
    std::atomic_thread_fence(std::memory_order_release);
    word_ = value;
  }
  std::uint32_t own() const { return word_; }

 private:
  volatile std::uint32_t word_ = 0;
};

}  // namespace microparquet::detail
