// Divides a text into units that mean something alone, or with their heading.
//
// An answer is a sentence in prose, but a row in a table, a line among settings, an item in a list
// of changes, and an entry with its paragraph in a reference. Units that ignore this are either too
// long (a run of rows that costs the budget of four answers) or cut (a row without its header, an
// option without its text). The layout of lines tells most of it, in every format:
//
//   # Heading                          heading, a unit of its own
//   | code | meaning |                 header, with the line "| --- |" after it
//   | 5    | taken   |                 row: needs its header
//   name = value                       line
//   - an item that goes on             item, up to the next one or a line indented less
//     over two lines
//   --width N                          entry: a line and the lines below it that are indented more
//       The width of the gate.
//   term                               definition, as extracted from HTML
//   : its text
//   A sentence. Another one.           sentences of at least eight words
//   It is done so:                     lead-in of the unit after it
//
// Lines are classified first, then grouped into spans, then spans of more than kLongestUnit tokens
// are cut at sentences, lines, or tokens. Invariants: units are in order and disjoint, every token
// belongs to exactly one unit, a unit starts at the indentation of its line. Cost: linear.

#include "query/ask/passages/passage_units.h"

#include <algorithm>
#include <utility>

#include "index/base/text/tokenizer.h"
#include "index/source/chunk/sentence_end.h"
#include "index/source/chunk/token_scan.h"

namespace recall {
namespace {

using Kind = PassageUnit::Kind;

constexpr int64_t kShortestSentence = 8;  // tokens
constexpr size_t kLongestHeading = 80;    // bytes of a line that stands for a heading

bool IsAlnum(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || (c & 0x80);
}

struct TextLine {
  size_t start = 0;
  size_t end = 0;    // without the newline
  size_t first = 0;  // of the first byte that is not white space
  bool blank = false;
  std::string_view text;  // from `first` on, without white space at its end
  size_t indent() const { return first - start; }
};

std::vector<TextLine> LinesOf(std::string_view text) {
  std::vector<TextLine> lines;
  for (size_t start = 0; start < text.size();) {
    TextLine line;
    line.start = start;
    line.end = std::min(text.find('\n', start), text.size());
    const std::string_view whole = text.substr(start, line.end - start);
    line.first = start + SkipWhiteSpace(whole, 0);
    line.blank = line.first >= line.end;
    size_t last = line.end;
    while (last > line.first &&
           (text[last - 1] == ' ' || text[last - 1] == '\t' || text[last - 1] == '\r')) {
      --last;
    }
    line.text = line.blank ? std::string_view() : text.substr(line.first, last - line.first);
    lines.push_back(line);
    start = line.end + 1;
  }
  return lines;
}

bool StartsWithMarker(std::string_view line) {
  if (line.size() > 2 && (line[0] == '-' || line[0] == '*' || line[0] == '+') && line[1] == ' ') {
    return true;
  }
  size_t digits = 0;
  while (digits < line.size() && line[digits] >= '0' && line[digits] <= '9') ++digits;
  return digits > 0 && digits < 4 && digits + 1 < line.size() &&
         (line[digits] == '.' || line[digits] == ')') && line[digits + 1] == ' ';
}

bool IsFenceLine(std::string_view line) {
  return line.starts_with("```") || line.starts_with("~~~");
}

bool IsRow(std::string_view line) {
  if (line.starts_with('|')) return true;
  const auto bars = std::count(line.begin(), line.end(), '|');
  return bars >= 2 && line.find(" | ") != line.npos;
}

// "| --- | :-: |" or "----+-----": separates a header from its rows.
bool IsRowSeparator(std::string_view line) {
  return line.find("---") != line.npos && line.find_first_not_of("|-:+= \t") == line.npos;
}

// "key = value", "#Key=value", "\"key\": value", "#define NAME 3", columns separated by tabs or
// several blanks: each line says something of its own.
bool IsSetting(std::string_view line) {
  if (line.starts_with("#define") || line.starts_with("#  define")) return true;
  size_t at = line.starts_with('#') || line.starts_with('"') || line.starts_with('\'') ? 1 : 0;
  const size_t begin = at;
  while (at < line.size() && (IsAlnum(line[at]) || line[at] == '_' || line[at] == '.' ||
                              line[at] == '-' || line[at] == '@' || line[at] == '/')) {
    ++at;
  }
  if (at > begin) {
    while (at < line.size() && (line[at] == '"' || line[at] == '\'' || line[at] == ' ')) ++at;
    if (at < line.size() && (line[at] == '=' || line[at] == ':') && !line.ends_with(':')) {
      return true;
    }
  }
  const size_t gap = std::min(line.find('\t'), line.find("   "));
  return gap != line.npos && gap > 0 && !EndsSentence(line.substr(0, gap));
}

// A macro of troff that begins a paragraph, an entry, a section or a table.
bool IsMacro(std::string_view line) {
  static constexpr std::string_view kMacros[] = {".TP", ".IP", ".PP", ".SH", ".SS", ".LP", ".P",
                                                 ".RS", ".RE", ".TS", ".TE", ".EX", ".EE", ".TQ"};
  const std::string_view name = line.substr(0, std::min(line.find(' '), line.size()));
  return std::ranges::find(kMacros, name) != std::end(kMacros);
}

bool IsImport(std::string_view line) {
  static constexpr std::string_view kBegin[] = {"#include", "import ",      "from ",   "use ",
                                                "using ",   "#pragma once", "package "};
  if (line.find("require(") != line.npos && line.find(" = ") != line.npos) return true;
  return std::ranges::any_of(kBegin, [&](std::string_view b) { return line.starts_with(b); });
}

// "\"key\": {" or "\"key\": [" of JSON.
bool OpensKey(std::string_view line) {
  return line.starts_with('"') && (line.ends_with('{') || line.ends_with('[')) &&
         line.find("\":") != line.npos;
}

class PassageCutter final {
 public:
  PassageCutter(std::string_view text, bool is_code)
      : text_(text), code_(is_code), lines_(LinesOf(text)) {}

