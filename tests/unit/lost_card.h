// A card in memory that is pulled out in the middle of any call, and what it has kept when it is back.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cut_file.h"
#include "microparquet/file.h"
#include "support/check.h"
#include "written_file.h"

namespace lost {

// The fate of the call in which the card is pulled out.
enum class Last { kNotDone, kHalfDone, kUnheard };

struct Loss {
  int call = -1;  // counted from the card's first one
  Last last = Last::kNotDone;
  unsigned dropped = 0;  // that many writes since the last barrier are not on the card
  bool torn = false;     // but for the first half of their sectors
};

// One file. Sectors are written whole or not at all, and what a barrier has confirmed stays.
class Card {
 public:
  // The memory of both slots of written::file_memory.
  Card();

  microparquet::Span<const std::byte> contents() const { return {now_.data(), published_}; }
  // A file that is on the card already.
  void hold(microparquet::Span<const std::byte> contents);
  void plan(const Loss& loss) { loss_ = loss; }
  bool is_out() const { return out_; }
  int calls() const { return calls_; }
  // Whether all that was to be remembered could be, the footer that the file ends with was never written again, and
  // whole sectors came from words.
  bool sound() const { return sound_; }
  // Puts it back in, with the file system's size of the file.
  void insert();

  // Begins a call of the open file; false when the card is pulled out before the call takes effect.
  microparquet::Status begin_call();
  microparquet::Status end_call();
  Last last() const { return loss_.last; }
  bool pulled_now() const { return calls_ - 1 == loss_.call; }

  microparquet::Status read(std::uint64_t offset, microparquet::Span<std::byte> out) const;
  microparquet::Status write(std::uint64_t offset, microparquet::Span<const std::byte> data);
  void confirm();
  void publish(std::uint64_t size);
  void end_at(std::uint64_t size) { end_ = static_cast<std::size_t>(size); }
  std::size_t end() const { return end_; }
  std::size_t capacity() const { return now_.size(); }

 private:
  struct Sectors {
    std::uint32_t first;
    std::uint32_t end;
  };
  void copy(microparquet::Span<std::byte> to, microparquet::Span<std::byte> from, const Sectors& sectors);

  microparquet::Span<std::byte> now_;   // as it is read
  microparquet::Span<std::byte> safe_;  // as the last barrier left it
  static constexpr unsigned kMaxWrites = 2048;
  Sectors writes_[kMaxWrites] = {};  // since then
  unsigned written_ = 0;
  std::size_t published_ = 0;  // size of the file
  std::size_t footer_ = 0;     // where its last footer begins
  std::size_t end_ = 0;        // of what has been written
  Loss loss_;
  int calls_ = 0;
  bool out_ = false;
  bool sound_ = true;
};

// An open file of the card: dead for good once the card was pulled out.
class CardFile final : public microparquet::File {
 public:
  explicit CardFile(Card& card, bool shrinks = true) : card_(card), shrinks_(shrinks) {}

  void reopen() { dead_ = false; }

  microparquet::FileAbilities abilities() const override { return {true, true, shrinks_}; }
  microparquet::Status size(std::uint64_t& bytes) override;
  microparquet::Status read_at(std::uint64_t offset, microparquet::Span<std::byte> out) override;
  microparquet::Status write_at(std::uint64_t offset, microparquet::Span<const std::byte> data) override;
  microparquet::Status reserve(std::uint64_t end) override;
  microparquet::Status barrier() override;
  microparquet::Status sync(std::uint64_t size) override;
  microparquet::Status shrink(std::uint64_t size) override;

 private:
  // Calls `work` with whether the card has only half the time for it.
  template <typename Work>
  microparquet::Status call(Work work);

  Card& card_;
  bool shrinks_;
  bool dead_ = false;
};

// Writes the rows on a card that is pulled out in one call and put back in: the writer is connected again and loses none.
template <typename Append>
void write_through_loss(Card& card, int call, const cut::Workload& work, const Append& append) {
  using microparquet::Status;
  CardFile file(card);
  microparquet::Writer writer;
  Loss loss;
  loss.call = call;
  card.plan(loss);
  const auto put_back = [&] {
    card.insert();
    file.reopen();
    CHECK_EQ(writer.reconnect(file), Status::kOk);
  };
  Status status = writer.open(file, work.fields, work.options, written::arena_memory());
  for (std::uint32_t n = 0; n < work.rows; ++n) {
    for (int i = 0; i < 5 && (status = append(writer, n)) == Status::kMediumLost; ++i) put_back();
    REQUIRE_EQ(status, Status::kOk);
    if (n % work.rows_per_checkpoint == 0 && writer.checkpoint() == Status::kMediumLost) put_back();
  }
  REQUIRE_EQ(writer.close(), Status::kOk);
  CHECK_EQ(writer.lost_rows(), 0U);
}

}  // namespace lost
