#include "tests/index/source/extract/pdf/bbox_maker.h"

#include <algorithm>
#include <cstdio>

namespace recall {
namespace {

size_t LettersOf(std::string_view text) {
  return static_cast<size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

}  // namespace

std::string XhtmlEscaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&apos;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

BboxMaker& BboxMaker::Page() {
  EndPage();
  out_ += "  <page width=\"600.000000\" height=\"800.000000\">\n";
  in_page_ = true;
  return *this;
}

BboxMaker& BboxMaker::Block() {
  EndBlock();
  out_ += "    <flow>\n      <block xMin=\"0\" yMin=\"0\" xMax=\"0\" yMax=\"0\">\n";
  in_block_ = true;
  return *this;
}

BboxMaker& BboxMaker::Line(double x, double y, std::string_view text, double size) {
  out_ += "        <line xMin=\"0\" yMin=\"0\" xMax=\"0\" yMax=\"0\">\n";
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    const double width = 0.5 * size * static_cast<double>(LettersOf(word));
    char box[200];
    std::snprintf(box, sizeof box,
                  "          <word xMin=\"%f\" yMin=\"%f\" xMax=\"%f\" yMax=\"%f\">", x, y,
                  x + width, y + 1.2 * size);
    if (!word.empty()) out_ += box + XhtmlEscaped(word) + "</word>\n";
    x += width + 0.25 * size;
    text.remove_prefix(std::min(word.size() + 1, text.size()));
  }
  out_ += "        </line>\n";
  return *this;
}

BboxMaker& BboxMaker::Lines(double x, double y, const std::vector<std::string>& lines,
                            double size) {
  Block();
  for (const std::string& line : lines) {
    Line(x, y, line, size);
    y += 1.3 * size;
  }
  return *this;
}

void BboxMaker::EndBlock() {
  if (in_block_) out_ += "      </block>\n    </flow>\n";
  in_block_ = false;
}

void BboxMaker::EndPage() {
  EndBlock();
  if (in_page_) out_ += "  </page>\n";
  in_page_ = false;
}

std::string BboxMaker::Finish(std::string_view head) {
  EndPage();
  return "<!DOCTYPE html><html xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n" +
         std::string(head.empty() ? "<title></title>\n" : head) + "</head>\n<body>\n<doc>\n" +
         out_ + "</doc>\n</body>\n</html>\n";
}

}  // namespace recall
