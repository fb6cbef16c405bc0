#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "query/rows/views.h"
#include "query/types/search_types.h"

namespace recall {

class TokenCounter;

struct PackOptions {
  TokenCounter* counter;  // of everything in tokens here; outlives whoever has the options
  std::optional<int64_t> diversity;  // most pieces taken from one document
  bool citations = true;
  ContextForm form = ContextForm::kText;
  int64_t expand = 0;  // units to either side of one that is packed
};

// What a packer hands out. The budget counts every token of the text, citations included:
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
  int64_t printed_tokens = 0;  // with the newline that printing ends it with
  std::vector<ContextPiece> pieces;
  std::vector<uint32_t> best_rows;  // of each piece, the row of its best chunk

  // Appends the piece, which is complete, to text, pieces and best_rows.
  void Add(ContextPiece piece, uint32_t best_row, const PackOptions& options);
  // Counts the tokens of the text, which is complete.
  void Count(TokenCounter& counter);
};

// The tokens that Add writes beside those of the text of a piece that begins in chunk `head`. Of
// words exactly so many; a vocabulary's depend on the piece's lines and bytes a little.
int64_t CitationCost(const PackOptions& options, const DocRow& doc, const ChunkRow& head);

// Packs until the whole is within the budget. `pack(limit)` packs what the packer takes for `limit`
// tokens: as many as it is, where they are words, for their sums are exact; a vocabulary's may turn
// out to be more, and then it packs again for as much less, at last for none.
// `pack`: Result<PackedContext>(int64_t limit).
template <typename Pack>
Result<PackedContext> PackWithin(int64_t budget, Pack pack) {
  int64_t limit = budget;
  for (int64_t step = 1;; step *= 2) {
    RECALL_ASSIGN(PackedContext packed, pack(limit));
    const int64_t over = std::max(packed.used_tokens, packed.printed_tokens) - budget;
    if (over <= 0 || limit == 0) return packed;
    limit = std::max<int64_t>(0, limit - std::max(over, step));
  }
}

}  // namespace recall
