// Why a lake cannot be written.
#pragma once

#include <cerrno>
#include <cstring>
#include <string>

#include "wrong_request.h"

namespace mpq_tool {

// It concerns all files that are still to come.
class LakeFailure : public Failure {
 public:
  using Failure::Failure;
};

// For an errno of a call for `path`.
inline LakeFailure lake_failure(const std::string& path, int error) {
  const bool full = error == ENOSPC || error == EDQUOT || error == EFBIG;
  return LakeFailure(path + ": " + std::strerror(error) +
                     (full ? "; what was collected before is whole: make space, and collect again" : ""));
}

}  // namespace mpq_tool
