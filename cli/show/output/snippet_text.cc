// Prints a snippet within the width of the terminal.
//
// Blank lines are skipped. A longer line becomes several rows, each cut after the last word that
// fits, or within a word that is longer than a row. Columns are counted as UTF-8 characters, so
// rows with wide characters may be too long. Highlights are disjoint and ascending; one that spans
// two rows is painted in both.

#include "cli/show/output/snippet_text.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace recall {
namespace {

constexpr std::string_view kIndent = "    ";
// On narrower terminals lines are not wrapped.
constexpr size_t kLeastColumns = 20;

bool StartsCharacter(char c) { return (static_cast<uint8_t>(c) & 0xC0) != 0x80; }

class SnippetLines final {
 public:
  SnippetLines(const Snippet& snippet, const TextStyle& style)
      : text_(snippet.text), highlights_(snippet.highlights), style_(style) {}

  std::string Format() {
    if (text_.empty()) return std::string(kIndent) + "(no text)\n";
    for (size_t begin = 0; begin < text_.size();) {
      const size_t end = std::min(text_.find('\n', begin), text_.size());
      const bool blank = text_.substr(begin, end - begin).find_first_not_of(" \t\r") == text_.npos;
      if (!blank) AddLine(begin, text_[end - 1] == '\r' ? end - 1 : end);
      begin = end + 1;
    }
    return std::move(lines_);
  }

 private:
  void AddLine(size_t begin, size_t end) {
    while (begin < end) {
      const size_t cut = RowEnd(begin, end);
      lines_ += kIndent;
      AddPainted(begin, cut);
      lines_ += '\n';
      begin = cut;
      while (begin < end && text_[begin] == ' ') ++begin;
    }
  }

  // Returns: the end of the row that begins at `begin`: after the last word that fits.
  size_t RowEnd(size_t begin, size_t end) const {
    if (style_.columns <= kLeastColumns) return end;
    const size_t columns = style_.columns - kIndent.size();
    size_t used = 0;
    size_t space = begin;  // the last space after a word
    for (size_t i = begin; i < end; ++i) {
      if (!StartsCharacter(text_[i])) continue;
      if (used == columns) {
        const bool at_word_end = text_[i] == ' ';
        return at_word_end || space == begin ? i : space;
      }
      ++used;
      if (text_[i] == ' ' && i > begin && text_[i - 1] != ' ') space = i;
    }
    return end;
  }

  void AddPainted(size_t begin, size_t end) {
    for (const ByteRange& highlight : highlights_) {
      const size_t from = std::clamp<size_t>(highlight.start, begin, end);
      const size_t to = std::clamp<size_t>(highlight.end, begin, end);
      if (from == to) continue;
      lines_ += Shown(begin, from) + style_.Bold(Shown(from, to));
      begin = to;
    }
    lines_ += Shown(begin, end);
  }

  std::string Shown(size_t begin, size_t end) const {
    const std::string_view part = text_.substr(begin, end - begin);
    return style_.escape ? EscapeControls(part) : std::string(part);
  }

  std::string_view text_;
  const std::vector<ByteRange>& highlights_;
  const TextStyle& style_;
  std::string lines_;
};

}  // namespace

std::string FormatSnippet(const Snippet& snippet, const TextStyle& style) {
  return SnippetLines(snippet, style).Format();
}

}  // namespace recall
