#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "index/search/filter/filter.h"
#include "index/search/snapshot/snapshot.h"

namespace recall {

// The live chunks and documents that satisfy the scope of a Database, at one commit.
struct ScopeSets {
  Bitmap chunks;
  Bitmap docs;
  VisiblePart part;             // that they are
  bool depends_on_now = false;  // they may be others a moment later, at the same commit
  bool hides_private_notes_only = false;
  bool hides_nothing = false;  // neither live documents nor removed versions

  // Errors: those of FilterSets::Evaluate and Snapshot::PartOf.
  static Result<ScopeSets> Of(const Snapshot& snapshot, const FilterExpr& scope);
};

// A snapshot in which documents outside of a scope do not exist: no filter, path, id or citation
// finds them. Removed versions of documents are not shown, because the scope says nothing of them;
// but if only private notes are hidden, those of paths are shown of which no version was a private
// note. Counts, statistics of terms and the vocabulary are those of the other documents, so that
// neither explanations nor scores tell of what is hidden. Trained models remain those of the whole
// store.
class ScopedSnapshot final : public Snapshot {
 public:
  // `snapshot` and `sets` must outlive it.
  ScopedSnapshot(const Snapshot& snapshot, const ScopeSets& sets)
      : snapshot_(snapshot),
        part_(sets.part),
        texts_(snapshot.texts(), sets),
        filters_(snapshot.filters(), sets),
        notes_(snapshot.notes(), sets) {}

  const StoreCounts& counts() const override { return part_.counts; }
  const TextsAndFacts& texts() const override { return texts_; }
  const FilterSets& filters() const override { return filters_; }
  const NoteRecords& notes() const override { return notes_; }
  const ModelReader& models() const override { return snapshot_.models(); }
  Result<VisiblePart> PartOf(const VisibleRows& rows) const override {
    return snapshot_.PartOf(rows);
  }
  Result<std::unique_ptr<SearchIndexes>> OpenIndexes(const VectorGeometry& space,
                                                     const VisiblePart*) const override {
    return snapshot_.OpenIndexes(space, &part_);
  }

 private:
  class Texts final : public TextsAndFacts {
   public:
    Texts(const TextsAndFacts& all, const ScopeSets& sets) : all_(all), sets_(sets) {}

    Result<std::optional<DocRow>> FindDoc(std::string_view path) const override;
    Result<std::vector<DocRow>> FindRemovedVersions(std::string_view path) const override;
    Result<std::vector<DocRow>> FindDocsUnder(std::string_view directory) const override;
    Result<std::vector<DocRow>> FindDocsById(std::string_view hex_prefix,
                                             size_t limit) const override;
    Result<std::vector<ChunkRow>> FindChunksById(std::string_view hex_prefix,
                                                 size_t limit) const override;
    Status ScanLiveChunks(const SpanVisitor& visit) const override;
    Status ScanPaths(bool descending,
                     const std::function<bool(const PathEntry&)>& visit) const override;
    Status ScanMetadata(std::string_view key, const TextVisitor& visit) const override;

    // These are asked only for rows that the functions above, a filter or an index within the
    // scope have returned.
    Result<std::vector<ChunkRow>> ReadChunks(std::span<const uint32_t> chunks) const override {
      return all_.ReadChunks(chunks);
    }
    Result<std::vector<ChunkRow>> ReadChunksOf(const DocRow& doc) const override {
      return all_.ReadChunksOf(doc);
    }
    Result<DocRow> ReadDoc(int64_t doc_row) const override { return all_.ReadDoc(doc_row); }
    Result<std::vector<SourceRoot>> ReadSourceRoots() const override {
      return all_.ReadSourceRoots();
    }
    Result<StoreHome> ReadHome() const override { return all_.ReadHome(); }
    Result<std::optional<UnixNanos>> CommittedAt(int64_t sequence) const override {
      return all_.CommittedAt(sequence);
    }
    Result<std::string> ReadSuppliedVector(int64_t doc_row) const override {
      return all_.ReadSuppliedVector(doc_row);
    }
    Result<std::optional<ExtractionRow>> ReadExtraction(int64_t doc_row) const override {
      return all_.ReadExtraction(doc_row);
    }
    Result<std::string> ReadGrammar(int64_t doc_row) const override {
      return all_.ReadGrammar(doc_row);
    }
    Result<std::vector<std::string>> ReadSearchedLanguages() const override {
      return all_.ReadSearchedLanguages();
    }
    Status ScanSymbols(uint32_t chunk, const SymbolVisitor& visit) const override {
      return all_.ScanSymbols(chunk, visit);
    }
    Status FindSymbols(const SymbolNameRange& names, const SymbolVisitor& visit) const override {
      return all_.FindSymbols(names, visit);
    }
    Result<std::string> ReadText(const DocRow& doc, uint64_t start, uint64_t end) const override {
      return all_.ReadText(doc, start, end);
    }
    Result<std::vector<std::string>> ReadTextBlocks(const DocRow& doc) const override {
      return all_.ReadTextBlocks(doc);
    }
    Status ScanTextGrams(
        const std::function<void(int64_t doc_row, ByteSpan grams)>& visit) const override {
      return all_.ScanTextGrams(visit);
    }
    Status ScanPassages(std::span<const uint32_t> chunks,
                        const PassageVisitor& visit) const override {
      return all_.ScanPassages(chunks, visit);
    }
    // A transcript may have sessions that are hidden.
    Result<std::optional<std::string>> ReadTranscript(std::string_view) const override {
      return std::nullopt;
    }
    Result<std::optional<std::string>> ReadWordDictionary() const override {
      return all_.ReadWordDictionary();
    }
    Status ScanChunkWords(
        std::span<const uint32_t> chunks,
        const std::function<void(uint32_t index, ByteSpan record)>& visit) const override {
      return all_.ScanChunkWords(chunks, visit);
    }
    Result<std::optional<std::string>> ReadModelPart(std::string_view kind) const override {
      return all_.ReadModelPart(kind);
    }

