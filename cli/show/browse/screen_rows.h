#pragma once

// Rows of painted text, of which the screens of the terminal view consist.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/show/browse/edit_line.h"
#include "cli/show/browse/list_view.h"
#include "cli/show/terminal/terminal.h"
#include "query/types/row_views.h"

namespace recall {

enum class Paint { kPlain, kDim, kStrong, kPath, kScore, kLiteral, kMatch, kError };

// Bytes begin .. end-1 of a text.
struct PaintedRange {
  size_t begin = 0;
  size_t end = 0;
  Paint paint = Paint::kPlain;

  bool operator==(const PaintedRange&) const = default;
};

// A piece of a row: printable characters only.
struct Span {
  std::string text;
  Paint paint = Paint::kPlain;
  bool chosen = false;  // in reverse video
};

using ScreenRow = std::vector<Span>;

struct Screen {
  std::vector<ScreenRow> rows;  // as many as the window has; none is wider than it
  size_t cursor_row = 0;
  size_t cursor_column = 0;
  ListView view;  // within the lists; it replaces that of the state
};

struct WindowSize {
  size_t rows = 24;
  size_t columns = 80;
};

size_t WidthOf(const ScreenRow& row);
// Cuts a row to a width of at most `columns`.
ScreenRow Cut(ScreenRow row, size_t columns);
// Fills the row with spaces to a width of `columns`.
ScreenRow PadTo(ScreenRow row, size_t columns);
// Appends text to the last span of a row if that has the same paint, else as a span.
void Append(ScreenRow& row, std::string text, Paint paint);
// The row in reverse video, over all columns.
ScreenRow Chosen(ScreenRow row, size_t columns);
// Appends `right` at the right edge, if there is room for it.
ScreenRow WithRight(ScreenRow row, std::string_view right, size_t columns);

// One character as it is shown.
struct Glyph {
  std::string text;
  Paint paint;
  size_t columns;
};

// The characters of the line text[begin, end) as the screen shows them. `marks`: ranges of `text`
// to be highlighted; `paints`: how the rest is painted. Both are ascending and disjoint.
std::vector<Glyph> GlyphsOf(std::string_view text, std::span<const ByteRange> marks, size_t begin,
                            size_t end, std::span<const PaintedRange> paints = {});
// The glyphs of a line in rows of at most `columns` columns, at least one; rows end after words if
// they can.
std::vector<std::span<const Glyph>> WrapGlyphs(std::span<const Glyph> glyphs, size_t columns);

// Wraps a text into rows of at most `columns` columns.
std::vector<ScreenRow> WrapText(std::string_view text, size_t columns, Paint paint);

// The first row of a list that is in view, such that the chosen one is. `rows`: of its place.
void KeepInView(size_t count, size_t chosen, size_t rows, ListView* view);
// Returns: those of the rows that are in view after they were moved by view->preview_offset from
// `start`. `place`: how many rows there is room for.
std::vector<ScreenRow> MovedRows(const std::vector<ScreenRow>& rows, size_t start, size_t place,
                                 ListView* view);

// A list of `count` rows and a preview of the chosen one: beside it in a wide window, else below
// it, where the list has `fifths` of the rows; a place of a few rows has only the list. Both
// functions get the rows and columns of their place.
using RowsFn = std::function<std::vector<ScreenRow>(size_t rows, size_t columns)>;
std::vector<ScreenRow> ListAndPreview(size_t rows, size_t columns, size_t count, bool utf8,
                                      const RowsFn& list, const RowsFn& preview, size_t fifths = 2);

}  // namespace recall
