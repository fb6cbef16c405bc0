#include "index/source/chunk/window_cutter.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "index/source/chunk/sentence_end.h"
#include "index/source/chunk/token_scan.h"

namespace recall {
namespace {

// The quality of the end of a unit as a place to cut, weakest first.
enum class Boundary : uint8_t { kToken, kSentence, kLine, kSentenceAndLine, kParagraph };

// A unit of a window: a token, or a piece of a token too long for a chunk.
struct Unit {
  uint64_t start = 0;  // of the indentation if it is the first of its line
  uint64_t end = 0;
  uint64_t token = 0;
  uint32_t byte_in_token = 0;
  uint32_t line = 1;
  bool starts_line = false;
  Boundary boundary = Boundary::kToken;  // after it; final once the next unit is read
};

// Reads the units of a range one by one.
class UnitReader final {
 public:
  UnitReader(std::string_view text, const TextRange& range, const ChunkLimits& limits)
      : text_(text.substr(0, range.end)),
        limits_(limits),
        next_token_(range.token),
        line_(range.start_line),
        position_(range.start),
        line_start_(range.start) {
    if (range.byte_in_token > 0) StartToken(range.start, range.start - range.byte_in_token);
  }

  std::optional<Unit> Next() {
    bool starts_line = false;
    if (position_ >= token_end_) {
      starts_line = SkipToToken();
      if (position_ >= text_.size()) return std::nullopt;
      StartToken(position_, position_);
    }
    Unit unit{.start = position_,
              .end = PieceEnd(),
              .token = next_token_ - 1,
              .byte_in_token = static_cast<uint32_t>(position_ - token_start_),
              .line = line_,
              .starts_line = starts_line};
    if (starts_line) unit.start = IndentedStart(text_, line_start_, position_, limits_);
    position_ = unit.end;
    if (EndsSentence(text_.substr(unit.start, unit.end - unit.start))) {
      unit.boundary = Boundary::kSentence;
    }
    return unit;
  }

 private:
  void StartToken(size_t position, size_t token_start) {
    token_start_ = token_start;
    token_end_ = FindTokenEnd(text_, position);
    ++next_token_;
  }

  // Skips white space; true if the next token is the first of a line (or of the range).
  bool SkipToToken() {
    bool first = position_ == line_start_;
    while (position_ < text_.size()) {
      const size_t length = WhiteSpaceLength(text_, position_);
      if (length == 0) break;
      if (text_[position_] == '\n') {
        ++line_;
        first = true;
        line_start_ = position_ + 1;
      }
      position_ += length;
    }
    return first;
  }

  // The end of the unit at position_: the end of the token, or of a piece of at most an eighth of a
  // chunk, cut after its last sentence, else after the last phrase of its second half. Each byte is
  // examined for the end of a sentence at most twice.
  size_t PieceEnd() const {
    if (token_end_ - position_ <= limits_.bytes - limits_.indent_bytes) return token_end_;
    const size_t longest = std::max<size_t>(limits_.bytes / 8, 16);
    const size_t limit = FloorToCharacter(text_, position_ + longest);
    size_t phrase_end = 0;
    for (size_t end = limit; end > position_; --end) {
      const std::string_view piece = text_.substr(position_, end - position_);
      if (EndsStatement(piece)) return end;
      if (phrase_end == 0 && end > position_ + longest / 2 && EndsPhrase(piece)) {
        phrase_end = end;
      }
    }
    return phrase_end != 0 ? phrase_end : limit;
  }

  std::string_view text_;  // up to the end of the range
  const ChunkLimits& limits_;
  uint64_t next_token_;
  uint32_t line_;
  size_t position_;
  size_t line_start_;
  size_t token_start_ = 0;
  size_t token_end_ = 0;  // position_ < token_end_ inside a token cut into pieces
};

Boundary BoundaryBetween(const Unit& unit, const Unit& next) {
  if (next.line > unit.line + 1) return Boundary::kParagraph;
  if (next.line == unit.line) return unit.boundary;
  return unit.boundary == Boundary::kSentence ? Boundary::kSentenceAndLine : Boundary::kLine;
}

TextRange RangeOf(const Unit& first, const Unit& last) {
  return TextRange{.start = first.start,
                   .end = last.end,
                   .token = first.token,
                   .tokens = last.token - first.token + 1,
                   .byte_in_token = first.byte_in_token,
                   .start_line = first.line,
                   .end_line = last.line};
}

// The units of the window being filled.
class Window final {
 public:
  explicit Window(const ChunkLimits& limits) : limits_(limits) {}

  bool empty() const { return units_.empty(); }
  TextRange range() const { return RangeOf(units_.front(), units_.back()); }
  bool HasRoomFor(const Unit& unit) const {
    return units_.empty() || Fits(RangeOf(units_.front(), unit), limits_);
  }
  void Add(const Unit& unit) { units_.push_back(unit); }
  void SetLastBoundary(const Unit& next) {
    if (!units_.empty()) units_.back().boundary = BoundaryBetween(units_.back(), next);
  }

  // Cuts the full window: returns its range, and keeps the overlap and the units after the cut.
  TextRange Cut(const Unit& next) {
    const size_t cut = ChooseCut();
    const TextRange window = RangeOf(units_.front(), units_[cut - 1]);
    const size_t start = ChooseStart(cut, cut < units_.size() ? units_[cut] : next);
    units_.erase(units_.begin(), units_.begin() + static_cast<ptrdiff_t>(start));
    repeated_ = cut - start;
    return window;
  }

 private:
  // The number of units in the window: up to the last of the strongest boundaries in its last
  // quarter, and always more than the units repeated from the preceding window.
  size_t ChooseCut() const {
    size_t best = units_.size();
    for (size_t cut = units_.size(); cut > repeated_; --cut) {
      const TextRange window = RangeOf(units_.front(), units_[cut - 1]);
      const bool nearly_full = window.tokens * 4 >= limits_.tokens * 3 ||
                               (window.end - window.start) * 4 >= limits_.bytes * 3;
      if (!nearly_full) break;
      if (units_[cut - 1].boundary > units_[best - 1].boundary) best = cut;
    }
    return best;
  }

  // The unit with which the next window starts. An overlap that leaves no room for `next`, the
  // first new unit, is not used.
  size_t ChooseStart(size_t cut, const Unit& next) const {
    size_t earliest = cut;
    size_t line = cut;
    size_t sentence = cut;
    for (size_t i = cut - 1; i > 0; --i) {
      const TextRange overlap = RangeOf(units_[i], units_[cut - 1]);
      if (overlap.tokens > limits_.overlap_tokens ||
          overlap.end - overlap.start > limits_.overlap_bytes ||
          !Fits(RangeOf(units_[i], next), limits_)) {
        break;
      }
      earliest = i;
      if (units_[i].starts_line) line = i;
      if (units_[i - 1].boundary == Boundary::kSentence) sentence = i;
    }
    if (line < cut) return line;
    return sentence < cut ? sentence : earliest;
  }

  const ChunkLimits& limits_;
  std::vector<Unit> units_;
  size_t repeated_ = 0;  // units at the front that the preceding window contains, too
};

}  // namespace

TextRange CutWindows(std::string_view text, const TextRange& range, const ChunkLimits& limits,
                     const std::function<void(const TextRange&)>& emit) {
  UnitReader reader(text, range, limits);
  Window window(limits);
  while (const std::optional<Unit> unit = reader.Next()) {
    window.SetLastBoundary(*unit);
    while (!window.HasRoomFor(*unit)) emit(window.Cut(*unit));
    window.Add(*unit);
  }
  return window.range();
}

}  // namespace recall
