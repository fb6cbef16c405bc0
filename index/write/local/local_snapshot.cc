// Adapters: each function calls the index or the table that contains the data.

#include "index/write/local/local_snapshot.h"

#include <algorithm>
#include <utility>

#include "index/base/text/snowball.h"
#include "index/search/bitmap/tombstones.h"
#include "index/search/columns/chunk_columns.h"
#include "index/search/lexical/lexical_index.h"
#include "index/search/lexical/token_rows.h"
#include "index/search/vector/stored_vectors.h"
#include "index/search/vector/vector_index.h"
#include "index/search/vocabulary/vocabulary_search.h"
#include "storage/base/bytes.h"
#include "storage/history/commit_log.h"
#include "storage/sessions/captured_table.h"
#include "storage/tables/forward_table.h"
#include "storage/tables/language_table.h"
#include "storage/tables/model_table.h"
#include "storage/tables/supplied_vectors.h"
#include "storage/tables/symbol_table.h"
#include "storage/tables/text_grams.h"

namespace recall {
namespace {

class LocalLexicalCandidates final : public LexicalCandidates {
 public:
  explicit LocalLexicalCandidates(LexicalScores scores) : scores_(std::move(scores)) {}

  uint64_t count() const override { return scores_.matches(); }
  double score_upper_bound() const override { return scores_.score_upper_bound(); }
  const std::vector<LexicalTerm>& terms() const override { return scores_.terms(); }
  Result<std::vector<RetrieverHit>> Top(size_t count) const override { return scores_.Top(count); }
  Result<std::vector<RetrieverHit>> AtLeast(double score) const override {
    return scores_.AtLeast(score);
  }
  Result<std::vector<double>> Score(std::span<const uint32_t> chunks) const override {
    std::vector<double> scores;
    scores.reserve(chunks.size());
    for (const uint32_t chunk : chunks) scores.push_back(scores_.Score(chunk));
    return scores;
  }
  Result<std::vector<double>> PathScores(std::span<const uint32_t> chunks) const override {
    std::vector<double> scores;
    scores.reserve(chunks.size());
    for (const uint32_t chunk : chunks) scores.push_back(scores_.PathScore(chunk));
    return scores;
  }
  Result<std::array<double, kTextFields>> ScoreByField(uint32_t chunk) const override {
    return scores_.ScoreByField(chunk);
  }
  Result<uint64_t> CountAmong(std::span<const uint32_t> chunks) const override {
    return static_cast<uint64_t>(
        std::ranges::count_if(chunks, [&](uint32_t chunk) { return scores_.Holds(chunk); }));
  }
  Result<uint64_t> Rank(const RetrieverHit& hit) const override { return scores_.Rank(hit); }
  Result<Bitmap> Matches() const override { return scores_.Matches(); }
  Result<std::optional<Bitmap>> Required() const override { return scores_.Required(); }
  Result<Bitmap> Excluded() const override { return scores_.Excluded(); }

 private:
  LexicalScores scores_;
};

class LocalSemanticCandidates final : public SemanticCandidates {
 public:
  LocalSemanticCandidates(const ChunkColumns& columns, const VectorQuery& query,
                          VectorSearch search)
      : columns_(columns), query_(query), search_(std::move(search)) {}

  Result<SemanticHits> Search() const override {
    VectorSearchStats stats;
    SemanticHits found;
    RECALL_ASSIGN(found.hits, search_.Run(&stats));
    found.scanned = stats.scanned;
    found.reranked = stats.reranked;
    found.exact = stats.exact;
    return found;
  }
  Result<std::vector<float>> Score(std::span<const uint32_t> chunks) const override {
    return ScoreVectors(columns_, query_, chunks);
  }
  Result<ChunkComponents> Components(std::span<const uint32_t> chunks) const override {
    const auto vectors = std::make_shared<StoredVectors>(columns_);
    ChunkComponents components;
    components.views.reserve(chunks.size());
    for (const uint32_t chunk : chunks) {
      RECALL_ASSIGN(const StoredVectors::View view, vectors->Find(chunk));
      components.views.push_back({view.scale, view.values});
    }
    components.owner = vectors;
    return components;
  }
  int64_t CountWithoutVector(std::span<const uint32_t> chunks) const override {
    const StoredVectors vectors(columns_);
    return std::ranges::count_if(chunks, [&](uint32_t chunk) { return !vectors.Contains(chunk); });
  }

