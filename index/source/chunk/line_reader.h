#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "index/source/chunk/text_range.h"

namespace recall {

// One line of the text. Only '\n' ends a line; a '\r' before it is white space of the line.
struct Line {
  std::string_view content;  // without the '\n'
  TextRange range;           // from its first to its last token; unspecified if blank()
  size_t start = 0;          // byte offset of the line in the text

  bool blank() const { return range.tokens == 0; }
};

// Reads a text line by line, numbering lines and whitespace tokens. The text and limits must
// outlive the reader.
class LineReader final {
 public:
  LineReader(std::string_view text, const ChunkLimits& limits) : text_(text), limits_(limits) {}

  // Reads the next line into *line. Returns: false at the end of the text.
  bool Next(Line* line);

 private:
  std::string_view text_;
  const ChunkLimits& limits_;
  size_t position_ = 0;
  uint64_t tokens_before_ = 0;
  uint32_t number_ = 0;
};

// The columns of indentation (a tab advances to the next multiple of four, as in CommonMark) and
// its bytes.
struct Indentation {
  size_t columns = 0;
  size_t bytes = 0;
};
Indentation MeasureIndentation(std::string_view line);

}  // namespace recall
