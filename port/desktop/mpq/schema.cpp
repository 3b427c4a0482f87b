#include "microparquet/schema.h"
#include "commands.h"
#include "file_facts.h"
#include "parquet_file.h"
#include "type_text.h"

namespace mpq_tool {

namespace {

std::string repetition_text(microparquet::Repetition repetition) {
  switch (repetition) {
    case microparquet::Repetition::kRequired: return "required ";
    case microparquet::Repetition::kOptional: return "optional ";
    case microparquet::Repetition::kRepeated: return "repeated ";
  }
  return {};
}

std::string indent(std::uint32_t depth) { return std::string(2 * std::size_t{depth}, ' '); }

// Unit of a leaf; empty for a group.
std::string unit_of(const microparquet::SchemaElement& element, const ParquetFile& file, const Facts& facts) {
  return element.leaf ? facts.unit_text(file.columns()[element.column].name) : "";
}

void close_groups(std::uint32_t& open, std::uint32_t depth, Output& output) {
  while (open > depth) {
    --open;
    output.line(indent(open) + "}");
  }
}

}  // namespace

void print_schema(const InputFile& input, Output& output) {
  ParquetFile file(input);
  const Facts facts = read_facts(file);
  std::uint32_t open = 0;  // groups whose end is still to come
  file.visit_schema([&](const microparquet::SchemaElement& element) {
    close_groups(open, element.depth, output);
    const std::string name(element.name);
    const std::string logical = logical_text(element);
    std::string line = indent(element.depth);
    if (element.depth == 0) {
      line += "message " + name + " {";
    } else {
      line += repetition_text(element.repetition) + (element.leaf ? physical_text(element) : "group") + " " +
              name + (logical.empty() ? "" : " (" + logical + ")") + (element.leaf ? ";" : " {");
      if (const std::string unit = unit_of(element, file, facts); !unit.empty()) {
        line += "  // " + unit;
      }
    }
    output.line(line);
    open += element.leaf ? 0 : 1;
  });
  close_groups(open, 0, output);
}

}  // namespace mpq_tool
