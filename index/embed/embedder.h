#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "storage/base/result.h"

namespace recall {

// Turns text into vectors. What a store records of its embedder is its identity: vectors of
// different identities are never compared.
// Thread-compatible: one instance per thread.
class Embedder {
 public:
  struct Identity {
    std::string name;     // "hash"
    std::string version;  // changes whenever a vector would
    uint32_t dim;
  };

  virtual ~Embedder() = default;
  virtual const Identity& identity() const = 0;
  // Writes one vector of identity().dim floats per text, each of unit length, or all zero when
  // the text says nothing. Requires: out.size() == texts.size() * dim.
  // Takes batches because models and remote services want them.
  virtual Status Embed(std::span<const std::string_view> texts, std::span<float> out) = 0;
};

// `name` as configured ("hash"); InvalidArgument with the known names otherwise.
Result<std::unique_ptr<Embedder>> MakeEmbedder(std::string_view name, uint32_t dim);

}  // namespace recall
