#include "log.h"

#include "microparquet/compatible.h"
#include "microparquet/facts.h"

namespace host_log {

namespace mpq = microparquet;

namespace {

constexpr std::uint8_t kMaxKeyValues = 8;  // what a new file has, and why it stopped

}  // namespace

Log::Log(const Settings& settings) : fields_(kSchema.fields) {
  for (mpq::Field& field : fields_) {
    field = encoded(field, settings);
  }
  options_.page_bytes = page_bytes_of(settings);
  options_.row_group_bytes = settings.row_group_bytes;
  options_.max_key_values = kMaxKeyValues;
  if (settings.compatible) {
    options_ = mpq::compatible(options_);
  }
  if (settings.page_index || !settings.bloom.empty()) {
    fault_ = index_.watch(fields_, settings);
    options_.layout = &index_.over(mpq::Schema(fields_), options_);
  }
  arena_bytes_ = required_bytes(mpq::Schema(fields_), options_);
  arena_.reset(new std::byte[arena_bytes_]);
}

mpq::Status Log::resume(mpq::File& file, std::string_view host) {
  const mpq::KeyValue about[] = {{mpq::facts::kDevice, host},
                                 {"unit.cpu_percent", "%"},
                                 {"unit.memory_used_bytes", "B"},
                                 {"unit.temperature_c", "\u00B0C"}};
  mpq::FileStart start;
  if (!host.empty()) {
    start.key_values = about;
  }
  return Writer::resume(file, mpq::Schema(fields_), options_, {arena_.get(), arena_bytes_}, start);
}

mpq::Status Log::append(const Sample& sample) {
  const mpq::Value row[] = {mpq::Value::of(sample.time_us), mpq::Value::of(sample.cpu_percent),
                            mpq::Value::of(sample.memory_used_bytes), mpq::Value::of(sample.load_1min),
                            sample.temperature_c ? mpq::Value::of(*sample.temperature_c) : mpq::Value()};
  return Writer::append(row);
}

}  // namespace host_log
