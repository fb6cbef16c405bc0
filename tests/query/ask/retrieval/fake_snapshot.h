#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "query/ask/retrieval/retriever_hits.h"

namespace recall {

// An in-memory implementation of index/search/snapshot: a test sets the BM25 score and the cosine
// of each chunk, and every call scans all chunks.
struct FakeChunks {
  std::map<uint32_t, double> bm25;
  std::map<uint32_t, double> cosines;
  std::vector<uint32_t> excluded;  // by a -not clause
  bool has_must = false;           // every match contains all +must clauses
  double upper_bound = 10;
};

class FakeLexical final : public LexicalCandidates {
 public:
  FakeLexical(const FakeChunks& chunks, const ChunkFilter& filter) : chunks_(chunks) {
    for (const auto& [chunk, score] : chunks.bm25) {
      const bool excluded = std::ranges::count(chunks.excluded, chunk) > 0;
      if (filter.Passes(chunk) && !excluded) matches_.push_back({chunk, score});
    }
  }

  uint64_t count() const override { return matches_.size(); }
  double score_upper_bound() const override { return chunks_.upper_bound; }
  const std::vector<LexicalTerm>& terms() const override { return terms_; }
  Result<std::vector<RetrieverHit>> Top(size_t count) const override {
    std::vector<RetrieverHit> hits = matches_;
    std::ranges::sort(hits, IsBetter);
    hits.resize(std::min(count, hits.size()));
    return hits;
  }
  Result<std::vector<RetrieverHit>> AtLeast(double score) const override {
    std::vector<RetrieverHit> hits = matches_;
    std::erase_if(hits, [&](const RetrieverHit& hit) { return hit.score < score; });
    return hits;
  }
  Result<std::vector<double>> Score(std::span<const uint32_t> chunks) const override {
    std::vector<double> scores;
    for (const uint32_t chunk : chunks) {
      const auto found = std::ranges::find(matches_, chunk, &RetrieverHit::chunk);
      scores.push_back(found == matches_.end() ? 0 : found->score);
    }
    return scores;
  }
  Result<std::array<double, kTextFields>> ScoreByField(uint32_t) const override {
    return std::array<double, kTextFields>{};
  }
  Result<std::vector<double>> PathScores(std::span<const uint32_t> chunks) const override {
    return std::vector<double>(chunks.size());
  }
  Result<uint64_t> CountAmong(std::span<const uint32_t> chunks) const override {
    RECALL_ASSIGN(const std::vector<double> scores, Score(chunks));
    return static_cast<uint64_t>(
        std::ranges::count_if(scores, [](double score) { return score > 0; }));
  }
  Result<uint64_t> Rank(const RetrieverHit& hit) const override {
    ++ranks_counted;
    return 1 + static_cast<uint64_t>(std::ranges::count_if(
                   matches_, [&](const RetrieverHit& other) { return IsBetter(other, hit); }));
  }
  Result<Bitmap> Matches() const override {
    Bitmap matches;
    for (const RetrieverHit& hit : matches_) matches.Add(hit.chunk);
    return matches;
  }
  Result<std::optional<Bitmap>> Required() const override {
    if (!chunks_.has_must) return std::nullopt;
    RECALL_ASSIGN(Bitmap matches, Matches());
    return std::optional(std::move(matches));
  }
  Result<Bitmap> Excluded() const override {
    Bitmap excluded;
    for (const uint32_t chunk : chunks_.excluded) excluded.Add(chunk);
    return excluded;
  }

  mutable size_t ranks_counted = 0;

 private:
  const FakeChunks& chunks_;
  std::vector<RetrieverHit> matches_;  // by chunk rowid
  std::vector<LexicalTerm> terms_;
};

class FakeSemantic final : public SemanticCandidates {
 public:
  FakeSemantic(const FakeChunks& chunks, const ChunkFilter& filter, size_t most)
      : chunks_(chunks), filter_(filter), most_(most) {}

