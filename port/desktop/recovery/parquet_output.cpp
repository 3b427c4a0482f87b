#include "parquet_output.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "microparquet/desktop/failure.h"
#include "microparquet/detail/format/magic.h"
#include "open_file.h"
#include "thrift_dom/row_group_parts.h"

namespace microparquet::recovery {

void copy_bytes(File& from, std::uint64_t begin, std::uint64_t bytes, ByteSink& sink) {
  constexpr std::uint64_t kPiece = 1 << 20;
  Bytes piece;
  for (std::uint64_t done = 0; done < bytes; done += piece.size()) {
    piece.resize(static_cast<std::size_t>(std::min(kPiece, bytes - done)));
    if (from.read_at(begin + done, piece) != Status::kOk) {
      throw desktop::Failure("pages that could be read cannot be read again");
    }
    sink.write(piece.data(), piece.size());
  }
}

ParquetOutput::ParquetOutput(ByteSink& sink) : sink_(sink) {
  sink_.write(format::kMagicText.data(), format::kMagicBytes);
}

void ParquetOutput::add_row_group(File& from, const Bytes& entry) {
  MovedRowGroup moved = move_row_group(entry, sink_.bytes());
  for (const Piece& piece : moved.pieces) {
    sink_.take(from, piece.begin, piece.bytes);
  }
  entries_.push_back(std::move(moved.entry));
}

void ParquetOutput::add_row_group(View& from, const Bytes& entry) {
  MovedRowGroup moved = move_row_group(entry, sink_.bytes());
  for (const Piece& piece : moved.pieces) {
    const std::vector<Piece> stored = from.stored(piece);
    if (stored.empty()) {
      copy_bytes(from, piece.begin, piece.bytes, sink_);
    }
    for (const Piece& each : stored) {
      sink_.take(from.medium(), each.begin, each.bytes);
    }
  }
  entries_.push_back(std::move(moved.entry));
}

void ParquetOutput::add_result(View& view, const Result& result, const Progress& progress) {
  for (const ResultPart& part : result.parts) {
    progress(sink_.bytes());
    if (!part.rows) {
      add_row_group(view, part.entry);
      continue;
    }
    const WrittenRows& rows = *part.rows;
    for (const Bytes& entry : rows.entries) {
      add_row_group(static_cast<File&>(*rows.file), entry);
    }
  }
}

Status ParquetOutput::finish(const std::vector<FooterField>& fields) {
  const Bytes footer = build_footer(fields, entries_, std::nullopt);
  sink_.write(footer.data(), footer.size());
  return OpenFile().open(sink_.written());
}

}  // namespace microparquet::recovery
