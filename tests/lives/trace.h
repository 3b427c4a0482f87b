// The calls of a life, kept when it is lived again to be looked at.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

namespace lives {

class Trace {
 public:
  explicit Trace(bool kept = false) : kept_(kept) {}
  bool kept() const { return kept_; }
  void add(const std::string& line) {
    if (kept_) lines_.push_back(line);
  }
  // The last ones; 0: all.
  void print(std::size_t last) const {
    const std::size_t first = last != 0 && lines_.size() > last ? lines_.size() - last : 0;
    for (std::size_t i = first; i < lines_.size(); ++i) std::printf("    %s\n", lines_[i].c_str());
  }

 private:
  bool kept_;
  std::vector<std::string> lines_;
};

}  // namespace lives
