#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "index/base/text/token_memo.h"
#include "index/base/text/tokenizer.h"
#include "index/embed/embedder/embedder.h"
#include "index/embed/lsa/lsa_model.h"
#include "index/embed/lsa/term_bag.h"
#include "index/embed/lsa/unknown_words.h"

namespace recall {

// Embeds texts and queries with an LSA model: unit( sum over the text's terms of (1 + ln tf) *
// factor * row ). The terms are added in ascending order, in float, so the bits are the same on
// every CPU. One instance per thread. The model and the bytes behind it must outlive it.
class LsaEmbedder final : public Embedder, private TermEmbedder {
 public:
  explicit LsaEmbedder(const LsaModel& model);

  // {"lsa", "1-" and the model's fingerprint in hexadecimal, dim}.
  const Identity& identity() const override { return identity_; }
  Status Embed(std::span<const std::string_view> texts, std::span<float> out) override;
  // Words weigh their idf; one that the model lacks is as rare as one of a single text. Function
  // words do not count.
  Result<KnownShare> ShareOf(std::string_view text) override;
  bool TakesStems() const override { return true; }
  Status EmbedStems(std::span<const std::string_view> bodies, std::span<float> out) override;
  TermEmbedder* terms() override { return this; }

  // The vector of a text, with terms that stand for words that the model lacks.
  void EmbedWith(std::string_view text, std::span<const StandIn> more, std::span<float> out);
  // LexicalText::body of a text. Valid until the next call.
  std::string_view StemsOf(std::string_view text);

  // The hashes of all terms of a text, whether the model knows them or not.
  std::vector<uint64_t> HashTerms(std::string_view text);
  // The same of a text that was analysed: its LexicalText::body.
  std::vector<uint64_t> HashStems(std::string_view body);

 private:
  std::optional<uint32_t> FindStem(std::string_view stem) const override;
  std::optional<uint32_t> FindTerm(std::string_view term) const;
  void EmbedTerms(std::span<const TermCount> terms, std::span<float> vector) override;
  // The terms of a text as the model has them, separated by spaces. Valid until the next call.
  std::string_view TermsOf(std::string_view body);
  void EmbedOne(std::string_view body, std::span<const StandIn> more, std::span<float> vector);
  void AddTerms(std::span<const TermCount> terms, std::span<float> vector);

  const LsaModel& model_;
  Identity identity_;
  Tokenizer tokenizer_{kStemVersion};
  LexicalText lexical_;
  std::string replaced_;  // ReplaceForms's buffer
  static constexpr uint32_t kNoTerm = ~uint32_t{0};
  TokenMemo<uint32_t> memo_;  // the term of a stem, or kNoTerm
  TermBag bag_;
  std::vector<TermCount> counts_;  // each term of a text once, with its count
};

}  // namespace recall
