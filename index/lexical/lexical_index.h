#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "index/filter/bitmap.h"
#include "index/lexical/lexical_query.h"
#include "index/vector/chunk_columns.h"
#include "storage/store.h"

namespace recall {

struct LexicalHit {
  uint32_t chunk;
  double score;  // BM25, > 0
};

// The order of LexicalScores::Top.
bool IsBetter(const LexicalHit& a, const LexicalHit& b);

// BM25's idf of what `matches` of `chunks` chunks hold: ln(1 + (N-df+.5)/(df+.5)).
double InverseDocumentFrequency(uint64_t chunks, uint64_t matches);

// How one clause was weighed, for explain.
struct LexicalTerm {
  std::string text;
  uint64_t matches = 0;  // live chunks that hold it
  double idf = 0;        // 0 for an excluded clause: it scores nothing
  LexicalClause::Occur occur = LexicalClause::Occur::kShould;
};

// Every chunk that matches a query, scored with BM25 (Robertson and Zaragoza, "The Probabilistic
// Relevance Framework", 2009; k1 1.5, b .75, idf = ln(1 + (N-df+.5)/(df+.5)) over live chunks).
// A chunk matches when it holds every +must and no -not clause, and at least one of the others if
// there is no +must. Holds its own memory; const members are thread-safe.
class LexicalScores final {
 public:
  // The `k` best by score descending, then chunk row ascending.
  std::vector<LexicalHit> Top(size_t k) const;
  // 0 when the chunk does not match.
  double Score(uint32_t chunk) const;
  // The place in Top of a chunk that matches, from 1. Looks at every match.
  uint64_t Rank(const LexicalHit& hit) const;
  // What the query's operators demand of chunks that another leg proposes, as sets for its filter:
  // the chunks that hold every +must and no -not (nothing when there is no +must), and the chunks
  // that hold a -not.
  std::optional<Bitmap> Required() const;
  Bitmap Excluded() const;
  uint64_t matches() const { return hits_.size(); }
  // The chunks that match, as a set.
  Bitmap Matches() const;
  // What a text would score that held every wanted clause without end: scores stay below it.
  double ceiling() const { return ceiling_; }
  // One per clause of the query, in its order.
  const std::vector<LexicalTerm>& terms() const { return terms_; }

 private:
  friend class LexicalScorer;
  std::vector<LexicalHit> hits_;    // by chunk row
  std::vector<uint32_t> excluded_;  // rows with a -not clause, ascending
  std::vector<LexicalTerm> terms_;
  bool has_must_ = false;
  double ceiling_ = 0;
};

// Runs a query inside one transaction. The filter applies to what is returned; N, df and lengths
// are those of all live chunks (`filter.removed` says which are not). The same bits on every CPU:
// only + - * / decide, clause after clause in the query's order.
// Cost: about 0.1 microseconds a match.
Result<LexicalScores> SearchLexical(const ReadTransaction& transaction, const ChunkColumns& columns,
                                    const LexicalQuery& query, const ChunkFilter& filter);

}  // namespace recall
