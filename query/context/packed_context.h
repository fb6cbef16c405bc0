#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "query/ask_types.h"
#include "query/views.h"

namespace recall {

struct PackOptions {
  int64_t budget_tokens = 1200;
  std::optional<int64_t> diversity;  // most pieces taken from one document
  bool citations = true;
};

// What a packer hands out. The budget counts every whitespace token of the text, citations
// included:
//
//   [guide/install.md:10-24] Guide > Install        <- citation: path, lines, heading
//   Run the installer ...                           <- the document's bytes
//                                                   <- blank line between pieces
struct PackedContext {
  std::string text;
  int64_t used_tokens = 0;
  std::vector<ContextPiece> pieces;
  std::vector<uint32_t> best_rows;  // of each piece, the row of its best chunk

  // Appends the piece, of which text, lines and heading are there already, to both.
  void Add(ContextPiece piece, uint32_t best_row, const std::string& citation);
};

// The line before a piece. The number of its tokens does not depend on the lines.
std::string CitationOf(std::string_view path, uint32_t first_line, uint32_t last_line,
                       std::string_view heading);

// The line of the last byte of a text that starts at `start_line`.
uint32_t EndLine(uint32_t start_line, std::string_view text);

// The bytes of `text` up to the end of its `count`-th token.
size_t PrefixOfTokens(std::string_view text, int64_t count);

}  // namespace recall
