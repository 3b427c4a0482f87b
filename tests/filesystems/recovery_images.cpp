// Images of cards that lost their power, for mpq recover: recovery_images FOLDER ROWS STEP. Two logs of ROWS rows that grew side
// by side, open and closed, on exFAT and FAT32; exFAT entry sets of which one sector is older than the other; and a log in
// pieces, cut at each STEPth sector write. manifest.txt says which durable rows each log has: IMAGE FILE:BOOT:ROWS...
#include <cstdio>
#include <cstdlib>
#include <string>

#include "microparquet/port/fatfs_file.h"
#include "support/boot.h"
#include "support/volume.h"

namespace {

using filesystems::Format;
using filesystems::Imu;
using filesystems::RamDisk;
using filesystems::row_id;
using filesystems::Volume;
using microparquet::FatFsFile;
using microparquet::Status;

constexpr Format kExfat{"exfat", FM_EXFAT, 16 << 11, 4096};
constexpr Format kLargerExfat{"exfat", FM_EXFAT, 64 << 11, 4096};
constexpr Format kLargerFat32{"fat32", FM_FAT32, 64 << 11, 512, 2};
constexpr const char* kFolder = "LOG/00001";

template <unsigned Boot>
struct Numbered : Imu {
  static constexpr microparquet::Options with_id() {
    microparquet::Options options = filesystems::imu_options();
    options.file_id = 0x1000 + Boot;
    return options;
  }
  static constexpr microparquet::Options kOptions = with_id();
};

// A log whose rows are those of one boot, however often it is opened.
template <unsigned Boot>
class Log {
 public:
  Log(const std::string& name, unsigned rows_per_checkpoint)
      : file_(map_), path_(kFolder + ("/" + name)), rows_per_checkpoint_(rows_per_checkpoint) {
    writer().reset();
    status_ = file_.open_for_append(path_.c_str());
    if (status_ == Status::kOk) status_ = writer().resume(file_);
    if (status_ == Status::kOk) rows_ = static_cast<unsigned>(writer().rows());
  }

  bool append() {
    if (status_ == Status::kOk) status_ = writer().append(Imu::make(row_id(Boot, rows_)));
    rows_ += status_ == Status::kOk ? 1 : 0;
    if (status_ == Status::kOk && rows_ % rows_per_checkpoint_ == 0) status_ = writer().checkpoint();
    return status_ == Status::kOk;
  }
  bool close() {
    return status_ == Status::kOk && writer().close() == Status::kOk && file_.close() == Status::kOk;
  }

  // Its words in the manifest; empty: it has no durable row.
  std::string line() const {
    const std::string rows = std::to_string(writer().durable_rows());
    return rows == "0" ? std::string() : " " + path_ + ":" + std::to_string(Boot) + ":" + rows;
  }

 private:
  static auto& writer() {
    static microparquet::StaticWriter<Imu::kSchema, Numbered<Boot>::kOptions>
        writer;  // NOLINT(*-dynamic-static-initializers)
    return writer;
  }

  DWORD map_[64] = {};
  FatFsFile file_;
  std::string path_;
  Status status_ = Status::kOk;
  unsigned rows_ = 0;
  unsigned rows_per_checkpoint_;
};

class Images {
 public:
  explicit Images(std::string folder)
      : folder_(std::move(folder)), manifest_(std::fopen((folder_ + "/manifest.txt").c_str(), "w")) {}
  ~Images() {
    if (manifest_ != nullptr) std::fclose(manifest_);
  }
  Images(const Images&) = delete;
  Images& operator=(const Images&) = delete;

  // Two logs that grow by turns, so that each has many pieces.
  bool side_by_side(const Format& format, unsigned rows, bool closed) {
    RamDisk disk(format.sectors);
    if (!prepare(disk, format, 0)) return false;
    std::string line;
    {
      const Volume volume(disk);
      Log<1> a("a.parquet", 500);
      Log<2> b("b.parquet", 500);
      for (unsigned i = 0; i < rows; ++i)
        if (!a.append() || !b.append()) return false;
      if (closed && (!a.close() || !b.close())) return false;
      line = a.line() + b.line();
    }
    return keep(disk, std::string("side_by_side_") + format.name + (closed ? "_closed" : "_open"), line);
  }

