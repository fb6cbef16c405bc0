#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "index/base/math/sparse_matrix.h"
#include "index/base/text/tokenizer.h"
#include "index/embed/lsa/lsa_model.h"
#include "storage/base/result.h"

namespace recall {

// The caller passes a sample of at most this many chunks. The model gives the other chunks of the
// store their vectors by folding in. docs/PERFORMANCE.md has the cost.
inline constexpr uint32_t kTrainingChunks = 20'000;

struct LsaTraining {
  uint32_t rank = 256;       // for 1,000 chunks and more
  uint32_t small_rank = 64;  // for fewer
  // The number of terms is limited to terms_per_chunk * chunks, so that the model of a large store
  // is small compared with its text, but the limit is at least least_terms and at most most_terms.
  // The most frequent terms are selected.
  uint32_t most_terms = 60'000;
  uint32_t least_terms = 10'000;
  uint32_t terms_per_chunk = 2;
  uint32_t min_df = 2;      // chunks a term must occur in; below 1,000 one if the lexicon knows it
  bool lexicon = true;      // terms that share concepts of the lexicon get similar vectors
  uint32_t iterations = 2;  // of subspace iteration; more did not improve the ranking
  uint64_t seed = 1;
};

// Trains an LSA model on texts. The model depends only on the texts and their order, not on
// threads, CPU or time. Memory: 6 bytes per distinct stem of each chunk and up to 76 per distinct
// stem of all chunks, 150 MB at most, and while training the memory that ComputeTruncatedSvd
// documents. Not thread-safe.
class LsaTrainer final {
 public:
  explicit LsaTrainer(const LsaTraining& training = {});

  // Adds a chunk: its heading path and text, as they are passed to the lexical index.
  void Add(std::string_view heading, std::string_view text);
  // Adds a chunk that was already analysed: LexicalText::body.
  void AddStems(std::string_view body);
  uint32_t chunks() const { return static_cast<uint32_t>(starts_.size() - 1); }
  // The distinct stems of an added chunk. Requires: chunk < chunks().
  struct StemCount {
    uint64_t hash;  // HashStem
    uint32_t count;
  };
  std::vector<StemCount> StemsOf(uint32_t chunk) const;
  // Whether a memory limit is reached. Further chunks are then ignored.
  bool full() const;

  // The sections of a model of the chunks added so far (EncodeModel makes a file of them). Without
  // chunks, or without terms or concepts that two chunks share, all vectors of the model are zero.
  // Errors: Cancelled.
  Result<std::vector<ModelSection>> Train(uint32_t threads, const std::atomic<bool>* cancel) const;

 private:
  struct Stem {
    uint64_t hash;
    uint32_t number;
    uint32_t last;  // 1 + the index in numbers_ where it occurred last; 0: a free slot
  };
  struct Vocabulary;
  struct Features;

  Stem& FindOrAdd(std::string_view stem, uint64_t hash);
  void GrowTable();
  Vocabulary ChooseTerms() const;
  Features FeaturesOf(const Vocabulary& vocabulary) const;
  SparseMatrix WeighChunks(const Vocabulary& vocabulary, const Features& features) const;

  LsaTraining training_;
  Tokenizer tokenizer_{kStemVersion};
  std::string replaced_;    // ReplaceForms's buffer
  bool has_forms_ = false;  // a text had a word that ReplaceForms replaced
  LexicalText lexical_;
  std::vector<Stem> table_;  // open addressing; a power of two
  size_t slots_used_ = 0;
  std::vector<uint64_t> hashes_;  // of stem number i
  std::vector<uint32_t> df_;      // of stem number i
  std::vector<uint32_t> known_;   // of stem number i: its number in the lexicon, or kNoNumber
  std::vector<uint64_t> starts_ = {0};
  std::vector<uint32_t> numbers_;  // the distinct stems of each chunk, in order of occurrence
  std::vector<uint16_t> counts_;   // their counts; saturating
};

}  // namespace recall
