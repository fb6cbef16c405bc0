#pragma once

#include <cstdint>
#include <memory>
#include <span>
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

// How one clause was weighed, for explain.
struct LexicalTerm {
  std::string text;
  uint64_t matches = 0;  // live chunks that hold it
  double idf = 0;
  LexicalClause::Occur occur = LexicalClause::Occur::kShould;
};

// Every chunk that matches a query, scored with BM25 (Robertson and Zaragoza 2009; k1 1.5, b .75,
// idf = ln(1 + (N-df+.5)/(df+.5)) over live chunks). Holds its own memory.
class LexicalScores final {
 public:
  // The `k` best by score descending, then chunk row ascending.
  std::vector<LexicalHit> Top(size_t k) const;
  // 0 when the chunk does not match.
  double Score(uint32_t chunk) const;
  // True when +must and -not of the query let the chunk into an answer, whichever leg found it.
  // (Without such clauses: always.)
  bool Admits(uint32_t chunk) const;
  uint64_t matches() const { return hits_.size(); }
  // What a text would score that held every wanted term without end: scores stay below it.
  double ceiling() const { return ceiling_; }
  const std::vector<LexicalTerm>& terms() const { return terms_; }

 private:
  friend class LexicalScorer;
  std::vector<LexicalHit> hits_;  // by chunk row
  std::vector<LexicalTerm> terms_;
  double ceiling_ = 0;
};

// Runs a query inside one transaction. The filter applies to what is returned; N, df and lengths
// are those of all live chunks.
Result<LexicalScores> SearchLexical(const ReadTransaction& transaction, const ChunkColumns& columns,
                                    const LexicalQuery& query, const ChunkFilter& filter);

}  // namespace recall