  // The log's set of entries lies in two sectors; FatFs opens nothing in the folder after some of the cuts.
  bool torn_sets() {
    constexpr unsigned kFilesBefore = 5;  // with a set of three entries each, of which a sector has sixteen
    RamDisk fresh(kExfat.sectors);
    RamDisk disk(kExfat.sectors);
    if (!prepare(fresh, kExfat, kFilesBefore)) return false;
    for (unsigned writes = 0;; ++writes) {
      disk.copy_from(fresh);
      const std::string line = cut_log(disk, writes);
      const bool was_cut = disk.is_cut();
      disk.power_on();
      if (!was_cut) return true;
      if (!line.empty() && is_torn(disk) && !keep(disk, "torn_" + std::to_string(writes), line)) return false;
    }
  }

  // Another file took the clusters after the log, which continues after it.
  bool pieces(unsigned step) {
    constexpr unsigned kFirstCut = 300;
    RamDisk fresh(kExfat.sectors);
    RamDisk disk(kExfat.sectors);
    if (!prepare(fresh, kExfat, 0) || cut_log(fresh, kFirstCut).empty()) return false;
    fresh.power_on();
    {
      const Volume volume(fresh);
      FIL other;
      UINT written = 0;
      BYTE block[512] = {};
      if (f_open(&other, "OTHER.BIN", FA_WRITE | FA_CREATE_NEW) != FR_OK ||
          f_write(&other, block, sizeof block, &written) != FR_OK || f_close(&other) != FR_OK)
        return false;
    }
    for (unsigned writes = step;; writes += step) {
      disk.copy_from(fresh);
      const std::string line = cut_log(disk, writes);
      const bool was_cut = disk.is_cut();
      disk.power_on();
      if (!was_cut) return true;
      if (!line.empty() && !keep(disk, "pieces_" + std::to_string(writes), line)) return false;
    }
  }

 private:
  static constexpr const char* kLog = "LOG5.parquet";

  static bool prepare(RamDisk& disk, const Format& format, unsigned files) {
    if (!filesystems::format(disk, format)) return false;
    const Volume volume(disk);
    bool good = f_mkdir("LOG") == FR_OK && f_mkdir(kFolder) == FR_OK;
    for (unsigned i = 0; i < files; ++i) {
      FIL file;
      const std::string path = std::string(kFolder) + "/LOG" + std::to_string(i) + ".parquet";
      good =
          good && f_open(&file, path.c_str(), FA_WRITE | FA_CREATE_NEW) == FR_OK && f_close(&file) == FR_OK;
    }
    return good;
  }

  // Logs until the power fails, at a sector write. Empty: no row was durable then.
  static std::string cut_log(RamDisk& disk, unsigned writes) {
    constexpr unsigned kRows = 800;
    const Volume volume(disk);
    disk.cut_after(writes, 0);
    Log<1> log(kLog, 40);
    for (unsigned i = 0; i < kRows && log.append(); ++i) continue;
    static_cast<void>(log.close());  // which fails, too, where the power has failed
    return log.line();
  }

  static bool is_torn(RamDisk& disk) {
    const Volume volume(disk);
    FIL file;
    return f_open(&file, (std::string(kFolder) + "/" + kLog).c_str(), FA_READ) == FR_INT_ERR;
  }

  bool keep(const RamDisk& disk, const std::string& name, const std::string& line) {
    return manifest_ != nullptr && disk.save(folder_ + "/" + name + ".img") &&
           std::fprintf(manifest_, "%s.img%s\n", name.c_str(), line.c_str()) > 0;
  }

  std::string folder_;
  std::FILE* manifest_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  Images images(argv[1]);
  const auto rows = static_cast<unsigned>(std::atoi(argv[2]));
  for (const bool closed : {false, true})
    for (const Format& format : {kLargerExfat, kLargerFat32})
      if (!images.side_by_side(format, rows, closed)) return 1;
  const auto step = static_cast<unsigned>(std::atoi(argv[3]));
  return step != 0 && images.torn_sets() && images.pieces(step) ? 0 : 1;
}
