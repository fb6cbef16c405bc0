#pragma once

// What the preview shows of the text around a hit.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/show/browse/screen_rows.h"
#include "query/types/search_types.h"

namespace recall {

struct MarkedText {
  std::string_view text;
  uint32_t first_line = 1;
  uint64_t start_byte = 0;                // of the text, in the document
  std::vector<ByteRange> marks = {};      // of the text: ascending, disjoint
  std::vector<PaintedRange> paints = {};  // the same; of source code
};

// The text around a hit, or around byte `from` of its document, with the words of the question that
// its snippet shows. `document`: the text of the document, or null. With `from` the number of the
// first line is not known. Source code is painted.
MarkedText TextAround(const SearchHit& hit, const std::string* document,
                      std::optional<uint64_t> from);

struct TextRows {
  std::vector<ScreenRow> rows;
  size_t best = 0;  // index of the row with most marked characters; without any, of the first line
  uint32_t best_line = 0;  // its line
};

// Lines in rows of at most so many columns, with their numbers before them: those of `chunk` stand
// out.
TextRows RowsOfText(const MarkedText& marked, const ChunkView& chunk, size_t columns);

// Returns: the line of the document where the preview of a hit has most words of the question.
uint32_t BestLine(const SearchHit& hit);

// As RowsOfText, of a whole document of source code around some of its lines.
TextRows RowsAroundLines(const std::string& document, const std::string& path, uint32_t first_line,
                         uint32_t last_line, size_t columns);

// Appends the glyphs of a row. Returns: how many of them are marked.
size_t AppendGlyphs(ScreenRow& row, std::span<const Glyph> glyphs);

}  // namespace recall
