#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/result.h"

namespace recall {

// What an embedder may have beside vectors of texts: vectors of the terms that texts are made of.
// Thread-compatible: one instance per thread.
class TermVectors {
 public:
  virtual ~TermVectors() = default;
  virtual uint32_t dim() const = 0;
  // Replaces *terms by those of a text that have vectors, in its order, repeated as they are.
  // `stems` are the text's own without function words, for whoever has vectors of stems.
  virtual Status Find(std::string_view text, std::span<const std::string> stems,
                      std::vector<uint32_t>* terms) = 0;
  // Writes dim() floats for each term: a vector of unit length, the same bits on every CPU, or
  // zeros for a term that says nothing. Requires: the terms were found.
  virtual Status Read(std::span<const uint32_t> terms, std::span<float> out) = 0;
  // How much a term tells, 0 or more: only ratios mean something. Requires: it was found.
  virtual Result<double> Weight(uint32_t term) = 0;
  // As texts that were looked through have it; "" when that is not known.
  virtual std::string_view Name(uint32_t term) const = 0;
};

}  // namespace recall
