// The files of the log, for a Retention.
#pragma once

#include <cstddef>
#include <cstdint>

#include "ff.h"
#include "microparquet/port/fatfs_log_folder.h"
#include "microparquet/retention.h"
#include "microparquet/status.h"
#include "session_files.h"

// All folders of sessions are listed, one after the other. A session above 99 may also be in the first one, where firmware had it
// before there were others.
class SessionFolder final : public microparquet::FatFsLogFolder {
 public:
  // Both must stay.
  SessionFolder(const SessionFiles& files, FATFS& volume)
      : FatFsLogFolder(files.folder(), volume), files_(files) {}

  microparquet::Status list_sessions() override;
  microparquet::Status next_session(std::uint32_t& session) override;
  microparquet::Status list_files(std::uint32_t session) override;
  microparquet::Status open_file(const microparquet::LogFile& file, microparquet::File*& opened) override;
  microparquet::Status remove_file(const microparquet::LogFile& file, bool& is_done) override;
  microparquet::Status remove_session(std::uint32_t session) override;
  bool has_id(const microparquet::LogFile& file, std::uint32_t file_id) override;

 private:
  std::size_t put_folder(char* path, std::uint32_t group) const;
  void use(std::uint32_t group);
  void find(std::uint32_t session);

  const SessionFiles& files_;
  std::uint32_t listed_ = 0;  // folder of sessions that is listed
  std::uint32_t found_ = 0;   // session whose folder is in use
};
