// The line of JSON. Whole numbers only: printing others takes a small board kilobytes of flash.
#include "card_bench.h"
#include "wear_page.h"

namespace card_bench {
namespace {

class Line {
 public:
  Line(Bench::Print print, void* to) : print_(print), to_(to) {}

  void raw(const char* text) { print_(to_, text); }
  void name(const char* name) {
    raw("\"");
    raw(name);
    raw("\":");
  }
  void text(const char* text) {
    raw("\"");
    raw(text);
    raw("\"");
  }
  void number(uint64_t number) {
    char digits[21];
    char* at = digits + sizeof digits - 1;
    *at = 0;
    do {
      *--at = static_cast<char>('0' + number % 10);
      number /= 10;
    } while (number != 0);
    raw(at);
  }
  void number_or_null(uint64_t value) {
    if (value == 0) return raw("null");
    number(value);
  }
  void flag(bool flag) { raw(flag ? "true" : "false"); }
  void hex(uint32_t value, int digits) {
    char out[2] = {};
    for (int shift = 4 * digits - 4; shift >= 0; shift -= 4) {
      out[0] = "0123456789abcdef"[value >> shift & 15];
      raw(out);
    }
  }
  // Text of a register, which may hold anything.
  void letters(const uint8_t* bytes, int count) {
    char out[2] = {};
    raw("\"");
    for (int i = 0; i != count; ++i) {
      const bool plain = bytes[i] >= ' ' && bytes[i] < 0x7F && bytes[i] != '"' && bytes[i] != '\\';
      out[0] = plain ? static_cast<char>(bytes[i]) : '?';
      raw(out);
    }
    raw("\"");
  }

 private:
  Bench::Print print_;
  void* to_;
};

// All but the serial number, which is the owner's.
void print_card(Line& line, const Identity& identity) {
  line.name("card");
  if (!identity.has_cid) return line.raw("null");
  const uint8_t* const cid = identity.cid;
  line.raw("{\"manufacturer\":\"0x");
  line.hex(cid[0], 2);
  line.raw("\",\"oem\":");
  line.letters(cid + 1, 2);
  line.raw(",\"product\":");
  line.letters(cid + 3, 5);
  line.raw(",\"revision\":\"");
  line.number(cid[8] >> 4);
  line.raw(".");
  line.number(cid[8] & 15);
  line.raw("\",\"made_year\":");
  line.number(2000U + (cid[13] & 15U) * 16 + (cid[14] >> 4));
  line.raw(",\"made_month\":");
  line.number(cid[14] & 15);
  line.raw("}");
}

void print_counter(Line& line, const Wear& wear, const char* name, uint8_t WearPage::* place, bool is_byte) {
  line.raw(",");
  line.name(name);
  if (wear.page == nullptr || wear.page->*place == WearPage::kNone) return line.raw("null");
  const uint8_t at = wear.page->*place;
  line.number(is_byte ? wear.block[at] : wear.page->number(wear.block, at));
}

void print_wear(Line& line, const char* name, const Wear& wear) {
  line.raw(",");
  line.name(name);
  if (!wear.is_known) return line.raw("null");
  line.raw("{\"argument\":\"0x");
  line.hex(wear.argument, 8);
  line.raw("\",\"signature\":\"");
  line.hex(wear.signature[0], 2);
  line.hex(wear.signature[1], 2);
  line.raw("\",\"form\":");
  if (wear.page == nullptr) {
    line.raw("null");
  } else {
    line.text(wear.page->maker);
  }
  print_counter(line, wear, "percent_used", &WearPage::percent_used, true);
  print_counter(line, wear, "percent_left", &WearPage::percent_left, true);
  print_counter(line, wear, "erases_mean", &WearPage::erases_mean, false);
  print_counter(line, wear, "erases_most", &WearPage::erases_most, false);
  print_counter(line, wear, "erases_total", &WearPage::erases_total, false);
  line.raw("}");
}

// Null: the run did not come so far.
void print_result(Line& line, const Phase& phase, const Result& result) {
  line.name(phase.name);
  if (result.writes == 0) return line.raw("null");
  line.raw("{\"writes\":");
  line.number(result.writes);
  line.raw(",\"bytes\":");
  line.number(result.bytes);
  line.raw(",\"us_mean\":");
  line.number(result.us_total / result.writes);
  line.raw(",\"us_longest\":");
  line.number(result.us_longest);
  line.raw("}");
}

}  // namespace

void Bench::print(Print print, void* to) const {
  Line line(print, to);
  line.raw("{\"card_bench\":1,\"driver\":");
  line.text(identity_.driver == nullptr ? "" : identity_.driver);
  line.raw(",\"is_emulated\":");
  line.flag(identity_.is_emulated);
  line.raw(",\"clock_hz\":");
  line.number_or_null(identity_.clock_hz);
  line.raw(",\"call_bytes_max\":");
  line.number(buffer_sectors_ * kSectorBytes);
  line.raw(",");
  print_card(line, identity_);
  line.raw(",\"capacity_bytes\":");
  line.number_or_null(static_cast<uint64_t>(identity_.sectors) * kSectorBytes);
  line.raw(",\"range_bytes\":");
  line.number(sectors_ * kSectorBytes);
  line.raw(",\"results\":{");
  uint32_t bytes = 0;
  for (unsigned i = 0; i != kPhases; ++i) {
    if (i != 0) line.raw(",");
    print_result(line, kPlan[i], results_[i]);
    bytes += results_[i].bytes;
  }
  line.raw("},\"bytes_written\":");
  line.number(bytes);
  print_wear(line, "wear_before", before_);
  print_wear(line, "wear_after", after_);
  line.raw(",\"is_file_left\":");
  line.flag(has_file_);
  line.raw(",\"error\":");
  if (error_place_ == nullptr) return line.raw("null}");
  line.raw("{\"place\":");
  line.text(error_place_);
  line.raw(",\"call\":");
  line.text(error_call_);
  line.raw("}}");
}

}  // namespace card_bench