  std::vector<PassageUnit> Cut(bool begins_document) {
    size_t at = begins_document ? TakeMatter() : 0;
    while (at < lines_.size()) {
      if (lines_[at].blank) {
        ++at;
        continue;
      }
      at = TakeSpan(at);
    }
    return std::move(units_);
  }

 private:
  // Takes the front matter. Returns: the first line after it.
  size_t TakeMatter() {
    if (lines_.empty() || lines_[0].text != "---") return 0;
    for (size_t i = 1; i < lines_.size() && i < 40; ++i) {
      if (lines_[i].text != "---") continue;
      size_t begin = 0;
      for (size_t line = 1; line < i; ++line) {
        if (lines_[line].blank || line + 1 == i) continue;
        AddSpan(begin, line + 1, Kind::kMatter);
        begin = line + 1;
      }
      AddSpan(begin, i + 1, Kind::kMatter);
      return i + 1;
    }
    return 0;
  }

  // Takes the span of lines that begins at `at`, which is not blank. Returns: the line after it.
  size_t TakeSpan(size_t at) {
    const TextLine& line = lines_[at];
    if (IsFenceLine(line.text)) return TakeFenced(at);
    if (OpensKey(line.text)) return TakeKey(at);
    if (code_) return TakeCodeLine(at);
    if (IsRow(line.text)) return TakeTable(at);
    if (IsHeading(at)) return TakeHeading(at);
    if (StartsWithMarker(line.text)) return TakeItem(at);
    if (Defines(at)) return TakeDefinition(at);
    if (IsEntry(at)) return TakeEntry(at);
    if (IsSetting(line.text) || IsName(at)) {
      AddSpan(at, at + 1);
      return at + 1;
    }
    return TakeProse(at);
  }

  // A key whose value is an object or a list heads the lines that are indented more.
  size_t TakeKey(size_t at) {
    CloseKeys(lines_[at].indent());
    keys_.emplace_back(lines_[at].indent(), units_.size());
    Add(lines_[at].start, lines_[at].end, Kind::kHeading);
    return at + 1;
  }

  // Returns: the key above lines of this indentation.
  std::optional<size_t> CloseKeys(size_t indent) {
    while (!keys_.empty() && keys_.back().first >= indent) keys_.pop_back();
    return keys_.empty() ? std::nullopt : std::optional(keys_.back().second);
  }

  bool Follows(size_t at) const { return at < lines_.size() && !lines_[at].blank; }

  bool IsHeading(size_t at) const {
    const std::string_view line = lines_[at].text;
    if (line.starts_with('#')) {
      const size_t marks = line.find_first_not_of('#');
      return marks != line.npos && line[marks] == ' ' && line.find('=') == line.npos;
    }
    if (line.starts_with(".SH ") || line.starts_with(".SS ")) return true;
    if (line.size() > kLongestHeading) return false;
    if (line.starts_with('[') && line.ends_with(']') && line.find(' ') == line.npos) return true;
    if (Follows(at + 1) && lines_[at + 1].text.size() >= 3 &&
        lines_[at + 1].text.find_first_not_of("=-~") == std::string_view::npos) {
      return true;
    }
    // A short line between blank lines that ends no sentence.
    const bool alone = (at == 0 || lines_[at - 1].blank) && !Follows(at + 1) &&
                       at + 2 < lines_.size() && lines_[at].indent() < 4;
    const char last = line.back();
    return alone && (IsAlnum(last) || last == ')' || last == ']') && IsAlnum(line.front()) &&
           CountTokens(line) <= 10 && line.find_first_of("=;{}") == line.npos;
  }

