#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/subword/added_tokens.h"
#include "index/subword/piece_splitter.h"
#include "index/subword/subword_model.h"
#include "index/subword/text_normalizer.h"
#include "storage/base/result.h"

namespace recall {

// A tokenizer described by a tokenizer.json of Hugging Face: added tokens, normalizer,
// pre-tokenizer and model (WordPiece, WordLevel, BPE, Unigram). The post-processor, truncation and
// padding, which serve neural networks, are ignored. Immutable: safe to use from several threads.
class SubwordTokenizer final {
 public:
  // Errors: Corruption for an invalid or inconsistent file; Unsupported for parts of an unknown
  // kind, which the message names.
  static Result<SubwordTokenizer> Parse(std::string_view json);
  // Reads a rank file, with the pattern that its size determines (index/subword/rank_file.h).
  // Errors: Corruption, with the line.
  static Result<SubwordTokenizer> ParseRanks(std::string_view file);

  // The number of tokens of the model, without added tokens.
  size_t vocabulary_size() const { return model_->vocabulary().size(); }
  // The largest token number plus 1.
  uint32_t id_limit() const { return id_limit_; }
  // The token for text that no other token matches; nullopt if the model has none.
  std::optional<uint32_t> unknown_id() const { return model_->unknown_id(); }

 private:
  friend class SubwordEncoder;
  SubwordTokenizer() = default;

  std::unique_ptr<TextNormalizer> normalizer_;  // may be null
  std::unique_ptr<PieceSplitter> splitter_;     // may be null
  std::unique_ptr<SubwordModel> model_;
  AddedTokens added_;
  uint32_t id_limit_ = 0;
};

// Encodes texts as tokens. It caches the tokens of short pieces, because texts repeat their words.
// One instance per thread. The tokenizer must outlive it.
class SubwordEncoder final {
 public:
  explicit SubwordEncoder(const SubwordTokenizer& tokenizer);

  // Replaces *ids by the tokens of `text`, each below id_limit(). Invalid UTF-8 is treated as
  // U+FFFD.
  void Encode(std::string_view text, std::vector<uint32_t>* ids);

 private:
  static constexpr size_t kMostKeyBytes = 32;
  static constexpr size_t kKeyWords = kMostKeyBytes / sizeof(uint64_t);
  static constexpr size_t kMostIds = 6;
  // One cached piece; its bytes are padded with zeros, so that a hit is exact. A slot is exactly
  // one cache line of the processor.
  struct Slot {
    uint64_t key[kKeyWords];
    uint32_t ids[kMostIds];
    uint32_t size;  // of the piece; 0 marks a free slot
    uint32_t count;
  };
  static_assert(sizeof(Slot) == 64);
  // The bytes of a piece, and its slot in the cache; null if the piece is empty or too long.
  struct Key {
    uint64_t words[kKeyWords];
    Slot* slot;
  };
  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };

  // Makes the key of a piece, and prefetches its slot.
  Key KeyOf(std::string_view piece) const;
  void EncodeRaw(std::string_view text, bool at_start, std::vector<uint32_t>* ids);
  void EncodeNormal(std::string_view text, bool at_start, std::vector<uint32_t>* ids);
  void AppendPiece(std::string_view piece, const Key& key, std::vector<uint32_t>* ids);
  void AppendLongPiece(std::string_view piece, std::vector<uint32_t>* ids);

  const SubwordTokenizer& tokenizer_;
  std::string repaired_;
  std::string normal_;
  std::vector<AddedTokens::Part> raw_parts_;
  std::vector<AddedTokens::Part> normal_parts_;
  PieceList pieces_;
  // A direct-mapped cache, allocated by calloc, so that a query of three words touches only the
  // pages that it uses.
  std::unique_ptr<void, Free> memory_;
  Slot* slots_;
};

}  // namespace recall
