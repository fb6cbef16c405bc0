#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "index/embed/lsa/lsa_model.h"
#include "index/text/tokenizer.h"
#include "storage/base/result.h"

namespace recall {

// The caller takes a sample of at most this many chunks; the rest of a store is folded in by the
// model. What it costs is in docs/PERFORMANCE.md.
inline constexpr uint32_t kTrainingChunks = 20'000;

struct LsaTraining {
  uint32_t rank = 256;       // for 1,000 chunks and more
  uint32_t small_rank = 64;  // for fewer
  // The most frequent terms: at most two for each chunk, so that the model of a large store is
  // small beside its text, but as many as a small store needs.
  uint32_t most_terms = 60'000;
  uint32_t least_terms = 10'000;
  uint32_t terms_per_chunk = 2;
  uint32_t min_df = 2;      // chunks a term must occur in
  uint32_t iterations = 2;  // of the power method; more were not measured to rank better
  uint64_t seed = 1;
};

// Learns a latent model from texts. The model depends on the texts and their order alone: not on
// threads, CPU or time. Memory: 6 bytes for each different stem of each chunk and up to 76
// for each different stem, 150 MB at most, and while training what ComputeTruncatedSvd says.
// Not thread-safe.
class LsaTrainer final {
 public:
  explicit LsaTrainer(const LsaTraining& training = {});

  // Adds a chunk: its heading path and text, as they go to the lexical index.
  void Add(std::string_view heading, std::string_view text);
  // The same for a text that was already analysed: LexicalText::body.
  void AddStems(std::string_view body);
  uint32_t chunks() const { return static_cast<uint32_t>(starts_.size() - 1); }
  // The different stems of a chunk that was added. Requires: chunk < chunks().
  struct StemCount {
    uint64_t hash;  // HashStem
    uint32_t count;
  };
  std::vector<StemCount> StemsOf(uint32_t chunk) const;
  // No more memory: further chunks are ignored.
  bool full() const;

  // The sections of a model of the chunks added so far (EncodeModel makes it a file); without
  // chunks, or without terms that two of them share, a model whose vectors are all zero.
  // Errors: Cancelled.
  Result<std::vector<ModelSection>> Train(uint32_t threads, const std::atomic<bool>* cancel) const;

 private:
  struct Stem {
    uint64_t hash;
    uint32_t number;
    uint32_t used;  // 0: a free slot
  };
  struct Vocabulary;

  uint32_t NumberOf(std::string_view stem);
  void GrowTable();
  Vocabulary ChooseTerms() const;

  LsaTraining training_;
  Tokenizer tokenizer_;
  LexicalText lexical_;
  std::vector<Stem> table_;  // open addressing; a power of two
  size_t slots_used_ = 0;
  std::vector<uint64_t> hashes_;  // of stem number i
  std::vector<uint32_t> df_;      // of stem number i
  std::vector<uint64_t> starts_ = {0};
  std::vector<uint32_t> numbers_;  // the different stems of each chunk
  std::vector<uint16_t> counts_;   // how often; saturates
  std::vector<uint32_t> scratch_;
};

}  // namespace recall
