#pragma once

#include <memory>
#include <utility>

#include "index/search/snapshot/snapshot.h"
#include "index/write/local/local_note_records.h"
#include "storage/documents/recent_text.h"
#include "storage/store/store.h"
#include "storage/tables/model_table.h"

namespace recall {

class RecentPostings;

// Sets from the filters of a local store.
class LocalFilterSets final : public FilterSets {
 public:
  // `transaction` must outlive it.
  explicit LocalFilterSets(const ReadTransaction& transaction) : transaction_(transaction) {}
  Result<FilterOutcome> Evaluate(const CompiledFilter& filter, FilterDomain domain,
                                 const VisibleRows* visible = nullptr) const override {
    return filter.Evaluate(transaction_, domain, visible);
  }

 private:
  const ReadTransaction& transaction_;
};

// Rows and texts of a local store.
class LocalTextsAndFacts final : public TextsAndFacts {
 public:
  // `transaction` must outlive it.
  explicit LocalTextsAndFacts(const ReadTransaction& transaction) : transaction_(transaction) {}
  Result<std::vector<ChunkRow>> ReadChunks(std::span<const uint32_t> chunks) const override;
  Result<std::vector<ChunkRow>> ReadChunksOf(const DocRow& doc) const override;
  Result<DocRow> ReadDoc(int64_t doc_row) const override;
  Result<std::optional<DocRow>> FindDoc(std::string_view path) const override;
  Result<std::vector<DocRow>> FindRemovedVersions(std::string_view path) const override;
  Result<std::vector<DocRow>> FindDocsUnder(std::string_view directory) const override;
  Result<std::vector<DocRow>> FindDocsById(std::string_view hex_prefix,
                                           size_t limit) const override;
  Result<std::vector<ChunkRow>> FindChunksById(std::string_view hex_prefix,
                                               size_t limit) const override;
  Result<std::vector<SourceRoot>> ReadSourceRoots() const override;
  Result<StoreHome> ReadHome() const override;
  Result<std::optional<UnixNanos>> CommittedAt(int64_t sequence) const override;
  Result<std::string> ReadSuppliedVector(int64_t doc_row) const override;
  Result<std::optional<ExtractionRow>> ReadExtraction(int64_t doc_row) const override;
  Result<std::string> ReadGrammar(int64_t doc_row) const override;
  Result<std::vector<std::string>> ReadSearchedLanguages() const override;
  Status ScanSymbols(uint32_t chunk, const SymbolVisitor& visit) const override;
  Status FindSymbols(const SymbolNameRange& names, const SymbolVisitor& visit) const override;
  Result<std::string> ReadText(const DocRow& doc, uint64_t start, uint64_t end) const override;
  Result<std::vector<std::string>> ReadTextBlocks(const DocRow& doc) const override;
  Status ScanTextGrams(
      const std::function<void(int64_t doc_row, ByteSpan grams)>& visit) const override;
  Status ScanPassages(std::span<const uint32_t> chunks, const PassageVisitor& visit) const override;
  Result<std::optional<std::string>> ReadTranscript(std::string_view source) const override;
  Result<std::optional<std::string>> ReadWordDictionary() const override;
  Status ScanChunkWords(
      std::span<const uint32_t> chunks,
      const std::function<void(uint32_t index, ByteSpan record)>& visit) const override;
  Status ScanLiveChunks(const SpanVisitor& visit) const override;
  Status ScanPaths(bool descending,
                   const std::function<bool(const PathEntry&)>& visit) const override;
  Status ScanMetadata(std::string_view key, const TextVisitor& visit) const override;
  Result<std::optional<std::string>> ReadModelPart(std::string_view kind) const override;

 private:
  const ReadTransaction& transaction_;
  mutable std::optional<bool> has_extractions_;  // of the commit, once it was asked for
  mutable RecentText recent_text_;
};

// A read transaction of a local store as a Snapshot. Constructing it reads nothing.
class LocalSnapshot final : public Snapshot {
 public:
  // `transaction` must outlive it.
  explicit LocalSnapshot(const ReadTransaction& transaction);
  // Takes ownership of the transaction.
  explicit LocalSnapshot(std::unique_ptr<ReadTransaction> transaction)
      : LocalSnapshot(*transaction) {
    owned_ = std::move(transaction);
  }

  const StoreCounts& counts() const override { return transaction_.counts(); }
  const TextsAndFacts& texts() const override { return texts_; }
  const FilterSets& filters() const override { return filters_; }
  const NoteRecords& notes() const override { return notes_; }
  const ModelReader& models() const override { return models_; }
  Result<VisiblePart> PartOf(const VisibleRows& rows) const override;
  Result<std::unique_ptr<SearchIndexes>> OpenIndexes(const VectorGeometry& space,
                                                     const VisiblePart* part) const override;

 private:
  const ReadTransaction& transaction_;
  std::unique_ptr<ReadTransaction> owned_;
  LocalTextsAndFacts texts_;
  LocalFilterSets filters_;
  LocalNoteRecords notes_;
  StoredModels models_;
  std::shared_ptr<RecentPostings> recent_;  // of all indexes opened here
};

}  // namespace recall