   private:
    bool Shows(const DocRow& doc) const;
    bool ShowsPartOf(RowSpan span) const;

    const TextsAndFacts& all_;
    const ScopeSets& sets_;
  };

  class Filters final : public FilterSets {
   public:
    Filters(const FilterSets& all, const ScopeSets& sets) : all_(all), sets_(sets) {}
    Result<FilterOutcome> Evaluate(const CompiledFilter& filter, FilterDomain domain,
                                   const VisibleRows* visible = nullptr) const override;
    bool IsScoped() const override { return true; }
    Result<std::optional<Bitmap>> Visible(FilterDomain domain) const override;

   private:
    const FilterSets& all_;
    const ScopeSets& sets_;
  };

  // A link is shown if both of its ends are shown or missing, here and in filters.
  class Notes final : public NoteRecords {
   public:
    Notes(const NoteRecords& all, const ScopeSets& sets) : all_(all), sets_(sets) {}

    Result<bool> HasNotes() const override { return all_.HasNotes(); }
    Result<bool> HasRemovedPrivateNotes() const override { return all_.HasRemovedPrivateNotes(); }
    Result<std::vector<LinkRecord>> LinksAt(LinkEnd end, std::string_view path) const override;
    Result<DocumentRecords> RecordsOf(std::string_view path) const override;
    Result<std::optional<NoteFacts>> FindFacts(int64_t doc_row, UnixNanos as_of) const override;
    Result<std::optional<NoteState>> FindState(int64_t doc_row, UnixNanos as_of) const override;
    Status ScanFacts(UnixNanos as_of,
                     const std::function<void(const NoteFacts&)>& visit) const override;
    Status ScanLinks(const std::function<void(const NamedLink&)>& visit) const override;
    Result<std::string> PathOf(int64_t name) const override { return all_.PathOf(name); }

   private:
    bool Shows(int64_t doc_row) const;
    template <typename Link>
    bool ShowsEndsOf(const Link& link) const;

    const NoteRecords& all_;
    const ScopeSets& sets_;
  };

  const Snapshot& snapshot_;
  const VisiblePart& part_;
  Texts texts_;
  Filters filters_;
  Notes notes_;
};

// What a Database with an optional scope reads of a commit.
class VisibleSnapshot final {
 public:
  // `sets`: of the commit of `all`; null: everything is visible. `all` must outlive the object.
  VisibleSnapshot(const Snapshot& all, std::shared_ptr<const ScopeSets> sets)
      : all_(&all), sets_(std::move(sets)) {
    if (sets_) scoped_ = std::make_unique<const ScopedSnapshot>(all, *sets_);
  }

  const Snapshot& snapshot() const { return scoped_ ? *scoped_ : *all_; }
  // Whether facts of the whole store, such as the size of its file, may be told.
  bool tells_all() const { return !sets_ || sets_->hides_nothing; }

 private:
  const Snapshot* all_;
  std::shared_ptr<const ScopeSets> sets_;
  std::unique_ptr<const ScopedSnapshot> scoped_;
};

}  // namespace recall
