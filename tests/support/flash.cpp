#include "support/flash.h"

#include <utility>

namespace filesystems {

Flash& Flash::of(const lfs_config* config) { return *static_cast<Flash*>(config->context); }

Flash::Flash(std::uint32_t blocks, Loss loss) {
  constexpr lfs_size_t kBlock = 4096;
  device_config_.read_size = 16;
  device_config_.prog_size = kPage;
  device_config_.erase_size = kBlock;
  device_config_.erase_count = blocks;
  device_config_.erase_value = 0xFF;
  device_config_.powerloss_behavior =
      loss == Loss::kInOrder ? LFS_EMUBD_POWERLOSS_NOOP : LFS_EMUBD_POWERLOSS_OOO;
  device_config_.powerloss_cb = &lose_power;
  device_config_.powerloss_data = this;
  device_context_.context = &device_;
  error_ = lfs_emubd_create(&device_context_, &device_config_);

  config_.context = this;
  config_.read = &read;
  config_.prog = &program;
  config_.erase = &erase;
  config_.sync = &sync;
  config_.read_size = 16;
  config_.prog_size = kPage;
  config_.block_size = kBlock;
  config_.block_count = blocks;
  config_.block_cycles = 500;
  config_.cache_size = kCache;
  config_.lookahead_size = static_cast<lfs_size_t>(lookahead_.size());
  config_.read_buffer = read_buffer_.data();
  config_.prog_buffer = program_buffer_.data();
  config_.lookahead_buffer = lookahead_.data();
  if (error_ == 0) error_ = lfs_format(&volume_, &config_);
  if (error_ == 0) error_ = lfs_mount(&volume_, &config_);
}

Flash::~Flash() { lfs_emubd_destroy(&device_context_); }

void Flash::cut_after(std::uint32_t operations) {
  lfs_emubd_setpowercycles(&device_context_, operations + 1);
}

std::uint32_t Flash::operations_to_cut() const {
  return static_cast<std::uint32_t>(lfs_emubd_powercycles(&device_context_));
}

Flash::Calm::Calm(Flash& flash)
    : flash_(flash), cut_(flash.operations_to_cut()), failing_(std::exchange(flash.failing_, 0)) {
  lfs_emubd_setpowercycles(&flash_.device_context_, 0);
}

Flash::Calm::~Calm() {
  lfs_emubd_setpowercycles(&flash_.device_context_, cut_);
  flash_.failing_ = failing_;
}

bool Flash::power_on() {
  lfs_emubd_setpowercycles(&device_context_, 0);
  off_ = false;
  failing_ = 0;
  failed_ = false;
  return lfs_mount(&volume_, &config_) == 0;
}

std::uint64_t Flash::programmed_bytes() const {
  return static_cast<std::uint64_t>(lfs_emubd_proged(&device_context_));
}

std::uint64_t Flash::erased_bytes() const {
  return static_cast<std::uint64_t>(lfs_emubd_erased(&device_context_));
}

void Flash::lose_power(void* flash) { static_cast<Flash*>(flash)->off_ = true; }

int Flash::read(const lfs_config* config, lfs_block_t block, lfs_off_t offset, void* buffer,
                lfs_size_t size) {
  Flash& flash = of(config);
  return flash.off_ ? LFS_ERR_IO : lfs_emubd_read(&flash.device_context_, block, offset, buffer, size);
}

int Flash::next_fails() {
  if (failing_ == 0) return 0;
  --failing_;
  if (failing_ != 0) return 0;
  failed_ = true;
  return LFS_ERR_IO;
}

// Page by page: littlefs hands over as much as its cache holds, but each page can be the last one.
int Flash::program(const lfs_config* config, lfs_block_t block, lfs_off_t offset, const void* buffer,
                   lfs_size_t size) {
  Flash& flash = of(config);
  const auto* const bytes = static_cast<const std::uint8_t*>(buffer);
  for (lfs_size_t done = 0; done < size; done += kPage) {
    if (flash.off_) return LFS_ERR_IO;
    if (const int error = flash.next_fails(); error != 0) return error;
    const int error = lfs_emubd_prog(&flash.device_context_, block, offset + done, bytes + done, kPage);
    if (error != 0) return error;
  }
  return flash.off_ ? LFS_ERR_IO : 0;
}

int Flash::erase(const lfs_config* config, lfs_block_t block) {
  Flash& flash = of(config);
  if (flash.off_) return LFS_ERR_IO;
  if (const int error = flash.next_fails(); error != 0) return error;
  const int error = lfs_emubd_erase(&flash.device_context_, block);
  return flash.off_ ? LFS_ERR_IO : error;
}

int Flash::sync(const lfs_config* config) {
  Flash& flash = of(config);
  return flash.off_ ? LFS_ERR_IO : lfs_emubd_sync(&flash.device_context_);
}

}  // namespace filesystems
