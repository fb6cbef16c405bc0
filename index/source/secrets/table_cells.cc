// Problem. psql, mysql, kubectl and many other tools print a password far from its name: the name
// is in the header of a table, and the value is one of many cells below it.
//
// Idea. A header tells how its line is divided: by bars, by commas or tabs, or by two spaces or
// more. The lines below it are divided in the same way as long as they can be, and the cell at the
// same number, or at the same place, is the value.
//
// Cost: a line that is no header is told by the bytes beside the name. A table is read once for
// each name in its header, and the caller leaves out those below it.

#include "index/source/secrets/table_cells.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "index/source/secrets/secret_text.h"

namespace recall {
namespace {

constexpr size_t kMostTableBytes = 32 << 10;
constexpr size_t kMostHeaderBytes = 1024;
constexpr size_t kMostColumns = 64;
constexpr std::string_view kBar = "\xE2\x94\x82";

using TextRange = std::pair<size_t, size_t>;

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

TextRange WithoutBlanks(std::string_view text, TextRange range) {
  while (range.first < range.second && IsBlank(text[range.first])) ++range.first;
  while (range.first < range.second && IsBlank(text[range.second - 1])) --range.second;
  return range;
}

// Lines such as `----+-----` and `| :--- |`, also behind the number of the line.
bool IsRuler(std::string_view line) {
  const size_t number = line.find_first_not_of(" \t");
  const size_t mark = number == line.npos ? number : line.find_first_not_of("0123456789", number);
  if (mark != line.npos && mark > number && (line[mark] == '\t' || line[mark] == '\xE2')) {
    line.remove_prefix(mark);
  }
  return line.find_first_of("-=\xE2") != line.npos && std::ranges::all_of(line, [](char c) {
           return std::string_view("-+|=: \t\r").find(c) != std::string_view::npos ||
                  static_cast<uint8_t>(c) >= 0x80;
         });
}

class TableHeader final {
 public:
  TableHeader(std::string_view text, size_t begin, size_t end) : text_(text) {
    line_.first = begin;
    const size_t first = begin - std::min(begin, kMostHeaderBytes);
    while (line_.first > first && text[line_.first - 1] != '\n') --line_.first;
    line_.second = EndOfLine(end, std::min(text.size(), end + kMostHeaderBytes));
    name_ = {begin, end};
    while (name_.first > line_.first && IsNameByte(text[name_.first - 1])) --name_.first;
    while (name_.second < line_.second && IsNameByte(text[name_.second])) ++name_.second;
    Divide();
  }

  bool is_header() const { return division_ != Division::kNone; }

  size_t ForEachBelow(const std::function<void(size_t, size_t)>& visit) const {
    const size_t last = std::min(text_.size(), line_.second + kMostTableBytes);
    size_t at = line_.second + 1;
    while (at < last) {
      const TextRange line = {at, EndOfLine(at, last)};
      const std::string_view content = text_.substr(at, line.second - at);
      if (!IsRuler(content)) {
        const TextRange cell = CellOf(line);
        if (cell.first == cell.second) break;
        visit(cell.first, cell.second);
      }
      at = line.second + 1;
    }
    return std::min(at, text_.size());
  }

 private:
  enum class Division { kNone, kBars, kFields, kColumns };

  static bool IsNameByte(char c) { return IsSecretAlnum(c) || c == '_' || c == '-' || c == '.'; }

  size_t EndOfLine(size_t at, size_t last) const {
    return std::min(text_.substr(0, last).find('\n', at), last);
  }

  void Divide() {
    // Nothing is below it, or it is no line of names.
    if (line_.second == text_.size() || text_[line_.second] != '\n') return;
    size_t after = name_.second;
    while (after < line_.second && IsBlank(text_[after])) ++after;
    size_t before = name_.first;
    while (before > line_.first && IsBlank(text_[before - 1])) --before;
    const bool has_blanks = after > name_.second || before < name_.first;
    if (has_blanks && (StartsBar(after) || EndsBar(before))) {
      division_ = Division::kBars;
      index_ = Bars({line_.first, name_.first});
      return;
    }
    const char next = name_.second < line_.second ? text_[name_.second] : '\n';
    const char previous = name_.first > line_.first ? text_[name_.first - 1] : '\n';
    for (const char mark : {',', '\t', ';', '|'}) {
      if ((next != mark || (previous != mark && previous != '\n')) &&
          (previous != mark || (next != '\n' && next != '\r'))) {
        continue;
      }
      mark_ = mark;
      if (!IsLineOfNames()) continue;
      division_ = Division::kFields;
      index_ = static_cast<size_t>(std::count(text_.begin() + static_cast<ptrdiff_t>(line_.first),
                                              text_.begin() + static_cast<ptrdiff_t>(name_.first),
                                              mark));
      return;
    }
    const bool apart_after = after == line_.second || after - name_.second >= 2;
    const bool apart_before = before == line_.first || name_.first - before >= 2;
    // A name alone in its line is no table.
    if (apart_after && apart_before && (after < line_.second || before > line_.first)) {
      division_ = Division::kColumns;
    }
  }

