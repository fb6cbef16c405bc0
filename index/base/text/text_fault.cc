// Positions of errors in a query, with an excerpt and a caret under the character:
//
//   line 3, column 21
//   …doc.path LIK '%.md' AND doc.tag = 'a'…
//             ^
//
// The column counts code points, as editors do. The caret must be aligned by terminal columns,
// which differ: East Asian wide characters and emoji take two, combining marks and invisible
// characters none (Unicode Standard Annex #11, "East Asian Width"). Control characters, tabs and
// characters that change the direction of text are replaced by spaces, because a terminal would
// place the caret wrongly.
//
// A long line is cut on both sides of the position: at most 60 columns before it, at most 80 in
// total. Only this window is decoded, and invalid UTF-8 is replaced, so the cost of an excerpt is
// bounded for any line. Counting lines and columns is linear in the text before the position.

#include "index/base/text/text_fault.h"

#include <algorithm>
#include <deque>
#include <utility>

#include "index/base/text/fold.h"
#include "index/base/text/utf8.h"

namespace recall {
namespace {

// The maximum width of an excerpt, and of its part before the position.
constexpr size_t kExcerptColumns = 80;
constexpr size_t kColumnsBefore = 60;
constexpr size_t kQuotedCharacters = 40;
constexpr std::string_view kCut = "…";

// Whether the character is a control character, tab, line separator or bidirectional control. These
// would put the caret under the wrong character.
bool BreaksLine(uint32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x061C || (c >= 0x200E && c <= 0x200F) ||
         (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
}

// The terminal columns of a character: two for East Asian wide characters and emoji, none for
// marks.
size_t ColumnsOf(uint32_t c) {
  struct Range {
    uint32_t first, last;
  };
  constexpr Range kWide[] = {{0x1100, 0x115F},   {0x2E80, 0x303E},   {0x3041, 0x4DBF},
                             {0x4E00, 0xA4CF},   {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},
                             {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},
                             {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF}, {0x1F900, 0x1F9FF},
                             {0x20000, 0x3FFFD}};
  if (c < 0x300) return 1;
  if (IsMark(c) || KindBeforeFolding(c) == CharacterKind::kInvisible) return 0;
  const bool wide = std::ranges::any_of(
      kWide, [c](const Range& range) { return c >= range.first && c <= range.last; });
  return wide ? 2 : 1;
}

// A part of a line, as it is shown.
struct ShownText {
  std::deque<uint32_t> characters;
  size_t columns = 0;

  void Append(uint32_t character) {
    characters.push_back(BreaksLine(character) ? ' ' : character);
    columns += ColumnsOf(characters.back());
  }
  void RemoveFirst() {
    columns -= ColumnsOf(characters.front());
    characters.pop_front();
  }
  void Print(std::string* out) const {
    for (const uint32_t character : characters) AppendUtf8(character, out);
  }
};

// Returns: the line [begin, end), cut on both sides of `at` if it is long, and a second line with a
// caret below `at`.
std::string ExcerptOf(std::string_view text, size_t begin, size_t at, size_t end) {
  ShownText before;
  // Eight bytes per column: up to four for a character, and room for marks without a column.
  const size_t near = at - std::min(at - begin, 8 * kColumnsBefore);
  for (size_t i = std::max(begin, FloorToCharacter(text, near)); i < at;) {
    before.Append(DecodeUtf8(text, &i));
  }
  bool cut_before = near > begin;
  while (before.columns > kColumnsBefore) {
    before.RemoveFirst();
    cut_before = true;
  }
  ShownText after;
  size_t i = at;
  while (i < end && before.columns + after.columns < kExcerptColumns &&
         after.characters.size() < 2 * kExcerptColumns) {
    after.Append(DecodeUtf8(text, &i));
  }
  std::string excerpt(cut_before ? kCut : "");
  before.Print(&excerpt);
  after.Print(&excerpt);
  if (i < end) excerpt += kCut;
  excerpt += '\n';
  excerpt.append(before.columns + (cut_before ? 1 : 0), ' ');
  excerpt += '^';
  return excerpt;
}

}  // namespace

TextPosition PositionOf(std::string_view text, size_t at) {
  at = std::min(at, text.size());
  const std::string_view before = text.substr(0, at);
  const size_t line_feed = before.rfind('\n');
  size_t begin = line_feed == before.npos ? 0 : line_feed + 1;
  // A byte order mark at the start of the text is not counted as a column.
  if (begin == 0 && before.starts_with(kByteOrderMark)) begin = kByteOrderMark.size();
  size_t end = std::min(text.find('\n', at), text.size());
  if (end > at && text[end - 1] == '\r') --end;

  TextPosition position;
  position.line = 1 + std::ranges::count(before, '\n');
  position.column = 1;
  for (size_t i = begin; i < at; ++position.column) DecodeUtf8(text, &i);
  position.excerpt = ExcerptOf(text, begin, at, end);
  return position;
}

Status FaultAt(std::string_view text, size_t at, std::string message, std::string hint) {
  return Status::InvalidArgument(std::move(message), std::move(hint))
      .WithPosition(PositionOf(text, at));
}

Status LimitAt(std::string_view text, size_t at, std::string message, std::string hint) {
  return Status::LimitExceeded(std::move(message), std::move(hint))
      .WithPosition(PositionOf(text, at));
}

std::string Quoted(std::string_view text) {
  ShownText shown;
  size_t i = 0;
  while (i < text.size() && shown.characters.size() < kQuotedCharacters) {
    shown.Append(DecodeUtf8(text, &i));
  }
  std::string quoted = "'";
  shown.Print(&quoted);
  if (i < text.size()) quoted += kCut;
  quoted += '\'';
  return quoted;
}

}  // namespace recall
