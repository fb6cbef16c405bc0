#pragma once

#include <span>

namespace recall {

// Returns: the semantic confidence of one query, from 0.05 to 1: the factor by which the weight of
// the semantic retriever is multiplied. It compares the mean cosine of the ten best lexical hits
// with that of the other hits. If the vectors are useful, the first mean is larger by 3 to 18
// standard errors; if they are random, by at most 2 (docs/RETRIEVAL.md, "Second stage: reranking").
//
// `cosines` are those of the best lexical hits, best hit first. Fewer than 20 are too few to
// compare, and the confidence is 1.
double SemanticConfidence(std::span<const double> cosines);

}  // namespace recall
