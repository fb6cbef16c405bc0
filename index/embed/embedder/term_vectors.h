#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/result.h"

namespace recall {

// Vectors of single terms, for embedders that compute the vector of a text from those of its terms.
// Thread-compatible: one instance per thread.
class TermVectors {
 public:
  virtual ~TermVectors() = default;
  virtual uint32_t dim() const = 0;
  // Replaces *terms by the terms of a text that have vectors, in the order of the text, with
  // repetitions. `stems` are the stems of the text without function words, for implementations
  // whose terms are stems.
  virtual Status Find(std::string_view text, std::span<const std::string> stems,
                      std::vector<uint32_t>* terms) = 0;
  // Writes dim() floats for each term: a vector of unit length, the same bits on every CPU, or
  // zeros for a term without information. Requires: Find returned the terms.
  virtual Status Read(std::span<const uint32_t> terms, std::span<float> out) = 0;
  // The weight of a term, 0 or more; only ratios are meaningful. Requires: Find returned the term.
  virtual Result<double> Weight(uint32_t term) = 0;
  // The spelling of the term in the texts passed to Find; "" if it is not known.
  virtual std::string_view Name(uint32_t term) const = 0;
};

}  // namespace recall
