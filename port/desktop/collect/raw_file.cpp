#include "raw_file.h"

#include <algorithm>
#include <cerrno>
#include <limits>
#include <map>

#include "chunk_check.h"
#include "file_footer.h"
#include "flat_rows.h"
#include "item_file.h"
#include "microparquet/detail/format/magic.h"
#include "microparquet/encoders.h"
#include "microparquet/port/desktop.h"
#include "microparquet/writer.h"
#include "new_parquet_file.h"
#include "thrift_dom/footer_parts.h"
#include "thrift_dom/row_group_parts.h"
#include "value_summary.h"

namespace mpq_tool {

using microparquet::Status;

namespace desktop = microparquet::desktop;

Status WorkFile::open(const std::string& path, bool keeps) {
  file_ = desktop::open_file(path, keeps ? desktop::Access::kChange : desktop::Access::kReplace);
  const desktop::FileState state = file_.is_open() ? desktop::state_of(file_.number()) : desktop::FileState();
  if (state.kind == desktop::FileKind::kNone) {
    return failed(errno);
  }
  bytes_ = state.bytes;
  return Status::kOk;
}

Status WorkFile::flush() { return desktop::put_on_disk(file_.number()) ? Status::kOk : failed(errno); }

microparquet::FileAbilities WorkFile::abilities() const {
  microparquet::FileAbilities abilities;
  abilities.seek = abilities.read_back = abilities.shrink = abilities.gathers = true;
  return abilities;
}

Status WorkFile::size(std::uint64_t& bytes) {
  bytes = bytes_;
  return Status::kOk;
}

Status WorkFile::read_at(std::uint64_t offset, microparquet::Span<std::byte> out) {
  for (std::size_t done = 0; done < out.size();) {
    const std::ptrdiff_t came =
        desktop::read_some_at(file_.number(), out.data() + done, out.size() - done, offset + done);
    if (came == 0 || (came < 0 && errno != EINTR)) {
      return failed(came < 0 ? errno : ENODATA);
    }
    done += static_cast<std::size_t>(std::max<std::ptrdiff_t>(came, 0));
  }
  return Status::kOk;
}

Status WorkFile::write_at(std::uint64_t offset, microparquet::Span<const std::byte> data) {
  for (std::size_t done = 0; done < data.size();) {
    const std::ptrdiff_t moved =
        desktop::write_some_at(file_.number(), data.data() + done, data.size() - done, offset + done);
    if (moved == 0 || (moved < 0 && errno != EINTR)) {
      return failed(moved < 0 ? errno : EIO);
    }
    done += static_cast<std::size_t>(std::max<std::ptrdiff_t>(moved, 0));
  }
  bytes_ = std::max(bytes_, offset + data.size());
  return Status::kOk;
}

// Drops the bytes after `size`, which do not belong to the file.
Status WorkFile::sync(std::uint64_t size) { return size < bytes_ ? shrink(size) : Status::kOk; }

Status WorkFile::shrink(std::uint64_t size) {
  if (!desktop::cut(file_.number(), size)) {
    return failed(errno);
  }
  bytes_ = size;
  return Status::kOk;
}

Status WorkFile::failed(int error) {
  error_ = error;
  return desktop::is_no_space(error) ? Status::kNoSpace : Status::kIoError;
}

namespace rec = microparquet::recovery;

FoundRows::FoundRows(rec::View& view, const rec::Found& found)
    : view_(view), found_(found), result_(rec::make_result(view, found, nullptr)) {
  find_lost();
}

// Row groups follow each other by their numbers: what is kept and lost of each says how many rows it has.
void FoundRows::find_lost() {
  struct Group {
    std::uint64_t rows = 0;
    std::optional<std::uint64_t> lost;
  };
  std::map<std::size_t, Group> groups;
  for (const rec::KeptRowGroup& kept : found_.proof.kept) {
    groups[kept.row_group].rows += rec::rows_in(kept.rows);
  }
  for (const rec::LostRows& lost : found_.proof.lost) {
    if (lost.rows.empty()) {
      continue;
    }
    Group& group = groups[lost.row_group];
    group.rows += rec::rows_in(lost.rows);
    group.lost = std::min(group.lost.value_or(lost.rows.front().begin), lost.rows.front().begin);
    lost_ += rec::rows_in(lost.rows);
  }
  lost_ += result_.rows_given_up;
  std::uint64_t before = 0;
  for (const auto& [number, group] : groups) {
    if (group.lost && !first_lost_) {
      first_lost_ = before + (result_.rows_given_up == 0 ? *group.lost : 0);
    }
    before += group.rows;
  }
  if (!first_lost_ && !found_.missing.empty()) {
    first_lost_ = before;
  }
}

// Row groups as they are, as many as come one after another.
microparquet::File& FoundRows::described(std::size_t& part) {
  std::vector<rec::Bytes> entries;
  for (; part < result_.parts.size() && !result_.parts[part].rows; ++part) {
    entries.push_back(result_.parts[part].entry);
  }
  view_.set_end(rec::build_footer(found_.fields, entries, std::nullopt));
  return view_;
}

namespace {

namespace mpq = microparquet;
using mpq::Status;

constexpr std::uint64_t kMostGroupRows = 1 << 20;

bool can_be_encoded(const std::vector<rec::Leaf>& leaves, std::uint32_t schema_elements) {
  return schema_elements == leaves.size() + 1 &&
         std::all_of(leaves.begin(), leaves.end(), [](const rec::Leaf& leaf) {
           return leaf.element.type != mpq::Type::kInt96 && leaf.element.max_repetition_level == 0 &&
                  !mpq::is_read_only(leaf.element.logical.kind);
         });
}

std::vector<mpq::Field> encoded_fields(const std::vector<rec::Leaf>& leaves,
                                       const mpq::Compressor* compressor) {
  constexpr const mpq::AutoEncoders& kEncoders = mpq::kAutoOf<16384, 4096>;
  std::vector<mpq::Field> fields;
  for (const rec::Leaf& leaf : leaves) {
    const mpq::Field field = rec::written_field(leaf);
    fields.push_back(field.with_encoder(compressor != nullptr ? kEncoders.under(*compressor) : kEncoders));
  }
  return fields;
}

// RowGroup structures.
std::vector<rec::Bytes> entries_of(const rec::Result& result) {
  std::vector<rec::Bytes> entries;
  for (const rec::ResultPart& part : result.parts) {
    if (part.rows) {
      entries.insert(entries.end(), part.rows->entries.begin(), part.rows->entries.end());
    } else {
      entries.push_back(part.entry);
    }
  }
  return entries;
}

std::uint64_t bytes_of_chunks(const std::vector<rec::Bytes>& entries) {
  std::uint64_t bytes = 0;
  for (const rec::Bytes& entry : entries) {
    for (const rec::Piece& piece : rec::chunks_of(entry)) {
      bytes += piece.bytes;
    }
  }
  return bytes;
}

// Whether all is true that the RowGroup structure `entry` says of its pages in `file`: of rows that can be read its statistics,
// sizes and indexes may still be wrong.
bool is_true(rec::View& file, const rec::Bytes& entry, const std::vector<rec::Leaf>& leaves) {
  const auto row_group = rec::take_apart(entry);
  if (!row_group || row_group->columns.size() != leaves.size()) {
    return false;
  }
  rec::ColumnCheck check(file);
  std::uint64_t bytes = 0;
  for (const rec::Leaf& leaf : leaves) {
    const auto& chunk = row_group->columns[static_cast<std::size_t>(&leaf - leaves.data())];
    const rec::ChunkReport report = check.check(leaf.element, chunk, row_group->rows);
    bytes += report.info.uncompressed_bytes;
    for (const auto* const sentences :
         {&report.damage, &report.contradictions, &report.slips, &report.index_faults, &report.index_slips}) {
      if (!sentences->empty()) {
        return false;
      }
    }
  }
  return bytes == row_group->bytes;
}

bool are_true(FoundRows& rows, const std::vector<rec::Leaf>& leaves) {
  const std::vector<rec::ResultPart>& parts = rows.result().parts;
  return std::all_of(parts.begin(), parts.end(), [&](const rec::ResultPart& part) {
    return part.rows || is_true(rows.view(), part.entry, leaves);  // rows that were written again are true
  });
}

}  // namespace

void RawFile::write(FoundRows& rows, const std::vector<rec::FooterField>& fields,
                    const std::set<std::uint64_t>& marked) {
  std::vector<rec::Leaf> leaves;
  std::uint32_t elements = 0;
  const Status status = rows.visit([&](mpq::File& file) {
    rec::OpenFile open;
    Status opened = leaves.empty() ? open.open(file) : Status::kOk;
    if (opened == Status::kOk && leaves.empty()) {
      elements = open.reader().schema_elements();
      opened = open.read_leaves(leaves);
    }
    return opened;
  });
  if (status != Status::kOk) {
    throw Failure(to_string(status));
  }
  if (can_be_encoded(leaves, elements)) {
    encode(rows, leaves, marked);
  } else {
    write_items(rows, fields, leaves);
  }
}

// A text must fit in a page.
void RawFile::encode(FoundRows& rows, const std::vector<rec::Leaf>& leaves,
                     const std::set<std::uint64_t>& marked) {
  constexpr std::uint32_t kUsualPage = 64 << 10;
  constexpr std::uint32_t kMostPage = 32 << 20;
  Status status = Status::kValueTooLarge;
  for (std::uint32_t page = kUsualPage; page <= kMostPage && status == Status::kValueTooLarge; page *= 8) {
    status = encode(rows, leaves, page, marked);
  }
  if (status != Status::kOk) {
    throw Failure(to_string(status));
  }
}

Status RawFile::encode(FoundRows& rows, const std::vector<rec::Leaf>& leaves, std::uint32_t page_bytes,
                       const std::set<std::uint64_t>& marked) {
  mpq::Options options = mpq::desktop_options(
      static_cast<std::uint32_t>(std::clamp<std::uint64_t>(rows.rows(), 1, kMostGroupRows)));
  options.page_bytes = page_bytes;
  options.checkpoint_ms = 0;
  const std::vector<mpq::Field> fields = encoded_fields(leaves, compressor_);
  std::vector<std::uint64_t> arena(mpq::Writer::required_bytes(fields, options) / sizeof(std::uint64_t) + 1);
  WorkFile file;
  mpq::Writer writer;
  FlatRows flat(leaves, marked);
  Status written = file.open(path_, false);
  if (written == Status::kOk) {
    written = writer.open(file, fields, options,
                          {reinterpret_cast<std::byte*>(arena.data()), arena.size() * sizeof arena[0]});
  }
  const auto take = [&](mpq::Span<const mpq::ColumnData> columns, std::size_t count) {
    return written = writer.append_columns(columns, count);
  };
  const Status read = written == Status::kOk
                          ? rows.visit([&](mpq::File& from) { return flat.read(from, take); })
                          : Status::kOk;
  if (written == Status::kOk && read == Status::kOk) {
    written = writer.close();
  }
  if (written == Status::kIoError || written == Status::kNoSpace || written == Status::kMediumLost) {
    throw lake_failure(path_, file.error());
  }
  marks_ = flat.marks();
  return written != Status::kOk ? written : read;
}

// Item by item; or page by page where that is smaller, as with encodings that are only read, and all is true that the footer
// says of the pages.
void RawFile::write_items(FoundRows& rows, const std::vector<rec::FooterField>& fields,
                          const std::vector<rec::Leaf>& leaves) {
  ItemRows items(leaves);
  const std::vector<rec::Bytes> entries = entries_of(rows.result());
  std::uint64_t written = std::numeric_limits<std::uint64_t>::max();
  if (!entries.empty()) {
    ItemFile out(path_, leaves, entries.front(), compressor_);
    const Status status = rows.visit([&](mpq::File& file) { return items.read(file, out); });
    if (status != Status::kOk) {
      throw Failure(to_string(status));
    }
    written = out.finish(fields);
  }
  marks_ = items.marks();
  if (written > bytes_of_chunks(entries) && (entries.empty() || are_true(rows, leaves))) {
    copy(rows, fields);
  }
}

void RawFile::copy(FoundRows& rows, const std::vector<rec::FooterField>& fields) {
  try {
    rec::NewParquetFile out(path_, true);
    out.output().add_result(rows.view(), rows.result(), [](std::uint64_t) {});
    out.finish(fields);
  } catch (const LakeFailure&) {
    throw;
  } catch (const Failure& failure) {
    throw LakeFailure(failure.what());
  }
}

std::uint64_t RawFile::finish(const std::vector<rec::TextPair>& key_values) {
  WorkFile file;
  std::uint64_t bytes = 0;
  Status status = file.open(path_, true);
  if (status == Status::kOk) {
    status = rec::replace_key_values(file, key_values, bytes);
  }
  if (status == Status::kCorrupt) {
    throw LakeFailure(path_ + ": what was written does not come back; check the disk");
  }
  if (status == Status::kOk) {
    status = file.flush();
  }
  if (status != Status::kOk) {
    throw lake_failure(path_, file.error());
  }
  return bytes;
}

}  // namespace mpq_tool
