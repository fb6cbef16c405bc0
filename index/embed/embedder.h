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

  // Embedders of stems need no second look at a text that was analysed for the lexical index: they
  // take what that found, LexicalText::body, heading included. Requires: TakesStems().
  virtual bool TakesStems() const { return false; }
  virtual Status EmbedStems(std::span<const std::string_view> bodies, std::span<float> out);
};

// Latent semantic vectors (index/latent): the store learns them from its own texts.
inline constexpr std::string_view kLearntEmbedder = "lsa";
inline constexpr std::string_view kHashEmbedder = "hash";
// Vectors come with the documents, and with each question: texts say nothing.
inline constexpr std::string_view kGivenEmbedder = "given";

// Whether a store may have the embedder of this name, with vectors of so many dimensions (learnt
// ones: at most). InvalidArgument, with the known names, otherwise.
Status CheckEmbedder(std::string_view name, uint32_t dim);

// The embedders of this program that need nothing but their name and dimension: "hash", "given".
// InvalidArgument for others.
Result<std::unique_ptr<Embedder>> MakeEmbedder(std::string_view name, uint32_t dim);

}  // namespace recall
