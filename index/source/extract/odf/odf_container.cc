#include "index/source/extract/odf/odf_container.h"

#include <algorithm>

namespace recall {
namespace {

constexpr int64_t kMostOdfRepeats = 64;
constexpr size_t kMostOdfRowCells = 1 << 14;

bool IsOdfSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

}  // namespace

void AppendOdfPart(std::string_view part, char divider, std::string* text) {
  if (part.empty()) return;
  if (!text->empty()) *text += divider;
  text->append(part);
}

int64_t WrittenOdfRepeats(int64_t repeat) { return repeat > kMostOdfRepeats ? 1 : repeat; }

void OdfParagraph::AppendText(std::string_view more) {
  for (size_t i = 0; i < more.size();) {
    if (IsOdfSpace(more[i])) {
      if (!collapses) text += ' ';
      collapses = true;
      ++i;
      continue;
    }
    size_t end = i + 1;
    while (end < more.size() && !IsOdfSpace(more[end])) ++end;
    text.append(more.substr(i, end - i));
    collapses = false;
    i = end;
  }
}

void OdfParagraph::AppendExact(std::string_view more) {
  text.append(more);
  collapses = false;
}

void OdfParagraph::TrimEnd() {
  while (!code && !text.empty() && IsOdfSpace(text.back())) text.pop_back();
}

void OdfTable::BeginRow(int64_t row_repeat, int64_t first_paragraph) {
  cells.clear();
  empty_cells = 0;
  repeat = row_repeat;
  paragraph = first_paragraph;
}

void OdfTable::AddCell(const std::string& text, int64_t cell_repeat) {
  const int64_t written = WrittenOdfRepeats(cell_repeat);
  if (text.empty()) {
    empty_cells += written;
    return;
  }
  const int64_t before = std::min<int64_t>(empty_cells, kMostOdfRowCells);
  for (int64_t i = -before; i < written; ++i) {
    if (cells.size() < kMostOdfRowCells) {
      cells.push_back(i < 0 ? std::string() : text);
    } else if (i >= 0) {
      AppendOdfPart(text, ' ', &cells.back());
      break;
    }
  }
  empty_cells = 0;
}

}  // namespace recall
