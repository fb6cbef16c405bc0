#include "tests/cli/show/browse/screen_text.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace recall {

TextStyle Utf8() {
  TextStyle style;
  style.utf8 = true;
  return style;
}

std::string TextOf(const Screen& screen) {
  std::string text;
  for (const ScreenRow& row : screen.rows) {
    std::string line;
    for (const Span& span : row) {
      if (span.chosen && line.empty()) line = ">";
      line += span.paint == Paint::kMatch ? "[" + span.text + "]" : span.text;
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

size_t WidestRow(const Screen& screen) {
  size_t widest = 0;
  for (const ScreenRow& row : screen.rows) widest = std::max(widest, WidthOf(row));
  return widest;
}

void ExpectPrintable(const Screen& screen) {
  for (const ScreenRow& row : screen.rows) {
    for (const Span& span : row) EXPECT_EQ(EscapeLine(span.text), span.text);
  }
}

}  // namespace recall
