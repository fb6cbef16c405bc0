#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "index/search/bitmap/bitmap.h"
#include "index/search/lexical_query/lexical_query.h"
#include "index/search/snapshot/retriever_hit.h"
#include "storage/base/result.h"

namespace recall {

// A word of the store that means nearly the same as a word of the query, and counts in its place.
struct RelatedTerm {
  std::string word;
  double similarity = 0;
  uint64_t matches = 0;  // live chunks that contain it
};

// The weight of one clause, for explain.
struct LexicalTerm {
  std::string text;
  uint64_t matches = 0;  // live chunks that contain it
  double idf = 0;        // 0 for an excluded clause, which does not score
  LexicalClause::Occur occur = LexicalClause::Occur::kShould;
  std::vector<RelatedTerm> related = {};  // the nearest first
  bool in_names = false;  // the path of a live chunk has the word; not set beside +must

  bool IsKnown() const { return matches > 0 || in_names; }
};

// The chunks that match one lexical query, and their BM25 scores. A chunk matches if it contains
// every +must clause, no -not clause and, if there is no +must clause, at least one of the others;
// or if it is the first chunk of a document that is found by its name (docs/RETRIEVAL.md,
// "Queries"). The matches and the statistics are computed when the object is made, scores on
// request. Two calls with the same arguments return the same bits. Const members are thread-safe
// unless the implementation documents otherwise.
//
// A call may be a round trip to a server, so callers pass many chunks at a time. Errors of all
// calls: Corruption, and those of the connection to the store.
class LexicalCandidates {
 public:
  virtual ~LexicalCandidates() = default;

  // The number of matches.
  virtual uint64_t count() const = 0;
  // An upper bound of all scores without what words of paths add: the limit for a text that
  // contains every wanted clause infinitely often.
  virtual double score_upper_bound() const = 0;
  // One element for each clause of the query, in its order.
  virtual const std::vector<LexicalTerm>& terms() const = 0;

  // The best `count` matches, in the order of IsBetter. The result is exact.
  virtual Result<std::vector<RetrieverHit>> Top(size_t count) const = 0;
  // The matches with at least this score, by chunk rowid.
  virtual Result<std::vector<RetrieverHit>> AtLeast(double score) const = 0;
  // The scores of these chunks, in the same order; 0 for a chunk that does not match.
  virtual Result<std::vector<double>> Score(std::span<const uint32_t> chunks) const = 0;
  // What words of the documents' paths add to these scores, in the same order; 0 for a chunk that
  // does not match.
  virtual Result<std::vector<double>> PathScores(std::span<const uint32_t> chunks) const = 0;
  // The parts of a chunk's score that words in each field and in other text add, by
  // kTextFieldNames; what words of the path add is in none of them. 0 if the chunk does not match.
  virtual Result<std::array<double, kTextFields>> ScoreByField(uint32_t chunk) const = 0;
  // The number of these chunks that match.
  virtual Result<uint64_t> CountAmong(std::span<const uint32_t> chunks) const = 0;
  // The rank of a match in Top, from 1. Scores every match that may be better.
  virtual Result<uint64_t> Rank(const RetrieverHit& hit) const = 0;

  // All chunks that match.
  virtual Result<Bitmap> Matches() const = 0;
  // The conditions that the query's operators impose on candidates of another retriever, as sets
  // for its filter: the chunks that contain every +must and no -not clause (nullopt if there is no
  // +must clause), and the chunks that contain a -not clause.
  virtual Result<std::optional<Bitmap>> Required() const = 0;
  virtual Result<Bitmap> Excluded() const = 0;
};

}  // namespace recall
