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
  ContextForm form = ContextForm::kText;
  int64_t expand = 0;  // units to either side of one that is packed
};

// What a packer hands out. The budget counts every whitespace token of the text, citations
// included:
//
//   [guide/install.md:10-24] Guide > Install        <- citation: path, lines, heading
//   Run the installer ...                           <- the document's bytes
//                                                   <- blank line between pieces
// In Markdown:
//
//   ## `guide/install.md:10-24` Guide \> Install
//
//   bytes 310-702, sha256 9f86d081884c7d659a2feaa0c55ad015...
//
//   ```md                                           <- longer than any fence in the piece
//   Run the installer ...
//   ```
struct PackedContext {
  std::string text;
  int64_t used_tokens = 0;
  std::vector<ContextPiece> pieces;
  std::vector<uint32_t> best_rows;  // of each piece, the row of its best chunk

  // Appends the piece, which is complete, to both.
  void Add(ContextPiece piece, uint32_t best_row, const PackOptions& options);
};

// The tokens that Add writes beside those of the piece's text. They depend on nothing else.
int64_t CitationCost(const PackOptions& options, std::string_view path, std::string_view heading);

// The line of the last byte of a text that starts at `start_line`.
uint32_t EndLine(uint32_t start_line, std::string_view text);

// The bytes of `text` up to the end of its `count`-th token.
size_t PrefixOfTokens(std::string_view text, int64_t count);

}  // namespace recall