  Result<SemanticHits> Search() const override {
    SemanticHits found;
    for (const auto& [chunk, cosine] : chunks_.cosines) {
      if (filter_.Passes(chunk)) found.hits.push_back({chunk, cosine});
    }
    found.scanned = found.reranked = found.hits.size();
    std::ranges::sort(found.hits, IsBetter);
    found.hits.resize(std::min(most_, found.hits.size()));
    std::ranges::sort(found.hits, {}, &RetrieverHit::chunk);
    return found;
  }
  Result<std::vector<float>> Score(std::span<const uint32_t> chunks) const override {
    std::vector<float> scores;
    for (const uint32_t chunk : chunks) {
      const auto found = chunks_.cosines.find(chunk);
      scores.push_back(found == chunks_.cosines.end() ? 0 : static_cast<float>(found->second));
    }
    return scores;
  }
  // No chunk has a vector.
  Result<ChunkComponents> Components(std::span<const uint32_t> chunks) const override {
    ChunkComponents components;
    components.views.resize(chunks.size());
    return components;
  }
  int64_t CountWithoutVector(std::span<const uint32_t>) const override { return 0; }

 private:
  const FakeChunks& chunks_;
  const ChunkFilter filter_;
  const size_t most_;
};

class FakeIndexes final : public SearchIndexes {
 public:
  explicit FakeIndexes(const FakeChunks& chunks) : chunks_(chunks) {}

  uint64_t chunks() const override { return chunks_.cosines.size(); }
  Result<std::vector<ClauseMatches>> CountMatches(const LexicalQuery& query,
                                                  const ChunkFilter&) const override {
    return std::vector<ClauseMatches>(query.clauses.size());
  }
  const Bitmap& removed() const override { return removed_; }
  Result<std::unique_ptr<LexicalCandidates>> SearchLexical(
      const LexicalQuery&, const ChunkFilter& filter) const override {
    return std::make_unique<FakeLexical>(chunks_, filter);
  }
  Result<std::vector<std::vector<TokenCount>>> ChunksWith(
      std::span<const TokenQuestion> questions) const override {
    return std::vector<std::vector<TokenCount>>(questions.size());
  }
  Result<std::vector<NearTerm>> FindNearTerms(std::string_view, std::string_view,
                                              size_t) const override {
    return std::vector<NearTerm>();
  }
  Result<std::unique_ptr<SemanticCandidates>> PrepareSemantic(
      const VectorQuery&, const ChunkFilter& filter,
      const SemanticSearchOptions& options) const override {
    return std::make_unique<FakeSemantic>(chunks_, filter, options.most);
  }

 private:
  const FakeChunks& chunks_;
  const Bitmap removed_;
};

// Every chunk has the text "text". There is no model, so the score of character n-grams is 0.
class FakeTexts : public TextsAndFacts {
 public:
  explicit FakeTexts(const FakeChunks& chunks) : chunks_(chunks) {}

