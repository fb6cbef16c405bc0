#include "cli/show/output/grep_text.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace recall {
namespace {

std::string Escaped(std::string_view text, const TextStyle& style) {
  return style.escape ? EscapeLine(text) : std::string(text);
}

std::string WithMatches(const GrepLine& line, const TextStyle& style) {
  std::string text;
  size_t end = 0;
  for (const ByteRange& match : line.matches) {
    const std::string_view view = line.text;
    text += Escaped(view.substr(end, match.start - end), style);
    text += style.Error(Escaped(view.substr(match.start, match.end - match.start), style));
    end = match.end;
  }
  return text + Escaped(std::string_view(line.text).substr(end), style);
}

class GrepPrinter final {
 public:
  GrepPrinter(const GrepDocument& document, const TextStyle& style)
      : document_(document), style_(style), path_(style.DocPath(document.doc.path)) {}

  std::string Print() {
    const auto& lines = document_.shown;
    for (size_t i = 0; i < lines.size(); ++i) {
      const GrepLine& line = lines[i];
      const auto before = static_cast<uint32_t>(line.before.size());
      const uint32_t first = line.number - before;
      if (printed_ > 0 && first > printed_ + 1 && HasContext(line)) text_ += "--\n";
      for (uint32_t k = 0; k < before; ++k) PrintContext(first + k, line.before[k]);
      PrintLine(line.number, ':', WithMatches(line, style_));
      // The lines up to the next match are its own, or of its context.
      const uint32_t end = i + 1 < lines.size() ? lines[i + 1].number : UINT32_MAX;
      for (uint32_t k = 0; k < line.after.size() && line.number + 1 + k < end; ++k) {
        PrintContext(line.number + 1 + k, line.after[k]);
      }
    }
    return std::move(text_);
  }

 private:
  static bool HasContext(const GrepLine& line) {
    return !line.before.empty() || !line.after.empty();
  }

  void PrintContext(uint32_t number, std::string_view line) {
    if (number <= printed_) return;
    PrintLine(number, '-', Escaped(CutToBytes(line), style_));
  }

  static std::string_view CutToBytes(std::string_view line) {
    size_t end = std::min(line.size(), kMostGrepLineBytes);
    while (end > 0 && end < line.size() && (line[end] & 0xC0) == 0x80) --end;
    return line.substr(0, end);
  }

  void PrintLine(uint32_t number, char mark, const std::string& line) {
    text_ += path_ + mark + std::to_string(number) + mark + line + "\n";
    printed_ = number;
  }

  const GrepDocument& document_;
  const TextStyle& style_;
  const std::string path_;
  uint32_t printed_ = 0;  // the number of the last line
  std::string text_;
};

}  // namespace

std::string FormatGrepLines(const GrepDocument& document, const TextStyle& style) {
  return GrepPrinter(document, style).Print();
}

}  // namespace recall