  size_t TakeHeading(size_t at) {
    size_t end = at + 1;
    while (Follows(end) && lines_[end].text.find_first_not_of("=-~") == std::string_view::npos) {
      ++end;
    }
    Add(lines_[at].start, lines_[end - 1].end, Kind::kHeading);
    return end;
  }

  // The header with the separator after it, then the rows.
  size_t TakeTable(size_t at) {
    size_t end = at;
    while (Follows(end) && IsRow(lines_[end].text)) ++end;
    std::optional<size_t> header;
    if (at + 1 < end && IsRowSeparator(lines_[at + 1].text)) {
      header = units_.size();
      Add(lines_[at].start, lines_[at + 1].end, Kind::kHeader);
      at += 2;
    }
    for (; at < end; ++at) {
      const size_t first = units_.size();
      AddSpan(at, at + 1);
      for (size_t i = first; i < units_.size(); ++i) units_[i].header = header;
    }
    return end;
  }

  size_t TakeFenced(size_t at) {
    size_t close = at + 1;
    while (close < lines_.size() && !IsFenceLine(lines_[close].text)) ++close;
    const size_t end = std::min(close + 1, lines_.size());
    if (CountTokens(Text(at, end)) <= static_cast<uint64_t>(kLongestUnit)) {
      AddSpan(at, end);
      return end;
    }
    size_t start = at;
    for (size_t i = at + 1; i < end; ++i) {
      const bool last = i + 1 >= close;
      if (lines_[i].blank && !last) continue;
      AddSpan(start, last ? end : i + 1);
      start = last ? end : i + 1;
      if (last) break;
    }
    if (start < end) AddSpan(start, end);
    return end;
  }

  // A line of code, with lines of punctuation alone after it. Includes form one unit.
  size_t TakeCodeLine(size_t at) {
    size_t end = at + 1;
    if (IsImport(lines_[at].text)) {
      while (Follows(end) && IsImport(lines_[end].text)) ++end;
      AddSpan(at, end, Kind::kImport);
      return end;
    }
    while (Follows(end) && std::ranges::none_of(lines_[end].text, IsAlnum)) ++end;
    AddSpan(at, end);
    return end;
  }

  // An item goes on over lines that are not indented less than its text, and over a blank line if
  // the next one is indented.
  size_t TakeItem(size_t at) {
    const size_t indent = lines_[at].indent();
    size_t end = at + 1;
    while (Follows(end) && !StartsWithMarker(lines_[end].text) && lines_[end].indent() >= indent &&
           !IsFenceLine(lines_[end].text)) {
      ++end;
    }
    AddSpan(at, end);
    return end;
  }

  // Terms, each a line, then ": text".
  bool Defines(size_t at) const {
    for (size_t i = at; i < at + 4 && Follows(i); ++i) {
      if (lines_[i].text.starts_with(": ")) return true;
      if (lines_[i].text.size() > 3 * kLongestHeading) return false;
    }
    return false;
  }

  size_t TakeDefinition(size_t at) {
    size_t end = at;
    while (!lines_[end].text.starts_with(": ")) ++end;
    ++end;
    while (Follows(end) && !Defines(end) && !StartsWithMarker(lines_[end].text)) ++end;
    AddSpan(at, end);
    return end;
  }

  // A line of one word beside another one: a list of names.
  bool IsName(size_t at) const {
    const auto is_word = [&](size_t i) {
      return Follows(i) && lines_[i].text.find_first_of(" \t") == std::string_view::npos;
    };
    return is_word(at) && (is_word(at + 1) || (at > 0 && is_word(at - 1)));
  }

  // A short line with lines below it that are indented more.
  bool IsEntry(size_t at) const {
    return Follows(at + 1) && lines_[at + 1].indent() >= lines_[at].indent() + 2 &&
           lines_[at].text.size() <= kLongestHeading && !StartsWithMarker(lines_[at + 1].text);
  }

  size_t TakeEntry(size_t at) {
    size_t end = at + 1;
    while (Follows(end) && lines_[end].indent() > lines_[at].indent()) ++end;
    AddSpan(at, end);
    return end;
  }

  size_t TakeProse(size_t at) {
    size_t end = at + 1;
    while (Follows(end) && !BeginsOther(end)) ++end;
    AddSpan(at, end);
    return end;
  }

  bool BeginsOther(size_t at) const {
    const std::string_view line = lines_[at].text;
    return IsFenceLine(line) || IsRow(line) || StartsWithMarker(line) || IsMacro(line) ||
           IsSetting(line) || IsName(at) || Defines(at) || line.starts_with('#');
  }