  bool StartsBar(size_t at) const {
    return text_.substr(at, kBar.size()) == kBar || (at < line_.second && text_[at] == '|');
  }
  bool EndsBar(size_t at) const {
    return at > line_.first &&
           (text_[at - 1] == '|' ||
            (at >= kBar.size() && text_.substr(at - kBar.size(), kBar.size()) == kBar));
  }

  // Where the next bar in a range begins, and where it ends.
  TextRange NextBar(TextRange range) const {
    for (size_t at = range.first; at < range.second; ++at) {
      if (text_[at] == '|') return {at, at + 1};
      if (text_[at] == kBar[0] && text_.substr(at, kBar.size()) == kBar) {
        return {at, at + kBar.size()};
      }
    }
    return {range.second, range.second};
  }

  size_t Bars(TextRange range) const {
    size_t count = 0;
    while (count < kMostColumns) {
      const TextRange bar = NextBar(range);
      if (bar.first == bar.second) break;
      ++count;
      range.first = bar.second;
    }
    return count;
  }

  bool IsLineOfNames() const {
    size_t field = 0;
    for (size_t at = line_.first; at < line_.second; ++at) {
      const char c = text_[at];
      if (c == mark_) {
        if (field == 0) return false;
        field = 0;
      } else if (IsNameByte(c) || c == '"' || (c == ' ' && field > 0) || c == '\r') {
        ++field;
      } else if (c != '\t' && c != ' ') {
        return false;
      }
    }
    return field > 0;
  }

  // The cell of a line below the header; empty if the table has ended.
  TextRange CellOf(TextRange line) const {
    if (division_ == Division::kBars) return CellBetweenBars(line);
    if (division_ == Division::kFields) return FieldOf(line);
    return CellInColumn(line);
  }

  TextRange CellBetweenBars(TextRange line) const {
    TextRange rest = line;
    for (size_t bars = 0;; ++bars) {
      const TextRange bar = NextBar(rest);
      if (bars == index_) {
        if (bars == 0 && bar.first == bar.second) return {0, 0};  // no table any more
        const TextRange cell = WithoutBlanks(text_, {rest.first, bar.first});
        return cell.first < cell.second ? cell : TextRange(line.first, line.first + 1);
      }
      if (bar.first == bar.second) return {0, 0};
      rest.first = bar.second;
    }
  }

  TextRange FieldOf(TextRange line) const {
    TextRange cell = {0, 0};
    size_t begin = line.first;
    for (size_t number = 0; begin <= line.second; ++number) {
      const size_t end = std::min(text_.substr(0, line.second).find(mark_, begin), line.second);
      if (number == index_) cell = WithoutBlanks(text_, {begin, end});
      if (end == line.second && number < index_) return {0, 0};
      begin = end + 1;
    }
    if (cell.second - cell.first > 2 && text_[cell.first] == '"' && text_[cell.second - 1] == '"') {
      return {cell.first + 1, cell.second - 1};
    }
    return cell;
  }

  // The run of characters that is not left of the name and begins nearest to it, or covers it.
  TextRange CellInColumn(TextRange line) const {
    const size_t column = line.first + (name_.first - line_.first);
    const size_t width = name_.second - name_.first;
    if (column >= line.second) return {0, 0};
    size_t begin = column;
    while (begin < line.second && begin < column + width && IsBlank(text_[begin])) ++begin;
    if (begin == line.second || IsBlank(text_[begin])) return {line.first, line.first + 1};
    while (begin > line.first && !IsBlank(text_[begin - 1])) --begin;
    size_t end = begin;
    while (end < line.second && !IsBlank(text_[end])) ++end;
    return {begin, end};
  }

  std::string_view text_;
  TextRange line_;  // of the header
  TextRange name_;
  Division division_ = Division::kNone;
  size_t index_ = 0;  // of the cell, with bars and fields
  char mark_ = ',';   // between fields
};

}  // namespace

size_t ForEachCellBelow(std::string_view text, size_t begin, size_t end,
                        const std::function<void(size_t begin, size_t end)>& visit) {
  const TableHeader header(text, begin, end);
  return header.is_header() ? header.ForEachBelow(visit) : 0;
}

}  // namespace recall
