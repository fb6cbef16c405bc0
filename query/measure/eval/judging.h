#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>

#include "query/measure/eval/eval_types.h"

namespace recall {

// The relevant documents of one query with their gains, all above 0.
using Relevance = std::unordered_map<uint32_t, double>;

// Returns: the quality of a ranking (documents, best first, each once) for a query.
//
//   nDCG@10     sum over the first 10 of gain / log2(rank + 1), divided by the same sum for the
//               ideal order of the judged documents
//   recall@100  share of the relevant documents that are among the first 100
//   MRR@10      1 / rank of the first relevant document, 0 if it is not among the first 10
//
// Ranks count from 1. Requires: `relevant` is not empty.
RankQuality JudgeRanking(std::span<const uint32_t> ranking, const Relevance& relevant);

}  // namespace recall
