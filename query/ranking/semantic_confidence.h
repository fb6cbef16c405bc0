#pragma once

#include <span>

namespace recall {

// How far the semantic retriever may be believed for one question, from 0.05 to 1: whether the
// chunks that the words rank highest are also nearer in meaning than others that match some word.
// For vectors that know nothing the difference of means is noise; then the retriever only orders
// what nothing else does. Vectors that are of use are far above: 3 to 18 standard errors on five
// collections, noise within 2 (docs/RETRIEVAL.md, "Trust").
//
// `cosines` are those of the lexical retriever's best, best first. With fewer than 20 there is
// nothing to compare and the retriever is believed.
double SemanticConfidence(std::span<const double> cosines);

}  // namespace recall