  std::string_view Text(size_t first, size_t end) const {
    return text_.substr(lines_[first].start, lines_[end - 1].end - lines_[first].start);
  }

  void AddSpan(size_t first, size_t end, Kind kind = Kind::kText) {
    while (end > first && lines_[end - 1].blank) --end;
    Add(lines_[first].start, lines_[end - 1].end, kind);
  }

  // Adds [start, end) as units: whole if it is one item, row, line, entry or definition, else cut
  // after sentences.
  void Add(size_t start, size_t end, Kind kind) {
    const size_t first_unit = units_.size();
    struct Token {
      size_t start;
      size_t end;
      bool starts_line;
    };
    std::vector<Token> tokens;
    for (size_t at = start;;) {
      const size_t begin = SkipWhiteSpace(text_, at);
      if (begin >= end) break;
      const bool line = tokens.empty() || text_.substr(at, begin - at).find('\n') != text_.npos;
      const size_t stop = std::min(FindTokenEnd(text_, begin), end);
      tokens.push_back({line ? Indented(begin, at) : begin, stop, line});
      at = stop;
    }
    const bool whole = tokens.size() <= static_cast<size_t>(kLongestUnit) &&
                       (kind != Kind::kText || !IsProse(start, end));
    size_t from = 0;
    for (size_t i = 0; i < tokens.size(); ++i) {
      const auto count = static_cast<int64_t>(i + 1 - from);
      const bool last = i + 1 == tokens.size();
      const std::string_view token = text_.substr(tokens[i].start, tokens[i].end - tokens[i].start);
      const std::string_view bare = token.substr(SkipWhiteSpace(token, 0));
      const bool sentence =
          !whole && count >= kShortestSentence && !bare.empty() && EndsSentence(bare);
      size_t to = i + 1;
      if (!last && !sentence && count < kLongestUnit) continue;
      if (!last && !sentence) {
        for (size_t k = i; k > from; --k) {
          if (tokens[k].starts_line) {
            to = k;
            break;
          }
        }
      }
      PassageUnit unit;
      unit.start = tokens[from].start;
      unit.end = tokens[to - 1].end;
      unit.tokens = static_cast<int64_t>(to - from);
      unit.kind = kind;
      units_.push_back(unit);
      i = to - 1;
      from = to;
    }
    Link(first_unit);
  }

  // Whether a span that fits into a unit is prose, which is cut into sentences nevertheless.
  bool IsProse(size_t start, size_t end) const {
    const std::string_view span = text_.substr(start, end - start);
    const std::string_view begin = span.substr(SkipWhiteSpace(span, 0));
    if (code_ || StartsWithMarker(begin) || IsRow(begin) || IsFenceLine(begin)) return false;
    if (span.find("\n: ") != span.npos) return false;
    // An entry: the second line is indented more.
    const size_t newline = span.find('\n');
    if (newline == span.npos) return true;
    const size_t next = newline + 1 + SkipWhiteSpace(span.substr(newline + 1), 0);
    const size_t indent = SkipWhiteSpace(span, 0);
    return next - newline - 1 < indent + 2;
  }

  void Link(size_t first) {
    for (size_t i = first; i < units_.size(); ++i) {
      PassageUnit& unit = units_[i];
      if (unit.kind == Kind::kHeading) {
        heading_ = i;
        continue;
      }
      unit.heading = heading_;
      if (!keys_.empty()) {
        const size_t indent = SkipWhiteSpace(text_.substr(unit.start), 0);
        unit.heading = CloseKeys(indent);
      }
      if (i > 0 && units_[i - 1].kind == Kind::kText && text_[units_[i - 1].end - 1] == ':') {
        unit.lead_in = i - 1;
      }
    }
  }

  size_t Indented(size_t begin, size_t least) const {
    while (begin > least && (text_[begin - 1] == ' ' || text_[begin - 1] == '\t')) --begin;
    return begin;
  }

  std::string_view text_;
  bool code_;
  std::vector<TextLine> lines_;
  std::vector<PassageUnit> units_;
  std::optional<size_t> heading_;                // the last one
  std::vector<std::pair<size_t, size_t>> keys_;  // indentation and unit of the open keys
};

}  // namespace

std::vector<PassageUnit> CutPassageUnits(std::string_view text, bool is_code,
                                         bool begins_document) {
  return PassageCutter(text, is_code).Cut(begins_document);
}

uint32_t EndLine(uint32_t start_line, std::string_view text) {
  // A newline at the end of the text belongs to the line that it ends.
  if (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  return start_line + static_cast<uint32_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace recall
