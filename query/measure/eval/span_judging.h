#pragma once

#include <cstdint>
#include <vector>

#include "query/measure/eval/document_tokens.h"
#include "query/measure/eval/eval_types.h"

namespace recall {

// A set of tokens of several documents.
class TokenSet final {
 public:
  // Tokens that are there already do not count twice.
  void Add(uint32_t document, DocumentTokens::Range tokens);

  size_t size() const { return Sorted().size(); }

 private:
  friend SpanQuality JudgePacked(const TokenSet& packed, const TokenSet& spans);
  const std::vector<uint64_t>& Sorted() const;

  mutable std::vector<uint64_t> tokens_;  // document << 40 | index
  mutable bool sorted_ = true;
};

// Requires: `spans` is not empty. Nothing packed has precision 0.
SpanQuality JudgePacked(const TokenSet& packed, const TokenSet& spans);

}  // namespace recall
