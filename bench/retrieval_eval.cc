// retrieval_eval DIR...: how well the legs rank, alone and fused, on BEIR-layout directories.
// Every document is one chunk. Prints nDCG@10 (linear gain), recall@100 and MRR@10 over the
// queries that have a relevant document.

#include <cmath>
#include <cstdio>
#include <span>

#include "bench/beir_collection.h"
#include "index/embed/embedder.h"
#include "index/lexical/lexical_index.h"
#include "index/lexical/lexical_query.h"
#include "index/text/tokenizer.h"
#include "index/vector/chunk_columns.h"
#include "index/vector/vector_index.h"
#include "index/vector/vector_writer.h"
#include "storage/sqlite/fts_index.h"
#include "storage/store.h"

namespace recall {
namespace {

constexpr size_t kPool = 200;
constexpr double kWeights[] = {0, .02, .05, .1, .2, .3, 1};  // of the semantic leg

void MustBeOk(const Status& status) {
  if (!status.ok()) Die(status.ToString());
}

template <typename T>
T Take(Result<T> result) {
  if (!result) Die(result.error().ToString());
  return std::move(result).value();
}

struct Quality {
  double ndcg = 0;
  double recall = 0;
  double mrr = 0;

  void Add(const Quality& other, double share) {
    ndcg += other.ndcg * share;
    recall += other.recall * share;
    mrr += other.mrr * share;
  }
};

double Discount(size_t rank) { return 1 / std::log2(static_cast<double>(rank) + 2); }

Quality Judge(const std::vector<uint32_t>& ranking, const std::map<uint32_t, double>& relevant) {
  std::vector<double> gains;
  for (const auto& [document, gain] : relevant) gains.push_back(gain);
  std::sort(gains.rbegin(), gains.rend());
  double ideal = 0;
  for (size_t i = 0; i < std::min<size_t>(gains.size(), 10); ++i) ideal += gains[i] * Discount(i);
  Quality quality;
  for (size_t i = 0; i < std::min<size_t>(ranking.size(), 100); ++i) {
    const auto found = relevant.find(ranking[i]);
    if (found == relevant.end()) continue;
    quality.recall += 1 / static_cast<double>(relevant.size());
    if (i >= 10) continue;
    quality.ndcg += found->second * Discount(i) / ideal;
    if (quality.mrr == 0) quality.mrr = 1 / (static_cast<double>(i) + 1);
  }
  return quality;
}

// A temporary store that holds one collection; chunk row = `first_row` + document number.
class Collection final {
 public:
  explicit Collection(const BeirCollection& collection)
      : store_(Take(Store::Create(scratch_.path() + "/recall.db", StoreSettings{}))),
        embedder_(Take(MakeEmbedder("hash", store_->settings().dim))),
        space_(store_->settings().dim, store_->settings().signature_seed) {
    Index(collection);
    transaction_ = Take(store_->BeginRead());
    columns_ = Take(ChunkColumns::Open(*transaction_, space_));
  }

  // The documents of a query, best first, for each of kWeights.
  std::vector<std::vector<uint32_t>> Rank(const std::string& query) {
    const LexicalScores lexical =
        Take(SearchLexical(*transaction_, *columns_, ParseLexicalQuery(query, tokenizer_), {}));
    const VectorQuery vector = space_.PrepareQuery(Embed(query));
    const auto nearest = Take(SearchVectors(*columns_, vector, {}, {.k = kPool, .exact = true}));
    std::vector<uint32_t> pool;
    for (const LexicalHit& hit : lexical.Top(kPool)) pool.push_back(hit.chunk);
    for (const VectorHit& hit : nearest) pool.push_back(hit.chunk);
    std::sort(pool.begin(), pool.end());
    pool.erase(std::unique(pool.begin(), pool.end()), pool.end());
    std::vector<double> words;
    for (const uint32_t chunk : pool) words.push_back(lexical.Score(chunk));
    const std::vector<float> cosines = Take(ScoreVectors(*columns_, vector, pool));
    std::vector<double> meanings(cosines.begin(), cosines.end());
    DivideByMaximum(&words);
    DivideByMaximum(&meanings);
    std::vector<std::vector<uint32_t>> rankings;
    for (const double weight : kWeights) rankings.push_back(Fuse(pool, words, meanings, weight));
    return rankings;
  }

