#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "index/bitmap/bitmap.h"
#include "index/interface/retriever_hit.h"
#include "index/lexical_query/lexical_query.h"
#include "storage/base/result.h"

namespace recall {

// The weight of one clause, for explain.
struct LexicalTerm {
  std::string text;
  uint64_t matches = 0;  // live chunks that contain it
  double idf = 0;        // 0 for an excluded clause: it scores nothing
  LexicalClause::Occur occur = LexicalClause::Occur::kShould;
};

// The chunks that match one lexical query, and their BM25 scores. A chunk matches when it contains
// every +must clause, no -not clause, and at least one of the others if there is no +must clause.
// The matches and the statistics are known from the start; scores are computed when they are asked
// for. Two calls with the same arguments return the same bits. Const members are thread-safe unless
// the implementation says otherwise.
//
// A call may be a round trip to a server: ask for many chunks at a time, never for one posting.
// Errors of all calls: Corruption, and those of the connection to the store.
class LexicalCandidates {
 public:
  virtual ~LexicalCandidates() = default;

  // The number of chunks that match.
  virtual uint64_t count() const = 0;
  // The score of a text that contains every wanted clause infinitely often: scores stay below it.
  virtual double score_upper_bound() const = 0;
  // One element for each clause of the query, in its order.
  virtual const std::vector<LexicalTerm>& terms() const = 0;

  // The best `count` matches in the order of IsBetter, exactly.
  virtual Result<std::vector<RetrieverHit>> Top(size_t count) const = 0;
  // The matches with this score or a higher one, by chunk rowid.
  virtual Result<std::vector<RetrieverHit>> AtLeast(double score) const = 0;
  // The scores of these chunks, beside them; 0 where a chunk does not match.
  virtual Result<std::vector<double>> Score(std::span<const uint32_t> chunks) const = 0;
  // The number of these chunks that match.
  virtual Result<uint64_t> CountAmong(std::span<const uint32_t> chunks) const = 0;
  // The rank of a match in Top, from 1. Scores every match that may be better.
  virtual Result<uint64_t> Rank(const RetrieverHit& hit) const = 0;

  // All chunks that match.
  virtual Result<Bitmap> Matches() const = 0;
  // The operators as sets, for the filter of another retriever: the chunks that contain every +must
  // and no -not clause (none when the query has no +must), and the chunks that contain a -not
  // clause.
  virtual Result<std::optional<Bitmap>> Required() const = 0;
  virtual Result<Bitmap> Excluded() const = 0;
};

}  // namespace recall
