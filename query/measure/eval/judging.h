#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>

#include "query/measure/eval/eval_types.h"

namespace recall {

// What is relevant to one query: document -> gain, all of them above 0.
using Relevance = std::unordered_map<uint32_t, double>;

// How well a ranking (documents, best first, each once) answers a query.
//
//   nDCG@10     sum over the first 10 of gain / log2(place + 1), divided by the same sum over the
//               best order that the judgements allow
//   recall@100  share of the relevant documents that are among the first 100
//   MRR@10      1 / place of the first relevant document, 0 when it is not among the first 10
//
// Places count from 1. Requires: `relevant` is not empty.
RankQuality JudgeRanking(std::span<const uint32_t> ranking, const Relevance& relevant);

}  // namespace recall
