#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "query/ask/rows/views.h"
#include "query/types/context_types.h"

namespace recall {

class LocatorReader;
class SourceChecker;
class TokenCounter;

// Options of both packers.
struct PackOptions {
  TokenCounter* counter;             // counts all budgets here; must outlive the packers
  std::optional<int64_t> diversity;  // maximum number of pieces of one document
  bool citations = true;
  bool cite = false;  // citations are exact: they have the hash of their lines
  ContextForm form = ContextForm::kText;
  int64_t expand = 0;  // number of units (or chunks) added on either side of a selected one
  // Find the places of extracted texts, which citations name; must outlive the packers.
  LocatorReader* locators;
  // Looks at the sources of documents, whose state citations name; null: nothing does. Must outlive
  // the packers, as `check` must.
  SourceChecker* sources = nullptr;
  const SourceCheck* check = nullptr;
  UnixNanos as_of = 0;  // citations name the state of notes that are no longer valid at this time
};

// The result of a packer. The budget counts every token of the text, citations included:
//
//   [guide/install.md:10-24] Guide > Install        <- citation: path, lines, heading; exact:
//                                                      guide/install.md@1f0c39ab66e2:10-24
//                                                      of an extracted text, with its place:
//                                                      [report.pdf:10-24 (pp. 3-4)] Costs
//                                                      of a file that was edited or deleted, with
//                                                      a mark: [a.md:1-3] (changed since) Costs
//                                                      so does a note that is no longer valid:
//                                                      [notes/a.md:1-3] (obsolete) Costs
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
  int64_t printed_tokens = 0;  // including the newline that ends the printed text
  std::vector<ContextPiece> pieces;
  std::vector<uint32_t> best_rows;  // for each piece, the rowid of its best chunk

  // Appends a piece.
  void Add(ContextPiece piece, uint32_t best_row) {
    pieces.push_back(std::move(piece));
    best_rows.push_back(best_row);
  }
  // Sets text, its tokens, and the places of the pieces in it. Requires: all pieces were added,
  // with lines_hash if citations are exact.
  void Compose(const PackOptions& options);
};

// The number of tokens that Add writes besides the text of a piece that begins in chunk `head`.
// Exact when words are counted. With a vocabulary it is an estimate, because the number of tokens
// depends on the digits of the piece's line and byte numbers, and of its hash.
int64_t CitationCost(const PackOptions& options, const DocRow& doc, const ChunkRow& head);

// Packs with decreasing limits until the whole text is within the budget. One attempt suffices when
// words are counted, because sums of words are exact. Sums of vocabulary tokens are estimates: if
// the text exceeds the budget, the limit is reduced by the excess, and by at least 1, 2, 4, ...
// tokens in successive attempts, down to 0. At most O(log budget) attempts are made.
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
