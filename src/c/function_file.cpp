// A file made of functions from C.
#include <cstddef>
#include <cstdint>
#include <new>

#include "base/endian.h"
#include "c/convert.h"
#include "microparquet/c/file.h"
#include "microparquet/file.h"

namespace microparquet::c {
namespace {

class FunctionFile final : public File {
 public:
  FunctionFile(const mpq_file_functions& functions, void* context)
      : functions_(functions), context_(context) {}

  FileAbilities abilities() const override {
    const mpq_file_abilities& is = functions_.abilities;
    return {is.seek, is.read_back, is.shrink, is.block_bytes, is.gathers};
  }
  Status size(std::uint64_t& bytes) override { return from_call(functions_.size(context_, &bytes)); }
  Status read_at(std::uint64_t offset, Span<std::byte> out) override {
    return from_call(functions_.read_at(context_, offset, out.data(), out.size()));
  }
  Status write_at(std::uint64_t offset, Span<const std::byte> data) override {
    return from_call(functions_.write_at(context_, offset, data.data(), data.size()));
  }
  Status reserve(std::uint64_t end) override { return from_call(functions_.reserve(context_, end)); }
  Status barrier() override { return from_call(functions_.barrier(context_)); }
  Status sync(std::uint64_t size) override { return from_call(functions_.sync(context_, size)); }
  Status shrink(std::uint64_t size) override { return from_call(functions_.shrink(context_, size)); }

 private:
  static Status from_call(mpq_status status) { return static_cast<Status>(status); }

  const mpq_file_functions& functions_;
  void* context_;
};

// Checks that no function is missing: they follow each other up to the structure's end.
bool are_all_there(const mpq_file_functions& functions) {
  constexpr std::size_t kFirst = offsetof(mpq_file_functions, size);
  static_assert(sizeof functions == kFirst + 7 * sizeof(std::uintptr_t));
  const auto* const bytes = reinterpret_cast<const std::byte*>(&functions);
  for (std::size_t at = kFirst; at != sizeof functions; at += sizeof(std::uintptr_t)) {
    if (util::load_aligned<std::uintptr_t>(bytes + at) == 0) return false;
  }
  return true;
}

static_assert(sizeof(FunctionFile) <= sizeof(mpq_function_file) &&
              alignof(FunctionFile) <= alignof(mpq_function_file));

}  // namespace
}  // namespace microparquet::c

mpq_file* mpq_file_of(mpq_function_file* memory, const mpq_file_functions* functions, void* context) {
  if (memory == nullptr || functions == nullptr) return nullptr;
  if (!microparquet::c::are_all_there(*functions)) return nullptr;
  return microparquet::c::to_c(*new (memory) microparquet::c::FunctionFile(*functions, context));
}
