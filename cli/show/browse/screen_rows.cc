// Composes the rows of the terminal view's screens.
//
// Widths are in columns of the terminal, not in bytes or characters: a wide character takes two
// columns, a combining one none. All text passes through EscapeLine, so a control character of a
// document never reaches the terminal. All functions are pure but for the ListView that they
// adjust; the cost is linear in the text that is shown.

#include "cli/show/browse/screen_rows.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace recall {
namespace {

constexpr size_t kWideColumns = 100;    // from here on the preview is beside the list
constexpr size_t kPreviewBodyRows = 8;  // a lower place has no preview
constexpr size_t kTabColumns = 4;

// Returns: how many of the glyphs fit into a row; at least one.
size_t FittingGlyphs(std::span<const Glyph> glyphs, size_t columns) {
  size_t used = 0;
  size_t word_end = 0;
  for (size_t i = 0; i < glyphs.size(); ++i) {
    used += glyphs[i].columns;
    if (used > columns) return word_end > 0 ? word_end : std::max<size_t>(i, 1);
    if (glyphs[i].text == " ") word_end = i + 1;
  }
  return glyphs.size();
}

}  // namespace

size_t WidthOf(const ScreenRow& row) {
  size_t width = 0;
  for (const Span& span : row) width += DisplayColumns(span.text);
  return width;
}

ScreenRow Cut(ScreenRow row, size_t columns) {
  size_t left = columns;
  for (Span& span : row) {
    const size_t width = DisplayColumns(span.text);
    if (width > left) span.text = CutToColumns(span.text, left, false);
    left -= std::min(width, left);
  }
  std::erase_if(row, [](const Span& span) { return span.text.empty(); });
  return row;
}

ScreenRow PadTo(ScreenRow row, size_t columns) {
  const size_t width = WidthOf(row);
  if (width < columns) {
    row.push_back(
        {std::string(columns - width, ' '), Paint::kPlain, !row.empty() && row[0].chosen});
  }
  return row;
}

void Append(ScreenRow& row, std::string text, Paint paint) {
  if (text.empty()) return;
  if (!row.empty() && row.back().paint == paint) {
    row.back().text += text;
  } else {
    row.push_back({std::move(text), paint});
  }
}

ScreenRow Chosen(ScreenRow row, size_t columns) {
  row = Cut(std::move(row), columns);
  for (Span& span : row) span.chosen = true;
  return PadTo(std::move(row), columns);
}

ScreenRow WithRight(ScreenRow row, std::string_view right, size_t columns) {
  const size_t width = WidthOf(row);
  const size_t wanted = DisplayColumns(right);
  if (width + wanted + 2 > columns) return row;
  row.push_back({std::string(columns - width - wanted, ' '), Paint::kPlain});
  row.push_back({std::string(right), Paint::kDim});
  return row;
}

std::vector<Glyph> GlyphsOf(std::string_view text, std::span<const ByteRange> marks, size_t begin,
                            size_t end, std::span<const PaintedRange> paints) {
  std::vector<Glyph> glyphs;
  auto mark = marks.begin();
  auto paint = std::ranges::upper_bound(paints, begin, {}, &PaintedRange::end);
  for (size_t at = begin, column = 0; at < end;) {
    const size_t length = std::min(FirstCharacter(text.substr(at)), end - at);
    while (mark != marks.end() && mark->end <= at) ++mark;
    const bool matches = mark != marks.end() && mark->start <= at;
    while (paint != paints.end() && paint->end <= at) ++paint;
    const bool painted = paint != paints.end() && paint->begin <= at;
    std::string shown = EscapeLine(text.substr(at, length));
    if (text[at] == '\t') shown = std::string(kTabColumns - column % kTabColumns, ' ');
    const size_t columns = DisplayColumns(shown);
    glyphs.push_back({std::move(shown),
                      matches   ? Paint::kMatch
                      : painted ? paint->paint
                                : Paint::kPlain,
                      columns});
    column += columns;
    at += length;
  }
  return glyphs;
}

std::vector<std::span<const Glyph>> WrapGlyphs(std::span<const Glyph> glyphs, size_t columns) {
  std::vector<std::span<const Glyph>> rows;
  do {
    const size_t fitting = FittingGlyphs(glyphs, std::max<size_t>(columns, 1));
    rows.push_back(glyphs.first(fitting));
    glyphs = glyphs.subspan(fitting);
  } while (!glyphs.empty());
  return rows;
}

std::vector<ScreenRow> WrapText(std::string_view text, size_t columns, Paint paint) {
  std::vector<ScreenRow> rows;
  for (size_t begin = 0; begin < text.size();) {
    const size_t newline = std::min(text.find('\n', begin), text.size());
    const size_t end = newline > begin && text[newline - 1] == '\r' ? newline - 1 : newline;
    const std::vector<Glyph> glyphs = GlyphsOf(text, {}, begin, end);
    for (const std::span<const Glyph> shown : WrapGlyphs(glyphs, columns)) {
      ScreenRow& row = rows.emplace_back();
      for (const Glyph& glyph : shown) Append(row, glyph.text, paint);
    }
    begin = newline + 1;
  }
  return rows;
}

void KeepInView(size_t count, size_t chosen, size_t rows, ListView* view) {
  view->rows = rows;
  if (rows == 0) return;
  const size_t last = count > rows ? count - rows : 0;
  view->first_row =
      std::clamp(std::min(view->first_row, last), chosen >= rows ? chosen - rows + 1 : 0, chosen);
}

std::vector<ScreenRow> MovedRows(const std::vector<ScreenRow>& rows, size_t start, size_t place,
                                 ListView* view) {
  const auto last = static_cast<ptrdiff_t>(rows.size() > place ? rows.size() - place : 0);
  const ptrdiff_t begin = std::min(last, static_cast<ptrdiff_t>(start));
  view->preview_offset = std::clamp(begin + view->preview_offset, ptrdiff_t{0}, last) - begin;
  const auto first = static_cast<size_t>(begin + view->preview_offset);
  const size_t shown = std::min(place, rows.size() - first);
  const auto from = rows.begin() + static_cast<ptrdiff_t>(first);
  return {from, from + static_cast<ptrdiff_t>(shown)};
}

std::vector<ScreenRow> ListAndPreview(size_t rows, size_t columns, size_t count, bool utf8,
                                      const RowsFn& list, const RowsFn& preview, size_t fifths) {
  if (rows < kPreviewBodyRows) return list(rows, columns);
  std::vector<ScreenRow> out;
  if (columns >= kWideColumns) {
    const size_t left = columns * 2 / 5;
    std::vector<ScreenRow> listed = list(rows, left);
    const std::vector<ScreenRow> shown = preview(rows, columns - left - 3);
    listed.resize(rows);
    for (size_t i = 0; i < rows; ++i) {
      ScreenRow row = PadTo(std::move(listed[i]), left);
      row.push_back({utf8 ? " │ " : " | ", Paint::kDim});
      if (i < shown.size()) row.insert(row.end(), shown[i].begin(), shown[i].end());
      out.push_back(std::move(row));
    }
    return out;
  }
  const size_t top = std::max<size_t>(rows * fifths / 5, 3);
  out = list(top, columns);
  out.resize(std::min(top, out.size()));
  std::string line;
  for (size_t i = 0; i < columns; ++i) line += utf8 ? "─" : "-";
  out.push_back({{line, Paint::kDim}});
  std::ranges::move(preview(rows - std::min(top, count) - 1, columns), std::back_inserter(out));
  return out;
}

}  // namespace recall
