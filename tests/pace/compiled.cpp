// A source that tests/pace/run compiles, of usual size and kind. It never changes, which keeps the pace
// comparable.
#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

std::map<std::string, std::vector<std::string>> lines_by_word(std::istream& text) {
  std::map<std::string, std::vector<std::string>> found;
  for (std::string line, word; std::getline(text, line);) {
    for (std::istringstream words(line); words >> word;) found[word].push_back(line);
  }
  for (auto& [word, lines] : found) std::sort(lines.begin(), lines.end(), std::greater<>());
  return found;
}
