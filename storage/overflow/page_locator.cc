#include "storage/overflow/page_locator.h"

#include <algorithm>
#include <array>
#include <utility>

#include "storage/base/coding.h"
#include "storage/overflow/page_map.h"
#include "storage/sqlite/verified_pages.h"

namespace recall {

// The problem: page i of an overflow chain is known only to page i-1, which contains its number. A
// search that needs 160 of 4,776 pages would have to read all of them, and each is a random read.
//
// The idea: SQLite mostly allocates a chain as consecutive pages, up or down, in a few pieces. Each
// page of a segment carries its segment's id, its ordinal and a checksum of both, so a guess can be
// verified by reading 64 bytes. From the last known page, guess:
//
//   ordinal   0    1    2   ...        40   41              100
//   page    [70]-[71]-[72] -- piece -- [110] [507]-- piece --[566]
//               ^known, next = 72: the line is page = 70 + ordinal
//            leap to 100: page 170 does not carry ordinal 100
//            gallop 2, 4, 8, .. pages along the line while the pages carry their ordinals
//            then one step along the chain (a new line may begin there), leap again
//
// A guess that another process has verified (FilePages.verified) is not read at all.
//
// Invariants: every number that is stored is that of a page that passed the check. A guess is
// sound only if a page that carries ordinal i cannot be a stale copy; may_leap is false otherwise,
// and the chain is walked page by page. numbers_ only changes from 0 to the one right value, so
// relaxed atomics suffice and threads may share a locator.
//
// Disk: when a page on the line is not in memory, the next 4, 8, 16, .. wanted pages on the same
// line are requested at once, so that their reads overlap.
//
// Cost: one read per wanted page within a piece; O(log(length)^2) per piece that is crossed; at
// worst the length of the chain. Measurements: docs/decisions/0022-pages-as-needed.md.

// One call of Locate: the position on a page of the chain whose start has been read. It only moves
// forward.
class PageLocator::Walk final {
 public:
  Walk(PageLocator& chain, const FilePages& file, std::span<const uint32_t> wanted)
      : chain_(chain), file_(file), wanted_(wanted) {}

  // Requires: ordinals ascend from call to call.
  bool GoTo(uint32_t ordinal) {
    if (!MoveToLastKnown(ordinal)) return false;
    while (ordinal_ < ordinal) {
      if (!LeapUnread(ordinal) && !Leap(ordinal) && !Step()) return false;
    }
    return true;
  }

 private:
  using Start = std::array<uint8_t, kChainPageStart>;
  static constexpr size_t kLeastAhead = 4;
  static constexpr uint64_t kChecks =
      VerifiedPages::kChecksum | VerifiedPages::kCells | VerifiedPages::kPayload;

  // Moves to the last known page at or before `ordinal`.
  bool MoveToLastKnown(uint32_t ordinal) {
    uint32_t known = ordinal;
    while (known > 0 && chain_.number(known) == 0) --known;
    if (positioned_ && known <= ordinal_) return true;
    const uint32_t number = known == 0 ? chain_.first_ : chain_.number(known);
    if (chain_.may_leap_ && WasChecked(known, number)) {
      MoveUnread(known, number);
      line_ = {1, number_ - ordinal_};
      next_is_adjacent_ = true;
      return true;
    }
    Start start;
    return ReadStart(known, number, &start) && Accept(known, number, start);
  }

  // Whether another process has found that this page is this one of the chain.
  bool WasChecked(uint32_t ordinal, uint32_t number) const {
    const uint64_t mark = VerifiedPages::SegmentPage(chain_.segment_, ordinal);
    return file_.verified != nullptr && mark != 0 && file_.page(number) != nullptr &&
           (file_.verified->Find(number) | kChecks) == (mark | kChecks);
  }

  // Moves to a page that another process has checked. The line goes on as it was.
  void MoveUnread(uint32_t ordinal, uint32_t number) {
    chain_.numbers_[ordinal].store(number, std::memory_order_relaxed);
    positioned_ = true;
    has_start_ = false;
    ordinal_ = ordinal;
    number_ = number;
  }

  bool LeapUnread(uint32_t ordinal) {
    if (!chain_.may_leap_ || !next_is_adjacent_) return false;
    const int64_t number = line_.at(ordinal);
    if (number <= 0 || number > UINT32_MAX) return false;
    if (!WasChecked(ordinal, static_cast<uint32_t>(number))) return false;
    MoveUnread(ordinal, static_cast<uint32_t>(number));
    return true;
  }

  // Reads the start of the present page if only another process has.
  bool HaveStart() {
    if (has_start_) return true;
    Start start;
    const auto number = static_cast<uint32_t>(number_);
    return ReadStart(ordinal_, number, &start) && Accept(ordinal_, number, start);
  }

