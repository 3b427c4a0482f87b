// Flash memory with littlefs on it: littlefs's emulated block device, which can lose its power at each
// program or erase.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "bd/lfs_emubd.h"
#include "lfs.h"

namespace filesystems {

// A serial NOR flash: programmed in pages of 256 bytes, erased in blocks of 4 KiB.
class Flash {
 public:
  enum class Loss : std::uint8_t {
    kInOrder,     // all operations before the cut are done
    kOutOfOrder,  // the first block written since the last sync may be as it was
  };

  // Formats it and mounts the file system. Programs or erases of that many pages or blocks are cut in turn.
  Flash(std::uint32_t blocks, Loss loss);
  ~Flash();
  Flash(const Flash&) = delete;
  Flash& operator=(const Flash&) = delete;

  bool good() const { return error_ == 0; }
  lfs_t& volume() { return volume_; }

  // The power fails after `operations` more and the one that follows: all calls fail from then on.
  void cut_after(std::uint32_t operations);
  bool is_cut() const { return off_; }
  // Number of operations up to the one that is cut, that one included; 0: none is due.
  std::uint32_t operations_to_cut() const;
  // One operation fails, and those after it succeed; kNever: none fails.
  static constexpr std::uint32_t kNever = ~std::uint32_t{0};
  void fail_after(std::uint32_t operations) { failing_ = operations + 1; }
  bool has_failed() const { return failed_; }

  // Nothing is cut, and nothing fails, as long as it exists.
  class Calm {
   public:
    explicit Calm(Flash& flash);
    ~Calm();
    Calm(const Calm&) = delete;
    Calm& operator=(const Calm&) = delete;

   private:
    Flash& flash_;
    std::uint32_t cut_;
    std::uint32_t failing_;
  };

  // Mounts littlefs as after the power came back. False: it could not be mounted.
  bool power_on();

  std::uint64_t programmed_bytes() const;
  std::uint64_t erased_bytes() const;

 private:
  static Flash& of(const lfs_config* config);
  static int read(const lfs_config* config, lfs_block_t block, lfs_off_t offset, void* buffer,
                  lfs_size_t size);
  static int program(const lfs_config* config, lfs_block_t block, lfs_off_t offset, const void* buffer,
                     lfs_size_t size);
  static int erase(const lfs_config* config, lfs_block_t block);
  static int sync(const lfs_config* config);
  static void lose_power(void* flash);
  int next_fails();

  static constexpr lfs_size_t kPage = 256;
  static constexpr lfs_size_t kCache = 512;

  lfs_emubd_t device_ = {};
  lfs_emubd_config device_config_ = {};
  lfs_config device_context_ = {};  // as the emulated device wants it
  lfs_config config_ = {};
  lfs_t volume_ = {};
  std::array<std::uint8_t, kCache> read_buffer_ = {};
  std::array<std::uint8_t, kCache> program_buffer_ = {};
  alignas(8) std::array<std::uint8_t, 64> lookahead_ = {};
  std::uint32_t failing_ = 0;
  bool failed_ = false;
  bool off_ = false;
  int error_ = 0;
};

}  // namespace filesystems
