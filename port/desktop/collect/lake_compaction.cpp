#include "lake_compaction.h"

#include <strings.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "compact_sql.h"
#include "merge_input.h"
#include "merged_columns.h"
#include "merged_key_values.h"
#include "microparquet/text/progress_line.h"
#include "read_failure.h"
#include "table_merge.h"

namespace mpq_tool {

namespace {

using microparquet::text::ProgressLine;

struct LakeFact {
  const char* name;
  std::string Collected::* text;
};
constexpr LakeFact kLakeFacts[] = {{"device", &Collected::device},
                                   {"firmware", &Collected::firmware},
                                   {"session", &Collected::session},
                                   {"split", &Collected::split},
                                   {"started_at", &Collected::started_at}};

class Compaction {
 public:
  Compaction(const Lake& lake, const Renames& renames) : lake_(lake), renames_(renames) {}

  bool run() {
    if (!read_inputs()) {
      return false;
    }
    const MergedColumns columns(inputs_, false,
                                [this](const std::string& name) { return name_in_lake(name, renames_); });
    if (columns.all().empty()) {
      return false;
    }
    std::map<std::string, std::vector<MergeInput>> devices;
    for (MergeInput& input : inputs_) {
      devices[device_folder(paths_.at(input.file->name()))].push_back(std::move(input));
    }
    for (auto& [device, inputs] : devices) {
      sort_by_session(inputs);
      merge(device, inputs, columns);
    }
    return true;
  }

 private:
  bool read_inputs() {
    MergeInputs reader({}, MergeInputs::Times::kNone);
    for (const auto& [path, file] : lake_.files()) {
      const std::string where = lake_.folder() + "/" + path;
      line_.show(where);
      paths_[where] = path;
      inputs_.push_back(reader.read(where));
      if (!inputs_.back().schema->is_flat || has_one_name_twice(*inputs_.back().schema)) {
        return false;
      }
    }
    return true;
  }

  bool has_one_name_twice(const MergeSchema& schema) const {
    std::set<std::string> names;
    return std::any_of(schema.columns.begin(), schema.columns.end(), [&](const Column& column) {
      const std::string name = name_in_lake(column.name, renames_);
      return !name.empty() && !names.insert(name).second;
    });
  }

  // Facts that are columns: one that the logs have, too, stays theirs.
  std::vector<ConstantColumn> facts_of(const std::vector<MergeInput>& inputs,
                                       const MergedColumns& columns) const {
    std::vector<ConstantColumn> facts;
    for (const LakeFact& fact : kLakeFacts) {
      const bool is_logged = std::any_of(
          columns.all().begin(), columns.all().end(),
          [&](const MergedColumn& column) { return strcasecmp(column.name.c_str(), fact.name) == 0; });
      if (is_logged) {
        continue;
      }
      ConstantColumn& column = facts.emplace_back();
      column.name = fact.name;
      for (const MergeInput& input : inputs) {
        column.texts.push_back(lake_.files().at(paths_.at(input.file->name())).*fact.text);
      }
    }
    return facts;
  }

  void merge(const std::string& device, const std::vector<MergeInput>& inputs, const MergedColumns& columns) {
    const std::vector<ConstantColumn> facts = facts_of(inputs, columns);
    std::uint64_t all = 0;
    for (const MergeInput& input : inputs) {
      all += input.rows;
    }
    const std::string output = lake_.folder() + "/compact/" + device + ".parquet";
    try {
      TableMerge(columns, inputs, facts)
          .write(
              output, [&](std::uint64_t rows) { line_.show(output, rows, all); },
              [&](const std::vector<std::uint64_t>& rows) {
                return merged_key_values(inputs, rows, &columns).pairs;
              });
    } catch (const DamagedInput& damaged) {
      throw Failure(std::string("--compact: ") + damaged.what());
    }
  }

  const Lake& lake_;
  const Renames& renames_;
  ProgressLine line_;
  std::vector<MergeInput> inputs_;
  std::map<std::string, std::string> paths_;  // paths in the lake of the inputs, by their names
};

}  // namespace

bool compact_by_merging(const Lake& lake, const Renames& renames) { return Compaction(lake, renames).run(); }

}  // namespace mpq_tool
