#include "index/embed/lsa/lsa_trainer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "index/base/math/natural_log.h"
#include "index/base/math/truncated_svd.h"
#include "index/base/text/stop_words.h"
#include "index/embed/lsa/stem_hash.h"
#include "index/embed/lsa/term_frequency.h"

namespace recall {
namespace {

// The problem: semantic search needs vectors in which texts about the same subject are close,
// without a downloaded model and within a few seconds of CPU time.
//
// The idea is latent semantic analysis (Deerwester et al., 1990): terms that occur in the same
// chunks get similar vectors.
//
//   chunks --AddStems--> counts of stems     (hash table stem -> number; one list per chunk)
//          --ChooseTerms--> vocabulary       (no stop words; df >= 2; the most frequent terms)
//          --Train--> sparse matrix A        A[chunk][term] = (1 + ln tf) * ln(N / df), unit rows
//          --ComputeTruncatedSvd--> A ~ U * sigma * V'      (index/base/math/truncated_svd.h)
//          --EncodeLsaModel--> rows of V * sigma^0.5 in 4 bits, and the weights of the terms
//
// A text is embedded by folding in: the weighted sum of the rows of its terms, normalised. The
// factor sigma^0.5 lies between the two usual choices, V and V * sigma. The rank is 256, or 64 for
// fewer than 1,000 chunks, and always less than both dimensions of the matrix.
//
// Invariants: the result depends only on the texts and their order. Terms are numbered by
// descending document frequency and then by hash, the entries of a matrix row are sorted by term,
// and the seed of the SVD is fixed.
//
// Cost: counting is linear in the number of stems. Training is dominated by the products of the
// sparse matrix with dense matrices of rank + oversampling columns, two for each iteration. Memory
// is limited by kMaxStems and kMaxEntries.

constexpr size_t kFirstSlots = size_t{1} << 14;
constexpr size_t kMaxStems = 1'500'000;
constexpr size_t kMaxEntries = 6'000'000;
constexpr uint32_t kSmallStore = 1'000;  // chunks; for fewer, a smaller rank ranks better
constexpr uint32_t kNoNumber = std::numeric_limits<uint32_t>::max();
constexpr uint32_t kStopStem = kNoNumber;

}  // namespace

// The stems that become terms. Term 0 is the most frequent one, so that the rows of frequent terms
// are adjacent in the dense matrices of the SVD.
struct LsaTrainer::Vocabulary {
  std::vector<uint32_t> stems;    // of term t
  std::vector<uint32_t> term_of;  // stem number -> term, or kNoNumber
  std::vector<float> idf;         // of term t
};

LsaTrainer::LsaTrainer(const LsaTraining& training) : training_(training), table_(kFirstSlots) {}

bool LsaTrainer::full() const {
  return hashes_.size() >= kMaxStems || numbers_.size() >= kMaxEntries;
}

void LsaTrainer::Add(std::string_view heading, std::string_view text) {
  tokenizer_.Analyze(heading, text, &lexical_);
  AddStems(lexical_.body);
}

void LsaTrainer::AddStems(std::string_view body) {
  if (full()) return;
  // Slots are requested some stems ahead of their use, because the table is larger than the caches.
  struct Pending {
    std::string_view stem;
    uint64_t hash = 0;
  };
  std::array<Pending, 16> pending;
  size_t count = 0;
  const size_t start = numbers_.size();
  const auto add_pending = [&] {
    for (const Pending& each : std::span(pending).first(std::exchange(count, 0))) {
      Stem& stem = FindOrAdd(each.stem, each.hash);
      if (stem.number == kStopStem) continue;
      if (stem.last > start) {
        uint16_t& occurrences = counts_[stem.last - 1];
        if (occurrences < std::numeric_limits<uint16_t>::max()) ++occurrences;
        continue;
      }
      numbers_.push_back(stem.number);
      counts_.push_back(1);
      ++df_[stem.number];
      stem.last = static_cast<uint32_t>(numbers_.size());
    }
  };
  ForEachStem(body, [&](std::string_view stem) {
    const uint64_t hash = HashStem(stem);
    __builtin_prefetch(&table_[hash & (table_.size() - 1)]);
    pending[count].stem = stem;
    pending[count++].hash = hash;
    if (count == pending.size()) add_pending();
  });
  add_pending();
  starts_.push_back(numbers_.size());
}

// The slot of the stem. One that has just been added has no occurrence yet: `last` is 1 for a stop
// word, and to be set for others.
LsaTrainer::Stem& LsaTrainer::FindOrAdd(std::string_view stem, uint64_t hash) {
  if (slots_used_ * 2 >= table_.size()) GrowTable();
  size_t place = hash & (table_.size() - 1);
  while (table_[place].last != 0 && table_[place].hash != hash) {
    place = (place + 1) & (table_.size() - 1);
  }
  Stem& slot = table_[place];
  if (slot.last != 0) return slot;
  ++slots_used_;
  if (IsStopStem(stem)) {
    slot = {hash, kStopStem, 1};
    return slot;
  }
  slot = {hash, static_cast<uint32_t>(hashes_.size()), 0};
  hashes_.push_back(hash);
  df_.push_back(0);
  return slot;
}

void LsaTrainer::GrowTable() {
  std::vector<Stem> larger(table_.size() * 2);
  for (const Stem& stem : table_) {
    if (stem.last == 0) continue;
    size_t place = stem.hash & (larger.size() - 1);
    while (larger[place].last != 0) place = (place + 1) & (larger.size() - 1);
    larger[place] = stem;
  }
  table_.swap(larger);
}

LsaTrainer::Vocabulary LsaTrainer::ChooseTerms() const {
  Vocabulary vocabulary;
  for (uint32_t stem = 0; stem < df_.size(); ++stem) {
    if (df_[stem] >= training_.min_df) vocabulary.stems.push_back(stem);
  }
  std::sort(vocabulary.stems.begin(), vocabulary.stems.end(), [this](uint32_t a, uint32_t b) {
    return df_[a] != df_[b] ? df_[a] > df_[b] : hashes_[a] < hashes_[b];
  });
  const uint64_t share = uint64_t{training_.terms_per_chunk} * chunks();
  const uint64_t most =
      std::min<uint64_t>(training_.most_terms, std::max<uint64_t>(training_.least_terms, share));
  if (vocabulary.stems.size() > most) vocabulary.stems.resize(most);
  vocabulary.term_of.assign(df_.size(), kNoNumber);
  for (uint32_t term = 0; term < vocabulary.stems.size(); ++term) {
    const uint32_t stem = vocabulary.stems[term];
    vocabulary.term_of[stem] = term;
    vocabulary.idf.push_back(
        static_cast<float>(NaturalLog(static_cast<double>(chunks()) / df_[stem])));
  }
  return vocabulary;
}

std::vector<LsaTrainer::StemCount> LsaTrainer::StemsOf(uint32_t chunk) const {
  std::vector<StemCount> stems;
  for (uint64_t e = starts_[chunk]; e < starts_[chunk + 1]; ++e) {
    stems.push_back({hashes_[numbers_[e]], counts_[e]});
  }
  return stems;
}

Result<std::vector<ModelSection>> LsaTrainer::Train(uint32_t threads,
                                                    const std::atomic<bool>* cancel) const {
  const Vocabulary vocabulary = ChooseTerms();
  SparseMatrix matrix;
  matrix.column_count = static_cast<uint32_t>(vocabulary.stems.size());
  std::vector<std::pair<uint32_t, float>> row;
  for (uint32_t chunk = 0; chunk < chunks(); ++chunk) {
    row.clear();
    double square = 0;
    for (uint64_t e = starts_[chunk]; e < starts_[chunk + 1]; ++e) {
      const uint32_t term = vocabulary.term_of[numbers_[e]];
      if (term == kNoNumber) continue;
      const float weight = TermFrequencyWeight(counts_[e]) * vocabulary.idf[term];
      row.emplace_back(term, weight);
    }
    std::sort(row.begin(), row.end());
    for (const auto& [term, weight] : row) square += double{weight} * double{weight};
    const double scale = square > 0 ? 1 / std::sqrt(square) : 0;
    for (const auto& [term, weight] : row) {
      matrix.columns.push_back(term);
      matrix.values.push_back(static_cast<float>(double{weight} * scale));
    }
    matrix.starts.push_back(matrix.values.size());
  }

  const uint32_t wanted = chunks() < kSmallStore ? training_.small_rank : training_.rank;
  const uint32_t most = std::min(matrix.row_count(), matrix.column_count);
  SvdOptions options;
  options.rank = std::min(wanted, most > 0 ? most - 1 : 0);
  options.iterations = training_.iterations;
  options.seed = training_.seed;
  options.threads = threads;
  options.cancel = cancel;
  RECALL_ASSIGN(TruncatedSvd svd, ComputeTruncatedSvd(matrix, options));
  std::vector<LsaTermRow> terms;
  for (uint32_t term = 0; svd.rank > 0 && term < matrix.column_count; ++term) {
    float* vector = svd.vectors.data() + size_t{term} * svd.rank;
    for (uint32_t j = 0; j < svd.rank; ++j) {
      vector[j] *= static_cast<float>(std::sqrt(svd.values[j]));
    }
    const uint32_t stem = vocabulary.stems[term];
    terms.push_back({hashes_[stem], df_[stem], vector});
  }
  return EncodeLsaModel(std::move(terms), svd.rank, chunks());
}

}  // namespace recall
