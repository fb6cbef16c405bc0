#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "storage/base/result.h"

namespace recall {

// An embedder for which a text is nothing but which terms it has, and how often: where an index
// knows that, the text need not be looked at.
class TermEmbedder {
 public:
  struct TermCount {
    uint32_t term;
    uint32_t count;  // at least 1
  };

  virtual ~TermEmbedder() = default;
  // The number, below 2^20, of a stem (LexicalText::body) that says something.
  virtual std::optional<uint32_t> FindStem(std::string_view stem) const = 0;
  // Writes the vector of the text that has these terms, ascending, each once: the bits that Embed
  // makes of it. Requires: out.size() == dim.
  virtual void EmbedTerms(std::span<const TermCount> terms, std::span<float> out) = 0;
};

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

  // This embedder as one of terms, if it is.
  virtual TermEmbedder* terms() { return nullptr; }
};

// Latent semantic vectors (index/embed/lsa), of a model trained on the texts of the store.
inline constexpr std::string_view kLsaEmbedder = "lsa";
inline constexpr std::string_view kHashEmbedder = "hash";
// Vectors come with the documents, and with each question: texts say nothing.
inline constexpr std::string_view kUserSuppliedEmbedder = "given";

}  // namespace recall
