#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "index/embed/embedder/embedder.h"
#include "index/embed/embedder/term_vectors.h"
#include "storage/base/result.h"

namespace recall {

// Makes one instance of an embedder for each thread. Thread-safe.
class EmbedderSource {
 public:
  virtual ~EmbedderSource() = default;
  // The identity that a store records.
  virtual const Embedder::Identity& identity() const = 0;
  // Makes an instance. The source must outlive it.
  virtual Result<std::unique_ptr<Embedder>> New() const = 0;
  // Makes term vectors; null for an embedder that has none. The source must outlive the result.
  virtual std::unique_ptr<TermVectors> NewTermVectors() const { return nullptr; }
};

// Finds embedders that are not built in, by name. Thread-safe.
class EmbedderProvider {
 public:
  virtual ~EmbedderProvider() = default;
  // `dim`: the number of components in a store that has vectors of the embedder; 0 for one that has
  // none yet, for which the embedder is tried. Errors: NotFound for a name that is not configured;
  // those of opening the embedder.
  virtual Result<std::shared_ptr<const EmbedderSource>> Find(std::string_view name,
                                                             uint32_t dim) const = 0;
};

}  // namespace recall
