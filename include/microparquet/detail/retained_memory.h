// Words and sums in memory that survives a reset, where each store may be the last.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace microparquet::detail {

// Word without a constructor, so that start-up code leaves it alone. The compiler keeps the order of what is stored
// before and after it.
class RetainedWord {
 public:
  [[gnu::always_inline]] std::uint32_t load() const { return word_; }
  [[gnu::always_inline]] void store(std::uint32_t value) {
    std::atomic_signal_fence(std::memory_order_seq_cst);
    word_ = value;
    std::atomic_signal_fence(std::memory_order_seq_cst);
  }
  // Returns a word of the other side, with all that it stored before.
  [[gnu::always_inline]] std::uint32_t load_shared() const {
    const std::uint32_t value = word_;
    std::atomic_thread_fence(std::memory_order_acquire);
    return value;
  }
  // Stores a word that the other side reads, after all else.
  [[gnu::always_inline]] void store_shared(std::uint32_t value) {
    std::atomic_thread_fence(std::memory_order_release);
    store(value);
  }

 private:
  volatile std::uint32_t word_;
};

// Continues a CRC over a word: `sum ^ word`, multiplied by x^32 modulo x^32 + x^14 + x + 1, the product of x + 1 and a
// primitive polynomial. It finds up to three wrong bits, any odd number of them and any run of 32. With so few terms it
// takes seven instructions and no table. It is linear: step(a ^ b, c) is step(a, c) ^ step(b, 0).
[[gnu::always_inline]] constexpr std::uint32_t retained_step(std::uint32_t sum, std::uint32_t word) {
  constexpr unsigned kMiddle = 14;
  constexpr unsigned kBits = 32;
  const std::uint32_t all = sum ^ word;
  const std::uint32_t over = all >> (kBits - kMiddle) ^ all >> (kBits - 1);
  const std::uint32_t turned = (all << kMiddle | all >> (kBits - kMiddle)) ^ (all << 1 | all >> (kBits - 1));
  return all ^ turned ^ over << kMiddle ^ over << 1;
}

// Copies `kBytes` bytes, both aligned to `kAlign`, and returns their sum. With `from` as `to` it only sums up.
template <std::size_t kBytes, std::size_t kAlign>
std::uint32_t retained_copy(std::byte* to, const std::byte* from, std::uint32_t sum) {
  constexpr std::size_t kWord = sizeof(std::uint32_t);
  constexpr std::size_t kWhole = kBytes / kWord * kWord;
  constexpr std::size_t kPart = kAlign < kWord ? kAlign : kWord;
  std::uint32_t word = 0;
  if constexpr (kWhole != 0) {
    const std::byte* const end = from + kWhole;
    do {
      std::memcpy(&word, __builtin_assume_aligned(from, kPart), kWord);
      std::memcpy(__builtin_assume_aligned(to, kPart), &word, kWord);
      sum = retained_step(sum, word);
      from += kWord;
      to += kWord;
    } while (from != end);
  }
  if constexpr (kWhole != kBytes) {
    word = 0;
    std::memcpy(&word, from, kBytes - kWhole);
    std::memcpy(to, &word, kBytes - kWhole);
    sum = retained_step(sum, word);
  }
  return sum;
}

}  // namespace microparquet::detail