 private:
  const ChunkColumns& columns_;
  const VectorQuery& query_;
  VectorSearch search_;
};

class LocalIndexes final : public SearchIndexes {
 public:
  // `counts`: of all chunks but `removed`.
  LocalIndexes(const ReadTransaction& transaction, const StoreCounts& counts,
               std::unique_ptr<ChunkColumns> columns, Bitmap removed,
               std::shared_ptr<RecentPostings> recent)
      : transaction_(transaction),
        counts_(counts),
        columns_(std::move(columns)),
        removed_(std::move(removed)),
        recent_(std::move(recent)) {}

  uint64_t chunks() const override {
    return static_cast<uint64_t>(std::max<int64_t>(counts_.chunks, 0));
  }
  Result<std::vector<ClauseMatches>> CountMatches(const LexicalQuery& query,
                                                  const ChunkFilter& filter) const override {
    return recall::CountMatches(transaction_, query, filter);
  }
  const Bitmap& removed() const override { return removed_; }
  Result<std::unique_ptr<LexicalCandidates>> SearchLexical(
      const LexicalQuery& query, const ChunkFilter& filter) const override {
    RECALL_ASSIGN(LexicalScores scores, recall::SearchLexical(transaction_, counts_, *columns_,
                                                              query, filter, recent_.get()));
    return std::make_unique<LocalLexicalCandidates>(std::move(scores));
  }
  Result<std::vector<std::vector<TokenCount>>> ChunksWith(
      std::span<const TokenQuestion> questions) const override {
    return FindChunksWith(transaction_, questions);
  }
  Result<std::vector<NearTerm>> FindNearTerms(std::string_view word, std::string_view stem,
                                              size_t most) const override {
    return recall::FindNearTerms(transaction_, word, stem, most);
  }
  Result<std::unique_ptr<SemanticCandidates>> PrepareSemantic(
      const VectorQuery& query, const ChunkFilter& filter,
      const SemanticSearchOptions& options) const override {
    VectorSearchOptions how;
    how.k = options.most;
    how.by_chunk = true;
    how.exact = options.exact;
    how.store_vectors = chunks();
    how.threads = std::max<size_t>(options.threads, 1);
    RECALL_ASSIGN(VectorSearch search, VectorSearch::Prepare(*columns_, query, filter, how));
    return std::make_unique<LocalSemanticCandidates>(*columns_, query, std::move(search));
  }

