#pragma once

// Streams over chunk rowids of what filters test. Removed chunks that no purge has deleted are
// among them: the caller knows which rows it asked for.

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "storage/documents/document_store.h"
#include "storage/store/store.h"

namespace recall {

using ChunkNumberVisitor = std::function<void(uint32_t row, int64_t value)>;
using ChunkTextVisitor = std::function<void(uint32_t row, std::string_view text)>;
using PassageVisitor =
    std::function<void(uint32_t row, std::string_view heading, std::string_view text)>;

// Rows [first, last], ascending. The text is valid until the visitor returns.
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

// Reads what depends on a chunk's document, which neighbouring chunks share: ids and texts. Leaves
// out chunks of documents that the transaction does not show, being at an older commit. Scans
// by ascending ranges of rows read every document, and nearly every block of text, once.
class ChunkReader final {
 public:
  // kScattered: rows far from each other are asked for, so no text is read ahead.
  enum class Access : uint8_t { kRanges, kScattered };
  explicit ChunkReader(const ReadTransaction& transaction, Access access = Access::kRanges)
      : transaction_(transaction), access_(access) {}

  // The chunk's id, or its document's, as 64 hexadecimal digits.
  Status ScanIds(uint32_t first, uint32_t last, const ChunkTextVisitor& visit);
  Status ScanDocIds(uint32_t first, uint32_t last, const ChunkTextVisitor& visit);
  // The bytes start_byte .. end_byte of the document. Corruption when a text cannot be read.
  Status ScanTexts(uint32_t first, uint32_t last, const ChunkTextVisitor& visit);
  // The same beside the chunk's heading.
  Status ScanPassages(uint32_t first, uint32_t last, const PassageVisitor& visit);

 private:
  // False when the transaction does not show the document.
  Result<bool> EnterDoc(uint32_t chunk_row, int64_t doc_row);
  Result<bool> IsHidden(int64_t doc_row) const;
  Status ReadWindow(uint64_t start, uint64_t end);

  const ReadTransaction& transaction_;
  Access access_;
  DocRow doc_;  // of the chunk read last; row 0: none yet
  // Its text's bytes from window_start_ on.
  std::string window_;
  uint64_t window_start_ = 0;
  int64_t hidden_doc_ = 0;  // the one left out last; 0: none yet
};

}  // namespace recall
