#include "index/embed/lsa/lsa_trainer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "index/base/lexicon/lexicon.h"
#include "index/base/math/natural_log.h"
#include "index/base/math/truncated_svd.h"
#include "index/base/text/stop_words.h"
#include "index/embed/lsa/form_terms.h"
#include "index/embed/lsa/stem_hash.h"
#include "index/embed/lsa/term_frequency.h"
#include "index/embed/lsa/unknown_words.h"

namespace recall {
namespace {

// The problem: semantic search needs vectors in which texts about the same subject are close,
// without a downloaded model and within a few seconds of CPU time.
//
// The idea is latent semantic analysis (Deerwester et al., 1990): terms that occur in the same
// chunks get similar vectors.
//
//   chunks --AddStems--> counts of stems     (hash table stem -> number; one list per chunk;
//                                             form_terms.h)
//          --ChooseTerms--> vocabulary       (no stop words; df >= 2, or in a small store known to
//                                             the lexicon; the most frequent terms)
//          --WeighChunks--> sparse matrix D  D[chunk][term] = (1 + ln tf) * ln(N / df)
//          --FeaturesOf--> sparse matrix F   F[term][feature], unit rows; features are the terms
//          and
//                                             the concepts of the lexicon that several terms have
//          --Train--> A = D * F              rows of D are scaled so that those of A are unit
//          --ComputeTruncatedSvd--> A ~ U * sigma * V'      (index/base/math/truncated_svd.h)
//          --EncodeLsaModel--> rows of F * V * sigma^0.5 in 4 bits, and the weights of the terms
//
// Terms that share a concept are near each other before any text is read, so that a small store
// finds "automobile" for "car", and a term that occurs once has a direction
// (docs/decisions/0068-lexicon.md). Texts that the lexicon knows no word of have F = 1, and the
// model is that of their words alone.
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
constexpr uint32_t kSmallStore =
    1'000;  // chunks; for fewer, a smaller rank ranks better, and rare words help
constexpr uint32_t kNoNumber = std::numeric_limits<uint32_t>::max();
constexpr uint32_t kStopStem = kNoNumber;

// The vectors of terms: of each the sum of those of its features.
std::vector<float> SumFeatures(const SparseMatrix& of_terms, const TruncatedSvd& svd) {
  std::vector<float> rows(size_t{of_terms.row_count()} * svd.rank);
  for (uint32_t term = 0; term < of_terms.row_count(); ++term) {
    float* const row = rows.data() + size_t{term} * svd.rank;
    for (uint64_t e = of_terms.starts[term]; e < of_terms.starts[term + 1]; ++e) {
      const float* const feature = svd.vectors.data() + size_t{of_terms.columns[e]} * svd.rank;
      for (uint32_t j = 0; j < svd.rank; ++j) row[j] += of_terms.values[e] * feature[j];
    }
  }
  return rows;
}

}  // namespace

// The stems that become terms. Term 0 is the most frequent one, so that the rows of frequent terms
// are adjacent in the dense matrices of the SVD.
struct LsaTrainer::Vocabulary {
  std::vector<uint32_t> stems;    // of term t
  std::vector<uint32_t> term_of;  // stem number -> term, or kNoNumber
  std::vector<float> idf;         // of term t
};

// What a term is made of: the term itself, and the concepts that it shares with others.
struct LsaTrainer::Features {
  SparseMatrix of_terms;  // columns: first the terms, then the concepts
  bool AreTerms() const { return of_terms.column_count == of_terms.row_count(); }
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
  body = ReplaceForms(body, &replaced_, &has_forms_);
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
  known_.push_back(Lexicon::Builtin().Find(stem).value_or(kNoNumber));
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
    const bool known = training_.lexicon && chunks() < kSmallStore && known_[stem] != kNoNumber;
    if (df_[stem] >= training_.min_df || known) vocabulary.stems.push_back(stem);
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

// The features of each term as a row of length 1. A concept that no other term of the vocabulary
// has points where the term does, so it is part of the term's own feature.
LsaTrainer::Features LsaTrainer::FeaturesOf(const Vocabulary& vocabulary) const {
  Features features;
  const auto terms = static_cast<uint32_t>(vocabulary.stems.size());
  const Lexicon& lexicon = Lexicon::Builtin();
  std::vector<uint32_t> having(training_.lexicon ? lexicon.concepts() : 0);
  const auto concepts_of = [&](uint32_t term) {
    const uint32_t known = training_.lexicon ? known_[vocabulary.stems[term]] : kNoNumber;
    return known == kNoNumber ? std::vector<Lexicon::Concept>() : lexicon.ConceptsOf(known);
  };
  for (uint32_t term = 0; term < terms; ++term) {
    for (const Lexicon::Concept& of : concepts_of(term)) ++having[of.number];
  }
  std::vector<uint32_t> column_of(having.size(), kNoNumber);
  features.of_terms.column_count = terms;
  for (size_t number = 0; number < having.size(); ++number) {
    if (having[number] > 1) column_of[number] = features.of_terms.column_count++;
  }
  for (uint32_t term = 0; term < terms; ++term) {
    SparseMatrix& rows = features.of_terms;
    const size_t own = rows.columns.size();
    rows.columns.push_back(term);
    rows.values.push_back(1);
    double rest = 1;
    for (const Lexicon::Concept& of : concepts_of(term)) {
      if (column_of[of.number] == kNoNumber) continue;
      const float weight = kConceptShare * of.weight;
      rows.columns.push_back(column_of[of.number]);
      rows.values.push_back(weight);
      rest -= double{weight} * double{weight};
    }
    rows.values[own] = static_cast<float>(std::sqrt(rest));
    rows.starts.push_back(rows.columns.size());
  }
  return features;
}

// The matrix D: its rows times the features have length 1.
SparseMatrix LsaTrainer::WeighChunks(const Vocabulary& vocabulary, const Features& features) const {
  const SparseMatrix& of_terms = features.of_terms;
  SparseMatrix matrix;
  matrix.column_count = static_cast<uint32_t>(vocabulary.stems.size());
  std::vector<std::pair<uint32_t, float>> row;
  std::vector<double> sums(of_terms.column_count);
  for (uint32_t chunk = 0; chunk < chunks(); ++chunk) {
    row.clear();
    for (uint64_t e = starts_[chunk]; e < starts_[chunk + 1]; ++e) {
      const uint32_t term = vocabulary.term_of[numbers_[e]];
      if (term == kNoNumber) continue;
      const float weight = TermFrequencyWeight(counts_[e]) * vocabulary.idf[term];
      row.emplace_back(term, weight);
    }
    std::sort(row.begin(), row.end());
    double square = 0;
    const auto for_each_feature = [&](auto visit) {
      for (const auto& [term, weight] : row) {
        for (uint64_t e = of_terms.starts[term]; e < of_terms.starts[term + 1]; ++e) {
          visit(sums[of_terms.columns[e]], double{weight} * double{of_terms.values[e]});
        }
      }
    };
    for_each_feature([](double& sum, double value) { sum += value; });
    for_each_feature([&](double& sum, double) {
      square += sum * sum;
      sum = 0;
    });
    const double scale = square > 0 ? 1 / std::sqrt(square) : 0;
    for (const auto& [term, weight] : row) {
      matrix.columns.push_back(term);
      matrix.values.push_back(static_cast<float>(double{weight} * scale));
    }
    matrix.starts.push_back(matrix.values.size());
  }
  return matrix;
}

Result<std::vector<ModelSection>> LsaTrainer::Train(uint32_t threads,
                                                    const std::atomic<bool>* cancel) const {
  const Vocabulary vocabulary = ChooseTerms();
  const Features features = FeaturesOf(vocabulary);
  const SparseMatrix& of_terms = features.of_terms;
  const SparseMatrix matrix = WeighChunks(vocabulary, features);
  const uint32_t wanted = chunks() < kSmallStore ? training_.small_rank : training_.rank;
  const uint32_t most = std::min(matrix.row_count(), of_terms.column_count);
  SvdOptions options;
  options.rank = std::min(wanted, most > 0 ? most - 1 : 0);
  options.iterations = training_.iterations;
  options.seed = training_.seed;
  options.threads = threads;
  options.cancel = cancel;
  RECALL_ASSIGN(TruncatedSvd svd, features.AreTerms()
                                      ? ComputeTruncatedSvd(matrix, options)
                                      : ComputeTruncatedSvd(matrix, of_terms, options));
  std::vector<float> scales;
  for (const double value : svd.values) scales.push_back(static_cast<float>(std::sqrt(value)));
  for (size_t row = 0; row < svd.vectors.size(); row += svd.rank) {
    for (uint32_t j = 0; j < svd.rank; ++j) svd.vectors[row + j] *= scales[j];
  }
  std::vector<float> rows;
  if (!features.AreTerms()) rows = SumFeatures(of_terms, svd);
  const std::vector<float>& vectors = features.AreTerms() ? svd.vectors : rows;
  std::vector<LsaTermRow> terms;
  for (uint32_t term = 0; svd.rank > 0 && term < matrix.column_count; ++term) {
    const uint32_t stem = vocabulary.stems[term];
    terms.push_back({hashes_[stem], df_[stem], vectors.data() + size_t{term} * svd.rank});
  }
  std::vector<ModelSection> sections = EncodeLsaModel(
      std::move(terms), svd.rank, chunks(), has_forms_ ? FormTerms::kCommon : FormTerms::kWords);
  if (training_.lexicon) sections.push_back(LexiconSection(Lexicon::Builtin().hash()));
  return sections;
}

}  // namespace recall
