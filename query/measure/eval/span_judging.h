#pragma once

#include <cstdint>
#include <vector>

#include "query/measure/eval/document_tokens.h"
#include "query/measure/eval/eval_types.h"

namespace recall {

// A set of tokens of several documents.
class TokenSet final {
 public:
  // Adds tokens; a token that is already in the set does not count twice.
  void Add(uint32_t document, DocumentTokens::Range tokens);

  size_t size() const { return Sorted().size(); }

 private:
  friend SpanQuality JudgePacked(const TokenSet& packed, const TokenSet& spans);
  const std::vector<uint64_t>& Sorted() const;

  mutable std::vector<uint64_t> tokens_;  // document << 40 | index
  mutable bool sorted_ = true;
};

// Returns: the overlap of packed tokens and those of the answer spans. If `packed` is empty, all
// measures are 0. Requires: `spans` is not empty.
SpanQuality JudgePacked(const TokenSet& packed, const TokenSet& spans);

}  // namespace recall
