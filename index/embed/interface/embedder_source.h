#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "index/embed/interface/embedder.h"
#include "index/embed/interface/term_vectors.h"
#include "storage/base/result.h"

namespace recall {

// Where the threads of a program get their instances of one embedder. Thread-safe.
class EmbedderSource {
 public:
  virtual ~EmbedderSource() = default;
  // As a store records it.
  virtual const Embedder::Identity& identity() const = 0;
  // The source must outlive it.
  virtual Result<std::unique_ptr<Embedder>> New() const = 0;
  // Null for an embedder that knows no terms. The source must outlive it.
  virtual std::unique_ptr<TermVectors> NewTermVectors() const { return nullptr; }
};

// The embedders that are not this program's own, by name. Thread-safe.
class EmbedderProvider {
 public:
  virtual ~EmbedderProvider() = default;
  // `dim`: components of the vectors, where the caller knows; 0: whatever the embedder has.
  // Errors: NotFound for a name that is not configured; those of opening the embedder.
  virtual Result<std::shared_ptr<const EmbedderSource>> Find(std::string_view name,
                                                             uint32_t dim) const = 0;
};

}  // namespace recall