  Result<std::vector<ChunkRow>> ReadChunks(std::span<const uint32_t> chunks) const override {
    std::vector<ChunkRow> rows(chunks.size());
    for (size_t i = 0; i < chunks.size(); ++i) rows[i].row = chunks[i];
    return rows;
  }
  Result<DocRow> ReadDoc(int64_t doc_row) const override {
    DocRow doc;
    doc.row = doc_row;
    return doc;
  }
  Result<std::vector<ChunkRow>> ReadChunksOf(const DocRow&) const override { std::abort(); }
  Result<std::optional<DocRow>> FindDoc(std::string_view) const override { std::abort(); }
  Result<std::vector<SourceRoot>> ReadSourceRoots() const override { std::abort(); }
  Result<StoreHome> ReadHome() const override { std::abort(); }
  Result<std::optional<UnixNanos>> CommittedAt(int64_t) const override { std::abort(); }
  Result<std::vector<DocRow>> FindRemovedVersions(std::string_view) const override { std::abort(); }
  Result<std::vector<DocRow>> FindDocsUnder(std::string_view) const override { std::abort(); }
  Result<std::vector<DocRow>> FindDocsById(std::string_view, size_t) const override {
    std::abort();
  }
  Result<std::vector<ChunkRow>> FindChunksById(std::string_view, size_t) const override {
    std::abort();
  }
  Result<std::string> ReadSuppliedVector(int64_t) const override { std::abort(); }
  Result<std::optional<ExtractionRow>> ReadExtraction(int64_t) const override { std::abort(); }
  Result<std::string> ReadGrammar(int64_t) const override { std::abort(); }
  Result<std::vector<std::string>> ReadSearchedLanguages() const override { std::abort(); }
  Status ScanSymbols(uint32_t, const SymbolVisitor&) const override { std::abort(); }
  Status FindSymbols(const SymbolNameRange&, const SymbolVisitor&) const override { std::abort(); }
  Result<std::string> ReadText(const DocRow&, uint64_t, uint64_t) const override { return "text"; }
  Status ScanTextGrams(const std::function<void(int64_t, ByteSpan)>&) const override {
    return Status::Ok();
  }
  Result<std::vector<std::string>> ReadTextBlocks(const DocRow&) const override {
    return CompressText("text");
  }
  Status ScanPassages(std::span<const uint32_t> chunks,
                      const PassageVisitor& visit) const override {
    for (uint32_t i = 0; i < chunks.size(); ++i) visit(i, "", "text");
    return Status::Ok();
  }
  Result<std::optional<std::string>> ReadWordDictionary() const override { return std::nullopt; }
  Result<std::optional<std::string>> ReadTranscript(std::string_view) const override {
    return std::nullopt;
  }
  Status ScanChunkWords(std::span<const uint32_t>,
                        const std::function<void(uint32_t, ByteSpan)>&) const override {
    std::abort();
  }
  Status ScanLiveChunks(const SpanVisitor& visit) const override {
    for (const auto& [chunk, cosine] : chunks_.cosines) visit({chunk, 1});
    return Status::Ok();
  }
  Status ScanPaths(bool, const std::function<bool(const PathEntry&)>&) const override {
    return Status::Ok();
  }
  Status ScanMetadata(std::string_view, const TextVisitor&) const override { return Status::Ok(); }
  Result<std::optional<std::string>> ReadModelPart(std::string_view) const override {
    return std::nullopt;
  }

 private:
  const FakeChunks& chunks_;
};

class FakeSnapshot final : public Snapshot {
 public:
  explicit FakeSnapshot(const FakeChunks& chunks) : chunks_(chunks), texts_(chunks) {
    counts_.chunks = static_cast<int64_t>(chunks.cosines.size());
  }

  const StoreCounts& counts() const override { return counts_; }
  const TextsAndFacts& texts() const override { return texts_; }
  const FilterSets& filters() const override { std::abort(); }
  const NoteRecords& notes() const override { std::abort(); }
  const ModelReader& models() const override { std::abort(); }
  Result<VisiblePart> PartOf(const VisibleRows&) const override { std::abort(); }
  Result<std::unique_ptr<SearchIndexes>> OpenIndexes(const VectorGeometry&,
                                                     const VisiblePart*) const override {
    return std::make_unique<FakeIndexes>(chunks_);
  }

 private:
  const FakeChunks& chunks_;
  StoreCounts counts_;
  FakeTexts texts_;
};

// A hybrid plan for the chunks, which must outlive it.
inline std::unique_ptr<RetrievalPlan> FakePlan(const FakeChunks& chunks,
                                               FusionMethod fusion = FusionMethod::kDefault) {
  auto plan = std::make_unique<RetrievalPlan>();
  plan->lexical = plan->semantic = true;
  plan->fusion = fusion;
  plan->indexes = std::make_unique<FakeIndexes>(chunks);
  plan->chunks = static_cast<int64_t>(chunks.cosines.size());
  plan->noise_floor = 0.0625f;
  return plan;
}

// `count` chunks with random cosines; about one in `every` matches the query.
inline FakeChunks RandomChunks(uint32_t count, uint32_t every, uint64_t seed) {
  std::mt19937_64 random(seed);
  FakeChunks chunks;
  for (uint32_t chunk = 1; chunk <= count; ++chunk) {
    // Few different values, so that many scores are equal.
    if (random() % every == 0) chunks.bm25[chunk] = 0.1 * static_cast<double>(1 + random() % 90);
    chunks.cosines[chunk] = static_cast<double>(static_cast<int>(random() % 65) - 32) / 64;
  }
  return chunks;
}

}  // namespace recall
