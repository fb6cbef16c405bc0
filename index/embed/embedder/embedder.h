#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "storage/base/result.h"

namespace recall {

// An embedder whose vector of a text depends only on the terms of the text and their counts. If an
// index knows these, the text need not be read.
class TermEmbedder {
 public:
  struct TermCount {
    uint32_t term;
    uint32_t count;  // at least 1
  };

  virtual ~TermEmbedder() = default;
  // The number, below 2^20, of the term of a stem (LexicalText::body); none for a stem without a
  // vector, and kSeveralTerms for one that has several. Different stems may have the same term.
  static constexpr uint32_t kSeveralTerms = ~uint32_t{0};
  virtual std::optional<uint32_t> FindStem(std::string_view stem) const = 0;
  // Writes the vector of a text with these terms, which ascend and are unique: the same bits as
  // Embed computes for the text. Requires: out.size() == dim.
  virtual void EmbedTerms(std::span<const TermCount> terms, std::span<float> out) = 0;
};

// How much of a text an embedder knows: the weights of the words that its vector is made of, and of
// all words.
struct KnownShare {
  double known = 0;
  double all = 0;
};

// Turns text into vectors. A store records the identity of its embedder; vectors of different
// identities are never compared. Thread-compatible: one instance per thread.
class Embedder {
 public:
  struct Identity {
    std::string name;     // "hash"
    std::string version;  // must change whenever the vector of any text changes
    uint32_t dim;
  };

  virtual ~Embedder() = default;
  virtual const Identity& identity() const = 0;
  // Writes one vector of identity().dim floats per text: of unit length, or all zero if the text
  // has no usable token. Requires: out.size() == texts.size() * dim. It takes batches because
  // models and remote services are faster with them.
  virtual Status Embed(std::span<const std::string_view> texts, std::span<float> out) = 0;

  // The vector of a question. Words that the embedder's model lacks may get a direction by what
  // they mean; those of texts have none. Requires: out.size() == dim.
  virtual Status EmbedQuestion(std::string_view text, std::span<float> out) {
    return Embed({&text, 1}, out);
  }

  // How much of a text its vector is made of. Embedders without a vocabulary know every text whole.
  virtual Result<KnownShare> ShareOf(std::string_view text) {
    return KnownShare{text.empty() ? 0.0 : 1.0, text.empty() ? 0.0 : 1.0};
  }

  // An embedder of stems need not analyse a text again that was analysed for the lexical index: it
  // takes LexicalText::body, heading included. Requires: TakesStems().
  virtual bool TakesStems() const { return false; }
  virtual Status EmbedStems(std::span<const std::string_view> bodies, std::span<float> out);

  // From now on transient failures are not retried, because a user waits for the answer.
  virtual void DoNotRetry() {}

  // This embedder as a TermEmbedder; null if it is none.
  virtual TermEmbedder* terms() { return nullptr; }
};

}  // namespace recall
