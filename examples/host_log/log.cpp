#include "log.h"

namespace host_log {

namespace mpq = microparquet;

Log::Log(const Settings& settings) : fields_(kSchema.fields) {
  for (mpq::Field& field : fields_) {
    field = encoded(field, settings);
  }
  options_.page_bytes = page_bytes_of(settings);
  options_.row_group_bytes = settings.row_group_bytes;
  arena_bytes_ = required_bytes(mpq::Schema(fields_), options_);
  arena_.reset(new std::byte[arena_bytes_]);
}

mpq::Status Log::resume(mpq::File& file) {
  return Writer::resume(file, mpq::Schema(fields_), options_, {arena_.get(), arena_bytes_});
}

mpq::Status Log::append(const Sample& sample) {
  const mpq::Value row[] = {mpq::Value::of(sample.time_us), mpq::Value::of(sample.cpu_percent),
                            mpq::Value::of(sample.memory_used_bytes), mpq::Value::of(sample.load_1min),
                            sample.temperature_c ? mpq::Value::of(*sample.temperature_c) : mpq::Value()};
  return Writer::append(row);
}

}  // namespace host_log
