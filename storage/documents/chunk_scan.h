#pragma once

// Streams the values of chunks that filters test, by chunk rowid. Removed chunks that have not been
// purged are included; the caller knows which rows it wants.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "storage/documents/document_store.h"
#include "storage/store/store.h"

namespace recall {

using ChunkNumberVisitor = std::function<void(uint32_t row, int64_t value)>;
using ChunkTextVisitor = std::function<void(uint32_t row, std::string_view text)>;
using PassageVisitor =
    std::function<void(uint32_t row, std::string_view heading, std::string_view text)>;

// Visits rows [first, last], ascending. The text is valid until the visitor returns.
enum class ChunkNumber : uint8_t {
  kOffset,
  kTokens,
  kStartByte,
  kEndByte,
  kStartLine,
  kEndLine,
  kLexicalTokens,
};
Status ScanChunkNumbers(const ReadTransaction& transaction, ChunkNumber column, uint32_t first,
                        uint32_t last, const ChunkNumberVisitor& visit);
Status ScanChunkHeadings(const ReadTransaction& transaction, uint32_t first, uint32_t last,
                         const ChunkTextVisitor& visit);

// The chunks of the document that a chunk belongs to: their first rowid and their number. Nothing
// if there is no such chunk.
struct ChunkRowRange {
  uint32_t first = 0;
  uint32_t count = 0;
};
Result<std::optional<ChunkRowRange>> FindRowsOfDocument(Connection& connection, uint32_t chunk);

// Reads values that depend on a chunk's document, which neighbouring chunks share: ids and texts.
// Leaves out chunks of documents that the transaction does not contain because it reads an older
// commit. If ranges of rows ascend, every document, and nearly every block of text, is read once.
class ChunkReader final {
 public:
  // kScattered: the rows are far from each other, so no text is read ahead.
  enum class Access : uint8_t { kRanges, kScattered };
  explicit ChunkReader(const ReadTransaction& transaction, Access access = Access::kRanges)
      : transaction_(transaction), access_(access) {}

  // The chunk's id, or its document's, as 64 hexadecimal digits.
  Status ScanIds(uint32_t first, uint32_t last, const ChunkTextVisitor& visit);
  Status ScanDocIds(uint32_t first, uint32_t last, const ChunkTextVisitor& visit);
  // The bytes start_byte .. end_byte of the document. Corruption when a text cannot be read.
  Status ScanTexts(uint32_t first, uint32_t last, const ChunkTextVisitor& visit);
  // The same, with the chunk's heading.
  Status ScanPassages(uint32_t first, uint32_t last, const PassageVisitor& visit);

 private:
  // False if the transaction does not contain the document.
  Result<bool> EnterDoc(uint32_t chunk_row, int64_t doc_row);
  Result<bool> IsHidden(int64_t doc_row) const;
  Status ReadWindow(uint64_t start, uint64_t end);

  const ReadTransaction& transaction_;
  Access access_;
  DocRow doc_;  // of the last chunk read; row 0: none yet
  // Bytes of its text from window_start_ on.
  std::string window_;
  uint64_t window_start_ = 0;
  int64_t hidden_doc_ = 0;  // the last document left out; 0: none yet
};

}  // namespace recall