 private:
  const ReadTransaction& transaction_;
  const StoreCounts& counts_;
  const std::unique_ptr<ChunkColumns> columns_;
  const Bitmap removed_;
  const std::shared_ptr<RecentPostings> recent_;
};

}  // namespace

LocalSnapshot::LocalSnapshot(const ReadTransaction& transaction)
    : transaction_(transaction),
      texts_(transaction),
      filters_(transaction),
      notes_(transaction),
      models_(transaction.connection()),
      recent_(std::make_shared<RecentPostings>()) {}

Result<std::vector<ChunkRow>> LocalTextsAndFacts::ReadChunks(
    std::span<const uint32_t> chunks) const {
  std::vector<ChunkRow> rows;
  rows.reserve(chunks.size());
  for (const uint32_t chunk : chunks) {
    RECALL_ASSIGN(ChunkRow row, recall::ReadChunk(transaction_, chunk));
    rows.push_back(std::move(row));
  }
  return rows;
}

Result<std::vector<ChunkRow>> LocalTextsAndFacts::ReadChunksOf(const DocRow& doc) const {
  return recall::ReadChunksOf(transaction_, doc);
}

Result<DocRow> LocalTextsAndFacts::ReadDoc(int64_t doc_row) const {
  return recall::ReadDoc(transaction_, doc_row);
}

Result<std::optional<DocRow>> LocalTextsAndFacts::FindDoc(std::string_view path) const {
  return FindLiveDoc(transaction_, path);
}

Result<std::vector<DocRow>> LocalTextsAndFacts::FindRemovedVersions(std::string_view path) const {
  return recall::FindRemovedVersions(transaction_, path);
}

Result<std::vector<DocRow>> LocalTextsAndFacts::FindDocsUnder(std::string_view directory) const {
  return FindLiveDocsUnder(transaction_, directory);
}

Result<std::vector<DocRow>> LocalTextsAndFacts::FindDocsById(std::string_view hex_prefix,
                                                             size_t limit) const {
  return FindLiveDocsById(transaction_, hex_prefix, limit);
}

Result<std::vector<ChunkRow>> LocalTextsAndFacts::FindChunksById(std::string_view hex_prefix,
                                                                 size_t limit) const {
  return FindLiveChunksById(transaction_, hex_prefix, limit);
}

Result<std::vector<SourceRoot>> LocalTextsAndFacts::ReadSourceRoots() const {
  return recall::ReadSourceRoots(transaction_.connection());
}

Result<StoreHome> LocalTextsAndFacts::ReadHome() const {
  return recall::ReadHome(transaction_.connection());
}

Result<std::optional<UnixNanos>> LocalTextsAndFacts::CommittedAt(int64_t sequence) const {
  return recall::CommittedAt(transaction_.connection(), sequence);
}

Result<std::string> LocalTextsAndFacts::ReadSuppliedVector(int64_t doc_row) const {
  return FindSuppliedVector(transaction_.connection(), doc_row);
}

Result<std::string> LocalTextsAndFacts::ReadGrammar(int64_t doc_row) const {
  return FindGrammar(transaction_.connection(), doc_row);
}

Result<std::vector<std::string>> LocalTextsAndFacts::ReadSearchedLanguages() const {
  return ListLanguages(transaction_.connection(), kMostSearchedLanguages, HasLanguageStems);
}

Status LocalTextsAndFacts::ScanSymbols(uint32_t chunk, const SymbolVisitor& visit) const {
  return SymbolsOf(transaction_.connection(), chunk, 1, visit);
}

Status LocalTextsAndFacts::FindSymbols(const SymbolNameRange& names,
                                       const SymbolVisitor& visit) const {
  return FindSymbolsByName(transaction_.connection(), names, visit);
}

Result<std::optional<ExtractionRow>> LocalTextsAndFacts::ReadExtraction(int64_t doc_row) const {
  // Most stores have no such documents, and this is asked for each document of an answer or ingest.
  if (!has_extractions_) {
    RECALL_ASSIGN(has_extractions_, HasExtractions(transaction_.connection()));
  }
  if (!*has_extractions_) return std::nullopt;
  return FindExtraction(transaction_.connection(), doc_row);
}

Result<std::string> LocalTextsAndFacts::ReadText(const DocRow& doc, uint64_t start,
                                                 uint64_t end) const {
  return recent_text_.Read(transaction_, doc, start, end);
}

Result<std::vector<std::string>> LocalTextsAndFacts::ReadTextBlocks(const DocRow& doc) const {
  return recall::ReadTextBlocks(transaction_, doc);
}

Status LocalTextsAndFacts::ScanTextGrams(
    const std::function<void(int64_t doc_row, ByteSpan grams)>& visit) const {
  return recall::ScanTextGrams(transaction_.connection(), visit);
}

Status LocalTextsAndFacts::ScanPassages(std::span<const uint32_t> chunks,
                                        const PassageVisitor& visit) const {
  ChunkReader reader(transaction_, ChunkReader::Access::kScattered);
  for (uint32_t i = 0; i < chunks.size(); ++i) {
    // The rowid that ScanPassages passes is ignored, because it may be wrong in a damaged store.
    RECALL_TRY(reader.ScanPassages(chunks[i], chunks[i],
                                   [&](uint32_t, std::string_view heading, std::string_view text) {
                                     visit(i, heading, text);
                                   }));
  }
  return Status::Ok();
}

Result<std::optional<std::string>> LocalTextsAndFacts::ReadTranscript(
    std::string_view source) const {
  RECALL_ASSIGN(const auto blocks, ReadTranscriptBlocks(transaction_.connection(), source));
  if (blocks.empty()) return std::nullopt;
  return JoinTranscriptBlocks(blocks);
}

Result<std::optional<std::string>> LocalTextsAndFacts::ReadWordDictionary() const {
  std::optional<std::string> dictionary;
  RECALL_TRY(recall::ReadWordDictionary(transaction_.connection(),
                                        [&](ByteSpan data) { dictionary = AsText(data); }));
  return dictionary;
}

Status LocalTextsAndFacts::ScanChunkWords(
    std::span<const uint32_t> chunks,
    const std::function<void(uint32_t index, ByteSpan record)>& visit) const {
  return ReadChunkWords(transaction_.connection(), chunks, visit);
}

Status LocalTextsAndFacts::ScanLiveChunks(const SpanVisitor& visit) const {
  return ScanLiveDocs(transaction_, RowUnit::kChunks, visit);
}

Status LocalTextsAndFacts::ScanPaths(bool descending,
                                     const std::function<bool(const PathEntry&)>& visit) const {
  return recall::ScanPaths(transaction_, descending, visit);
}

Status LocalTextsAndFacts::ScanMetadata(std::string_view key, const TextVisitor& visit) const {
  return ScanMetadataValues(transaction_, key, RowUnit::kChunks, visit);
}

Result<std::optional<std::string>> LocalTextsAndFacts::ReadModelPart(std::string_view kind) const {
  Connection& connection = transaction_.connection();
  RECALL_ASSIGN(const auto model, FindModelAt(connection, transaction_.counts().commit_sequence));
  if (!model) return std::nullopt;
  RECALL_ASSIGN(auto part, StoredModels(connection).ReadPart(model->id, kind));
  if (part) return part;
  return Fail(Status::Corruption(
      "model " + std::to_string(model->id) + " has no part \"" + std::string(kind) + "\"",
      "run `recall doctor --fix`"));
}

Result<VisiblePart> LocalSnapshot::PartOf(const VisibleRows& rows) const {
  VisiblePart part;
  part.counts.commit_sequence = transaction_.counts().commit_sequence;
  part.counts.commit_mark = transaction_.counts().commit_mark;
  Bitmap live;
  Bitmap whole;  // the chunks of the documents that belong to it
  RECALL_TRY(ScanDocSizes(transaction_, [&](int64_t row, RowSpan chunks, const DocSizes& sizes) {
    const bool visible = rows.docs.Contains(static_cast<uint32_t>(row));
    if (chunks.count > 0) {
      live.AddRange(chunks.first, chunks.first + chunks.count - 1);
      if (visible) whole.AddRange(chunks.first, chunks.first + chunks.count - 1);
    }
    if (!visible) return;
    ++part.counts.docs;
    part.counts.tokens += sizes.tokens;
    part.counts.lexical_tokens += sizes.lexical_tokens;
    part.counts.text_bytes += sizes.text_bytes;
  }));
  part.hidden = live.AndNot(rows.chunks);
  part.counts.chunks = static_cast<int64_t>(rows.chunks.Count());
  if (rows.chunks == whole) return part;
  part.counts.lexical_tokens = 0;
  RECALL_TRY(ScanChunkNumbers(transaction_, ChunkNumber::kLexicalTokens, 0, rows.chunks.Last(),
                              [&](uint32_t row, int64_t tokens) {
                                if (rows.chunks.Contains(row)) part.counts.lexical_tokens += tokens;
                              }));
  return part;
}

Result<std::unique_ptr<SearchIndexes>> LocalSnapshot::OpenIndexes(const VectorGeometry& space,
                                                                  const VisiblePart* part) const {
  RECALL_ASSIGN(std::unique_ptr<ChunkColumns> columns, ChunkColumns::Open(transaction_, space));
  RECALL_ASSIGN(Bitmap removed, ReadTombstones(transaction_));
  if (part) removed = removed.Or(part->hidden);
  return std::make_unique<LocalIndexes>(transaction_, part ? part->counts : transaction_.counts(),
                                        std::move(columns), std::move(removed), recent_);
}

}  // namespace recall
