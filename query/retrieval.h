#pragma once

#include <optional>
#include <vector>

#include "index/embed/embedder.h"
#include "index/text/tokenizer.h"
#include "index/vector/vector_space.h"
#include "query/database.h"
#include "query/rank/fusion.h"
#include "storage/store.h"

namespace recall {

// What asking needs besides a transaction; made once per Database, reused by every question.
struct QueryTools {
  const VectorSpace* space;
  Embedder* embedder;
  Tokenizer* tokenizer;
};

// The ranked chunks of one question, before any row is read.
struct Retrieval {
  Fusion fusion;
  int64_t total_hits = 0;
  bool total_is_lower_bound = false;
  std::optional<SearchExplain> explain;
  std::vector<StageTiming> timings;
  std::vector<std::string> warnings;
};

// Runs the legs the mode asks for inside `transaction`, pools the best `depth` of each, scores
// both legs exactly on the pool, and fuses.
Result<Retrieval> Retrieve(const ReadTransaction& transaction, const QueryTools& tools,
                           const SearchRequest& request, size_t depth);

// Measures stages one after another.
class StageClock final {
 public:
  StageClock();
  // Ends the stage that began at construction or at the last call.
  void Finish(std::string name, std::vector<StageTiming>& timings);

 private:
  int64_t started_;
};

}  // namespace recall
