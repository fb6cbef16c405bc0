#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/coding.h"
#include "storage/documents/chunk_scan.h"
#include "storage/documents/document_store.h"
#include "storage/documents/live_scan.h"
#include "storage/tables/source_roots.h"
#include "storage/tables/symbol_table.h"

namespace recall {

// A question has forms of its words in this many languages at most.
inline constexpr size_t kMostSearchedLanguages = 4;

// Reads the rows and texts of documents and chunks, and the model that was trained on them, at one
// commit. All calls must be made on the thread of the snapshot. A call may be a round trip to a
// server, so callers request several rows at a time where they can. Errors of all calls:
// Corruption, and those of the connection to the store.
class TextsAndFacts {
 public:
  virtual ~TextsAndFacts() = default;

  // The rows of these chunks, in the same order. Requires: an index or a row of the commit names
  // them. Errors: Corruption if one of them does not exist.
  virtual Result<std::vector<ChunkRow>> ReadChunks(std::span<const uint32_t> chunks) const = 0;
  // All chunks of a document version, by chunk rowid.
  virtual Result<std::vector<ChunkRow>> ReadChunksOf(const DocRow& doc) const = 0;
  // The row of a document version. Requires, and errors: as for ReadChunks.
  virtual Result<DocRow> ReadDoc(int64_t doc_row) const = 0;
  // The live document at a path; nullopt if there is none.
  virtual Result<std::optional<DocRow>> FindDoc(std::string_view path) const = 0;
  // The versions of a path that are removed but not purged, the last removed first. A snapshot of
  // an older commit shows none.
  virtual Result<std::vector<DocRow>> FindRemovedVersions(std::string_view path) const = 0;
  // Live documents whose path is `directory` or below it, by path.
  virtual Result<std::vector<DocRow>> FindDocsUnder(std::string_view directory) const = 0;
  // Live documents (chunks of live documents) whose id starts with the hexadecimal prefix, by id,
  // at most `limit`.
  virtual Result<std::vector<DocRow>> FindDocsById(std::string_view hex_prefix,
                                                   size_t limit) const = 0;
  virtual Result<std::vector<ChunkRow>> FindChunksById(std::string_view hex_prefix,
                                                       size_t limit) const = 0;
  // The directories that files were added from under names of their own.
  virtual Result<std::vector<SourceRoot>> ReadSourceRoots() const = 0;
  // The directory beside which the files of the store lay when they were last added.
  virtual Result<StoreHome> ReadHome() const = 0;
  // When the commit `sequence` was made, or else the oldest one that is known; nothing if none is.
  virtual Result<std::optional<UnixNanos>> CommittedAt(int64_t sequence) const = 0;
  // The record of the user-supplied embedding of a document version (EncodeSuppliedVector); "" if
  // it has none.
  virtual Result<std::string> ReadSuppliedVector(int64_t doc_row) const = 0;
  // How the text of a document version was extracted; nothing if it is that of the file.
  virtual Result<std::optional<ExtractionRow>> ReadExtraction(int64_t doc_row) const = 0;
  // By which grammar a document version was cut; "" if by none.
  virtual Result<std::string> ReadGrammar(int64_t doc_row) const = 0;
  // The languages with Latin letters that have stems and in which documents are: of many the most
  // frequent kMostSearchedLanguages.
  virtual Result<std::vector<std::string>> ReadSearchedLanguages() const = 0;
  // Visits the definitions of source code that are in a chunk.
  virtual Status ScanSymbols(uint32_t chunk, const SymbolVisitor& visit) const = 0;
  // Visits the definitions with a name in a range, by name and then by chunk. They may be of chunks
  // that the commit does not show: the caller compares them with ScanLiveChunks or a filter.
  virtual Status FindSymbols(const SymbolNameRange& names, const SymbolVisitor& visit) const = 0;
  // Bytes start .. end of a document, clamped to the size of the text.
  virtual Result<std::string> ReadText(const DocRow& doc, uint64_t start, uint64_t end) const = 0;
  // The whole text of a document, compressed as it is stored (DecompressText).
  virtual Result<std::vector<std::string>> ReadTextBlocks(const DocRow& doc) const = 0;
  // Visits the trigrams of texts (MakeTextGrams) by document. The documents may be such that the
  // commit does not show.
  virtual Status ScanTextGrams(
      const std::function<void(int64_t doc_row, ByteSpan grams)>& visit) const = 0;
  // Visits the headings and texts of `chunks`, in their order. The visitor gets the index of the
  // chunk in `chunks`. Chunks of documents that the commit does not show are left out. Fastest for
  // ascending rows: neighbours share a block of text.
  virtual Status ScanPassages(std::span<const uint32_t> chunks,
                              const PassageVisitor& visit) const = 0;
  // The transcript that sessions were captured from, without its secrets; nullopt if it was not
  // kept. It is the newest one, whatever the commit. `source`: SessionMeta::transcript.
  virtual Result<std::optional<std::string>> ReadTranscript(std::string_view source) const = 0;
  // The dictionary of the forward index (index/search/ngram/word_dictionary.h), as it is stored;
  // nullopt if there is no forward index.
  virtual Result<std::optional<std::string>> ReadWordDictionary() const = 0;
  // Visits the records of `chunks` in the forward index (index/search/ngram/forward_record.h), in
  // their order. The visitor gets the index of the chunk in `chunks`. Chunks without a record are
  // left out; their words are in their texts. Requires: ReadWordDictionary returned a dictionary;
  // `chunks` is ascending.
  virtual Status ScanChunkWords(
      std::span<const uint32_t> chunks,
      const std::function<void(uint32_t index, ByteSpan record)>& visit) const = 0;
  // Visits the chunk rowids of every live document, as one span each, in unspecified order.
  virtual Status ScanLiveChunks(const SpanVisitor& visit) const = 0;
  // Visits the live documents by path, in byte order or, if `descending`, in the reverse order,
  // until `visit` returns false.
  virtual Status ScanPaths(bool descending,
                           const std::function<bool(const PathEntry&)>& visit) const = 0;
  // Visits the texts and numbers that live documents have under a top-level key of their metadata,
  // in a list or alone, with the chunk rowids of the document: each value once or more, in
  // unspecified order. A number is visited as text.
  virtual Status ScanMetadata(std::string_view key, const TextVisitor& visit) const = 0;
  // A part of the active model of the commit; nullopt if there is no model. Errors: Corruption if
  // the model lacks the part.
  virtual Result<std::optional<std::string>> ReadModelPart(std::string_view kind) const = 0;

  // The row of one chunk, as by ReadChunks.
  Result<ChunkRow> ReadChunk(uint32_t chunk) const {
    RECALL_ASSIGN(std::vector<ChunkRow> rows, ReadChunks({&chunk, 1}));
    return std::move(rows.front());
  }
};

}  // namespace recall
