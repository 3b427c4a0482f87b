// What tests/pace/run compiles: of the size and kind of most sources here, and never changed.
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
