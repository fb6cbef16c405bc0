// Composes the text of hints within a token budget.
//
// Problem. What a hint quotes was written by strangers, and stands among what an assistant obeys. A
// quoted text must not look like a citation, end the quotation, or hide something in characters
// that are not seen.
//
// Idea. A hint always has two lines: line breaks in a quoted text become spaces, so that no text
// can begin a line. All hints stand between two fences, which are longer than any run of backticks
// in them. An assistant may put hints into an element of its own, so "</" in a text is broken up.
//
// Invariant: the composed text has at most as many tokens as the budget, counted as a whole.
//
// Cost: the text is composed and counted anew with each hint. Hints are few and short. What a
// session was told is read once, at the speed of finding brackets.

#include "query/memory/hints/hint_text.h"

#include <algorithm>

#include "index/base/text/utf8.h"
#include "query/ask/passages/passage_fence.h"
#include "query/types/context_types.h"

namespace recall {
namespace {

constexpr size_t kShortestHintFence = 3;
constexpr size_t kMostPathBytes = 300;
constexpr size_t kMostLinesBytes = 24;  // ":9-17]"
constexpr std::string_view kEllipsis = "\xE2\x80\xA6";

// Characters that change how others are shown, or that nobody sees: marks of direction, of width
// zero, and the tags that repeat ASCII.
bool IsUnseen(uint32_t c) {
  return (c >= 0x200B && c <= 0x200F) || (c >= 0x202A && c <= 0x202E) ||
         (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF || c == 0xAD || (c >= 0xE0000 && c <= 0xE0FFF);
}

bool IsControl(uint32_t c) { return c < 0x20 || (c >= 0x7F && c < 0xA0); }

std::string LinesOfHint(const Hint& hint) {
  std::string lines = hint.citation;
  if (!hint.head.empty()) lines += (lines.empty() ? "" : " ") + hint.head;
  if (!hint.words.empty()) lines += "\n  " + hint.words;
  return lines + "\n";
}

}  // namespace

std::string HintLine(std::string_view text, size_t most_bytes) {
  std::string line;
  bool space = false;
  for (size_t at = 0; at < text.size() && line.size() <= most_bytes;) {
    const uint32_t c = DecodeUtf8(text, &at);
    if (IsWhiteSpace(c) || IsControl(c)) {
      space = !line.empty();
      continue;
    }
    if (IsUnseen(c)) continue;
    if (space) line += ' ';
    space = false;
    if (c == '/' && line.ends_with('<')) line += ' ';
    AppendUtf8(c, &line);
  }
  if (line.size() <= most_bytes) return line;
  size_t end = FloorToWord(line, most_bytes);
  if (end == 0) end = FloorToCharacter(line, most_bytes);
  line.resize(end);
  while (line.ends_with(' ')) line.pop_back();
  return line + std::string(kEllipsis);
}

std::string HintCitation(std::string_view path, uint32_t first_line, uint32_t last_line) {
  std::string citation = "[" + HintLine(path, kMostPathBytes);
  if (first_line > 0) {
    citation += ":" + std::to_string(first_line) + "-" + std::to_string(last_line);
  }
  return citation + "]";
}

Result<HintPacker> HintPacker::Make(std::string head, int64_t budget) {
  RECALL_ASSIGN(TokenCounter counter, TokenCounter::Open(std::string(kEstimateCounter)));
  return HintPacker(std::move(head), budget, std::move(counter));
}

void HintPacker::LeaveOutCited(std::string_view text) {
  // A transcript is JSON: what has a quote or a brace in it is no citation.
  constexpr std::string_view kEnds = "]\"{}\n";
  for (size_t at = text.find('['); at != text.npos; at = text.find('[', at + 1)) {
    const std::string_view rest = text.substr(at + 1, kMostPathBytes + kMostLinesBytes);
    const size_t end = rest.find_first_of(kEnds);
    if (end == rest.npos || end == 0 || rest[end] != ']') continue;
    const std::string_view citation = rest.substr(0, end);
    cited_.insert(citation);
    cited_.insert(citation.substr(0, citation.rfind(':')));
  }
}

bool HintPacker::Offer(Hint hint) {
  const std::string_view citation = hint.citation;
  if (citation.size() > 2 && cited_.contains(citation.substr(1, citation.size() - 2))) return false;
  hints_.push_back(std::move(hint));
  if (Fits()) return true;
  hints_.back().words.clear();
  if (Fits()) return true;
  hints_.pop_back();
  return false;
}

void HintPacker::AddRemark(const std::string& line) {
  if (hints_.empty()) return;
  remark_ = line;
  if (!Fits()) remark_.clear();
}

std::string HintPacker::Text() const {
  if (hints_.empty()) return "";
  std::string lines;
  for (const Hint& hint : hints_) lines += LinesOfHint(hint);
  const std::string fence(std::max(LongestRunOfBackticks(lines) + 1, kShortestHintFence), '`');
  std::string text = head_ + "\n" + fence + "\n" + lines + fence;
  if (!remark_.empty()) text += "\n" + remark_;
  return text;
}

}  // namespace recall
