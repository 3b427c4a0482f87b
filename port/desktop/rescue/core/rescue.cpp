// The recovery of a file that was dropped on a page, as `mpq recover` does it. rescue() is called once for a file, in a worker,
// and comes back when all is done.
#include <exception>
#include <new>
#include <string>

#include "candidates.h"
#include "findings.h"
#include "microparquet/desktop/failure.h"
#include "open_file.h"
#include "other_kind.h"
#include "page_calls.h"
#include "page_file.h"
#include "parquet_output.h"
#include "result.h"
#include "traces.h"
#include "view.h"

namespace microparquet::rescue {

namespace {

namespace rec = recovery;

std::uint32_t size_of(const std::string& text) { return static_cast<std::uint32_t>(text.size()); }

void tell(const std::string& what, const std::string& text) {
  page_line(what.data(), size_of(what), text.data(), size_of(text));
}

void tell_failure(const std::string& text) { page_failed(text.data(), size_of(text)); }

void tell_begin(const std::string& name, const std::string& title) {
  page_found(name.data(), size_of(name), title.data(), size_of(title));
}

rec::Progress progress(const std::string& what) {
  return [what](std::uint64_t done) { page_progress(what.data(), size_of(what), static_cast<double>(done)); };
}

void tell_end(rec::Outcome outcome) { page_end(static_cast<std::uint32_t>(outcome)); }

void write(DroppedFile& dropped, rec::View& view, const rec::Found& found) {
  const rec::Result result = rec::make_result(view, found, progress("writing again"));
  if (!rec::is_worth_writing(view, found, result)) {
    tell("written", "nothing: no row is there");
    rec::tell_of_unproved(found, tell);
    tell_end(rec::Outcome::kNothing);
    return;
  }
  rec::tell_kept(result, tell);
  RescuedFile rescued(dropped);
  rec::ParquetOutput output(rescued);
  output.add_result(view, result, progress("putting together"));
  if (const Status status = output.finish(found.fields); status != Status::kOk) {
    throw desktop::Failure(std::string(": nothing is written: no program could open it (") +
                           to_string(status) + "); try mpq recover, and report it");
  }
  tell_end(rec::tell_outcome(found, result, tell));
}

// Says so of a file that needs nothing.
bool is_complete(DroppedFile& dropped, rec::View& view, const rec::Found& found) {
  if (!rec::is_sound(view, found) || rec::OpenFile().open(dropped) != Status::kOk) {
    return false;
  }
  const rec::Result result = rec::make_result(view, found, progress("reading"));
  rec::tell_kept(result, tell);
  tell("written", "nothing: the file is complete");
  const rec::Outcome outcome = rec::tell_outcome(found, result, tell);
  page_end(outcome == rec::Outcome::kAllThere ? kOutcomeComplete : static_cast<std::uint32_t>(outcome));
  return true;
}

rec::FileFindings find_in_file(rec::View& view, const rec::Traces& traces) {
  try {
    return rec::find_in_file(view, traces, std::nullopt, rec::Unproved::kLeftOut, progress("checking pages"));
  } catch (const rec::SeveralFiles&) {
    throw desktop::Failure(" holds footers of several files" + rec::file_ids_text(traces) +
                           "; choose one by mpq recover --file-id");
  }
}

// Throws Failure where nothing can be written.
const rec::Found& found_in(const rec::FileFindings& findings) {
  if (findings.obstacle == rec::Obstacle::kOtherFiles) {
    throw desktop::Failure(" describes rows that lie in other files; drop those");
  }
  if (!findings.found) {
    throw desktop::Failure(
        findings.obstacle == rec::Obstacle::kLaterVersion
            ? ": a later version of microparquet has written it; take the rescue.html of that one"
            : ": no footer in it can be believed; if a file with the same columns exists, give it to mpq "
              "recover --schema");
  }
  return *findings.found;
}

void rescue_file(DroppedFile& dropped, std::uint64_t bytes) {
  rec::View view(dropped, {{0, bytes}});
  const rec::Traces traces = rec::find_traces(view, progress("looking for footers"));
  const rec::FileFindings findings = find_in_file(view, traces);
  const rec::Found& found = found_in(findings);
  tell_begin({}, {});
  rec::tell_found(found, tell);
  if (findings.obstacle == rec::Obstacle::kLaterVersion || !is_complete(dropped, view, found)) {
    write(dropped, view, found);
  }
}

void rescue_image(DroppedFile& dropped) {
  auto [files, notes] = rec::find_image_rows(dropped, std::nullopt, rec::Unproved::kLeftOut, progress);
  if (files.empty()) {
    const std::string why = rec::why_another_kind(dropped);
    throw desktop::Failure(
        ": no Parquet file of microparquet is in it" +
        (notes.empty() ? std::string() : "; " + notes.front()) +
        (why.empty() ? "; drop a file that begins with PAR1, or an image of the whole card" : "; it" + why));
  }
  for (const std::string& note : notes) {
    page_note(note.data(), size_of(note));
  }
  for (rec::ImageRows& each : files) {
    tell_begin(each.file.name.empty() ? rec::file_id_text(each.file.file_id) + ".parquet" : each.file.name,
               rec::image_file_text(each.file));
    if (!each.file.doubt.empty()) {
      tell("entry", each.file.doubt);
    }
    rec::tell_found(each.found, tell);
    write(dropped, each.file.view, each.found);
  }
}

void rescue_all(DroppedFile& dropped, std::uint64_t bytes) {
  try {
    if (rec::begins_as_parquet(dropped)) {
      rescue_file(dropped, bytes);
    } else {
      rescue_image(dropped);
    }
  } catch (const std::bad_alloc&) {
    tell_failure(": it takes more memory than a page has; give it to mpq recover");
    return;
  } catch (const std::exception& failure) {
    if (!dropped.unread()) {
      tell_failure(failure.what());
    }
  }
  if (dropped.unread()) {
    tell_failure(": the browser cannot read it at byte " + std::to_string(*dropped.unread()) +
                 "; copy it to a disk of this machine, and drop the copy");
  }
}

}  // namespace

}  // namespace microparquet::rescue

extern "C" __attribute__((export_name("rescue"))) void rescue(double size) {
  const auto bytes = static_cast<std::uint64_t>(size);
  microparquet::rescue::DroppedFile dropped(bytes);
  microparquet::rescue::rescue_all(dropped, bytes);
}
