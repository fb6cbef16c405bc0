#pragma once

// Streams the values of live documents that filters test. Each scan reads the narrowest source: an
// index if there is one, else the rows of the table. About 0.1 microseconds a row.
//
// Every scan passes either the chunk rowids or the document rows. Impossible rows are Corruption,
// document rows beyond 32 bits LimitExceeded. Stores of version 1 are read in the same way, at the
// cost of a look-up a row, except metadata: see HasMetadataIndex.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "storage/base/coding.h"
#include "storage/base/number.h"
#include "storage/store/store.h"

namespace recall {

enum class RowUnit : uint8_t { kChunks, kDocs };

// Rows first .. first + count - 1: a document's chunk rowids, possibly none, or its own row.
struct RowSpan {
  uint32_t first = 0;
  uint32_t count = 0;
};

using SpanVisitor = std::function<void(RowSpan)>;
using TextVisitor = std::function<void(std::string_view, RowSpan)>;  // text valid during the call
using IntegerVisitor = std::function<void(int64_t, RowSpan)>;
using NumberVisitor = std::function<void(Number, RowSpan)>;

// low <= text < high, byte by byte.
struct TextInterval {
  std::string low;
  std::optional<std::string> high;  // none: no upper limit

  bool operator==(const TextInterval&) const = default;
};

// Visits every live document, in unspecified order.
Status ScanLiveDocs(const ReadTransaction& transaction, RowUnit unit, const SpanVisitor& visit);

// Visits every live session (kSessionParser), in unspecified order.
Status ScanSessions(const ReadTransaction& transaction, RowUnit unit, const SpanVisitor& visit);

// A live document and its chunk rowids, as stored in the index on paths.
struct PathEntry {
  std::string_view path;  // valid until the visitor returns
  int64_t doc_row = 0;
  uint32_t first_chunk = 0;
  uint32_t chunk_count = 0;
};

// Visits every live document, by path in byte order (or the reverse), until `visit` returns false.
Status ScanPaths(const ReadTransaction& transaction, bool descending,
                 const std::function<bool(const PathEntry&)>& visit);

// Visits documents with a text in `range`, by that text. Documents without one are left out.
enum class IndexedText : uint8_t { kPath, kTag, kSource };
Status ScanIndexedText(const ReadTransaction& transaction, IndexedText column, RowUnit unit,
                       const TextInterval& range, const TextVisitor& visit);

// Which texts of an index are wanted.
struct TextTest {
  std::function<bool(std::string_view)> passes;
  // Null, or finds bytes that each text contains that passes (IndexQuestion::find).
  std::function<size_t(ByteSpan bytes, size_t from)> find;
};

// The same for the texts in `range` that pass, by reading the pages of the index past SQLite.
// Returns false if that is not possible; some documents were perhaps not visited then, and
// ScanIndexedText must be used.
Result<bool> ScanTextIndex(const ReadTransaction& transaction, IndexedText column, RowUnit unit,
                           const TextInterval& range, const TextTest& test,
                           const SpanVisitor& visit);

// Visits documents with an mtime in [low, high], by mtime.
Status ScanMtimes(const ReadTransaction& transaction, RowUnit unit, int64_t low, int64_t high,
                  const IntegerVisitor& visit);

// Visits documents without an mtime.
Status ScanWithoutMtime(const ReadTransaction& transaction, RowUnit unit, const SpanVisitor& visit);

// Visits a column of every live document, by document row; documents without a value are left out.
// Ids and hashes are 64 hexadecimal digits.
enum class DocText : uint8_t { kId, kHash, kMeta, kParser, kOrigin, kLanguage };
enum class DocNumber : uint8_t { kSize, kTokens, kChunks };
Status ScanDocTexts(const ReadTransaction& transaction, DocText column, RowUnit unit,
                    const TextVisitor& visit);
Status ScanDocNumbers(const ReadTransaction& transaction, DocNumber column, RowUnit unit,
                      const IntegerVisitor& visit);

// The sizes of a document that are summed in StoreCounts.
struct DocSizes {
  int64_t tokens = 0;
  int64_t lexical_tokens = 0;
  int64_t text_bytes = 0;
};

// Visits every live document: its row, its chunk rowids and its sizes, in unspecified order.
Status ScanDocSizes(
    const ReadTransaction& transaction,
    const std::function<void(int64_t doc_row, RowSpan chunks, const DocSizes& sizes)>& visit);

// Visits the versions that commit `sequence` or an earlier one removed and that have not been
// purged, in no particular order.
Status ScanRemovedDocs(const ReadTransaction& transaction, int64_t sequence,
                       const SpanVisitor& visit);

// ---- Metadata by its index (docs/format/store.md, "doc_meta") -----------------------------------

// False for a store of version 1 that has not been opened for writing since. Then the scans below
// fail, and the caller must use ScanDocTexts of kMeta.
Result<bool> HasMetadataIndex(const ReadTransaction& transaction);

// Whether any live document has a top-level key (with a value other than null).
Result<bool> HasMetadataKey(const ReadTransaction& transaction, std::string_view key);
// Visits documents that have the key, each once or more.
Status ScanMetadataKey(const ReadTransaction& transaction, std::string_view key, RowUnit unit,
                       const SpanVisitor& visit);
// Visits the scalars of the key, dates and numbers as texts. Works without the index, too.
Status ScanMetadataValues(const ReadTransaction& transaction, std::string_view key, RowUnit unit,
                          const TextVisitor& visit);
// Visits texts in `range`, of kind kMetaText or kMetaDate, by text.
Status ScanMetadataTexts(const ReadTransaction& transaction, std::string_view key, int64_t kind,
                         RowUnit unit, const TextInterval& range, const TextVisitor& visit);
// Visits numbers in [low, high], of kind kMetaNumber or kMetaInstant, by number.
Status ScanMetadataNumbers(const ReadTransaction& transaction, std::string_view key, int64_t kind,
                           RowUnit unit, const Number& low, const Number& high,
                           const NumberVisitor& visit);

}  // namespace recall