 private:
  std::vector<float> Embed(std::string_view text) {
    std::vector<float> vector(embedder_->identity().dim);
    MustBeOk(embedder_->Embed(std::span(&text, 1), vector));
    return vector;
  }

  void Index(const BeirCollection& collection) {
    const auto transaction = Take(store_->BeginWrite());
    const auto documents = static_cast<uint32_t>(collection.documents.size());
    first_row_ = Take(transaction->AllocateChunkRows(documents));
    std::vector<ChunkVector> vectors;
    LexicalText lexical;
    StoreCounts& counts = transaction->mutable_counts();
    for (uint32_t i = 0; i < documents; ++i) {
      const std::string& text = collection.documents[i];
      tokenizer_.Analyze("", text, &lexical);
      MustBeOk(
          InsertFtsRow(transaction->connection(), first_row_ + i, lexical.body, lexical.compound));
      vectors.push_back({first_row_ + i, lexical.tokens, static_cast<uint32_t>(CountTokens(text)),
                         space_.Quantize(Embed(text))});
      ++counts.chunks;
      counts.lexical_tokens += lexical.tokens;
    }
    MustBeOk(AppendVectors(*transaction, space_, vectors));
    MustBeOk(transaction->Commit());
  }

  static void DivideByMaximum(std::vector<double>* scores) {
    double maximum = 0;
    for (const double score : *scores) maximum = std::max(maximum, score);
    for (double& score : *scores) score = maximum > 0 ? std::max(score, 0.0) / maximum : 0;
  }

  std::vector<uint32_t> Fuse(const std::vector<uint32_t>& pool, const std::vector<double>& words,
                             const std::vector<double>& meanings, double weight) const {
    std::vector<std::pair<double, uint32_t>> scored;  // negated, so that it sorts best first
    for (size_t i = 0; i < pool.size(); ++i) {
      const double score = (1 - weight) * words[i] + weight * meanings[i];
      if (score > 0) scored.emplace_back(-score, pool[i] - first_row_);
    }
    std::sort(scored.begin(), scored.end());
    std::vector<uint32_t> ranking;
    for (const auto& [negated, document] : scored) ranking.push_back(document);
    return ranking;
  }

  ScratchDir scratch_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<Embedder> embedder_;
  VectorSpace space_;
  Tokenizer tokenizer_;
  uint32_t first_row_ = 0;
  std::unique_ptr<ReadTransaction> transaction_;
  std::unique_ptr<ChunkColumns> columns_;
};

std::vector<Quality> Evaluate(const BeirCollection& beir) {
  Collection collection(beir);
  std::vector<Quality> sums(std::size(kWeights));
  for (const BeirCollection::Query& query : beir.queries) {
    const auto rankings = collection.Rank(query.text);
    for (size_t i = 0; i < rankings.size(); ++i) {
      sums[i].Add(Judge(rankings[i], query.relevant), 1 / static_cast<double>(beir.queries.size()));
    }
  }
  return sums;
}

void PrintRow(const std::string& name, const std::vector<Quality>& qualities) {
  std::printf("| %s |", name.c_str());
  for (const Quality& quality : qualities) {
    std::printf(" %.4f / %.3f / %.3f |", quality.ndcg, quality.recall, quality.mrr);
  }
  std::printf("\n");
  std::fflush(stdout);
}

void Run(const std::vector<std::string>& directories) {
  std::printf(
      "nDCG@10 / recall@100 / MRR@10 by the weight of the hash leg (0: lexical alone)\n\n|  |");
  for (const double weight : kWeights) std::printf(" %g |", weight);
  std::printf("\n| --- |");
  for (size_t i = 0; i < std::size(kWeights); ++i) std::printf(" --- |");
  std::printf("\n");
  std::vector<Quality> average(std::size(kWeights));
  for (const std::string& directory : directories) {
    const std::vector<Quality> qualities = Evaluate(ReadBeirCollection(directory));
    PrintRow(std::filesystem::path(directory).filename().string(), qualities);
    for (size_t i = 0; i < average.size(); ++i) {
      average[i].Add(qualities[i], 1 / static_cast<double>(directories.size()));
    }
  }
  PrintRow("average", average);
}

}  // namespace
}  // namespace recall

int main(int argc, char** argv) {
  if (argc < 2) recall::Die("usage: retrieval_eval DIR...");
  recall::Run({argv + 1, argv + argc});
}