  // Moves along the line, to `ordinal` or part of the way. False if no page on the line carries its
  // ordinal.
  bool Leap(uint32_t ordinal) {
    if (!HaveStart()) return false;
    if (!chain_.may_leap_ || ordinal - ordinal_ < 2 || !next_is_adjacent_) return false;
    if (LeapBy(ordinal - ordinal_)) return true;
    bool moved = false;
    for (uint32_t by = 2; next_is_adjacent_ && ordinal_ + by < ordinal && LeapBy(by); by *= 2)
      moved = true;
    return moved;
  }

  bool LeapBy(uint32_t by) {
    const int64_t number = line_.at(ordinal_ + by);
    if (number <= 0 || number > UINT32_MAX) return false;
    Start start;
    return ReadStart(ordinal_ + by, static_cast<uint32_t>(number), &start) &&
           Accept(ordinal_ + by, static_cast<uint32_t>(number), start);
  }

  bool Step() {
    if (!HaveStart()) return false;
    const uint32_t next = LoadBig32(start_.data());
    Start start;
    return ReadStart(ordinal_ + 1, next, &start) && Accept(ordinal_ + 1, next, start);
  }

  // Reads the start of a page. If it is not in memory and the line continues, wanted pages further
  // on are requested from the disk, too: twice as many each time on the same line.
  bool ReadStart(uint32_t ordinal, uint32_t number, Start* start) {
    const uint8_t* const page = file_.page(number);
    if (page == nullptr) return false;
    if (file_.ReadIfCached(page, *start)) return true;
    if (next_is_adjacent_ && (line_ != requested_ || ordinal >= requested_end_))
      RequestAhead(ordinal);
    return file_.Read(page, *start);
  }

  void RequestAhead(uint32_t from) {
    ahead_ = line_ == requested_ ? 2 * ahead_ : kLeastAhead;
    requested_ = line_;
    auto next = std::ranges::lower_bound(wanted_, from);
    for (size_t i = 0; i < ahead_ && next != wanted_.end(); ++i, ++next) {
      const int64_t number = line_.at(*next);
      if (number <= 0 || number > UINT32_MAX) break;
      const uint8_t* const page = file_.page(static_cast<uint32_t>(number));
      if (page != nullptr) file_.WillNeed(page, kChainPageStart);
    }
    requested_end_ = next == wanted_.end() ? UINT32_MAX : *next;
  }

  bool Accept(uint32_t ordinal, uint32_t number, const Start& start) {
    if (!chain_.check_(ordinal, start.data())) return false;
    chain_.numbers_[ordinal].store(number, std::memory_order_relaxed);
    if (file_.verified != nullptr) {
      file_.verified->Add(number, VerifiedPages::SegmentPage(chain_.segment_, ordinal));
    }
    positioned_ = true;
    has_start_ = true;
    ordinal_ = ordinal;
    number_ = number;
    start_ = start;
    const int64_t step = int64_t{LoadBig32(start_.data())} - number_;
    next_is_adjacent_ = step == 1 || step == -1;
    line_ = {step, number_ - step * ordinal_};
    return true;
  }

  struct Line {
    int64_t step = 0;
    int64_t at_zero = 0;
    int64_t at(uint32_t ordinal) const { return at_zero + step * ordinal; }
    bool operator==(const Line&) const = default;
  };

  PageLocator& chain_;
  const FilePages& file_;
  std::span<const uint32_t> wanted_;
  bool positioned_ = false;
  bool has_start_ = false;  // start_ is that of the present page
  uint32_t ordinal_ = 0;
  int64_t number_ = 0;
  Start start_ = {};
  bool next_is_adjacent_ = false;  // the next page of the chain is adjacent in the file
  Line line_;                      // where further pages are if all of them are adjacent
  Line requested_;                 // wanted pages on this line before requested_end_ were requested
  uint32_t requested_end_ = 0;
  size_t ahead_ = kLeastAhead;
};

PageLocator::PageLocator(uint32_t first, uint32_t pages, bool may_leap, int64_t segment,
                         Check check)
    : first_(first),
      may_leap_(may_leap),
      segment_(segment),
      check_(std::move(check)),
      numbers_(pages) {}

bool PageLocator::AskForFirst(const FilePages& file) const {
  const uint8_t* const page = file.page(first_);
  std::array<uint8_t, kChainPageStart> start;
  if (page == nullptr || file.ReadIfCached(page, start)) return true;
  file.WillNeed(page, start.size());
  return false;
}

bool PageLocator::Locate(const FilePages& file, std::span<const uint32_t> ordinals) {
  Walk walk(*this, file, ordinals);
  for (const uint32_t ordinal : ordinals) {
    if (number(ordinal) == 0 && !walk.GoTo(ordinal)) return false;
  }
  return true;
}

}  // namespace recall
