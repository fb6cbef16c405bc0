#pragma once

// Reads ranges of texts that are near each other. An answer reads the text of a chunk, the lines
// around it and the lines that it cites, and each of these would decompress the same block
// (kTextBlockBytes) again.

#include <array>
#include <cstdint>
#include <string>

#include "storage/base/result.h"
#include "storage/documents/document_store.h"

namespace recall {

class ReadTransaction;

// Keeps the blocks that were read last: 512 KiB at most. Belongs to one transaction, because its
// rows are those of one commit. Not thread-safe.
class RecentText final {
 public:
  // As recall::ReadText. Requires: the same transaction at each call.
  Result<std::string> Read(const ReadTransaction& transaction, const DocRow& doc, uint64_t start,
                           uint64_t end);

 private:
  struct Block {
    int64_t id = 0;  // in the table text_block, from 1; 0: none
    std::string text;
  };

  // The block `number` of a document. Valid until the next call. Errors: Corruption.
  Result<const std::string*> Find(const ReadTransaction& transaction, const DocRow& doc,
                                  uint64_t number);

  std::array<Block, 16> blocks_;
  size_t next_ = 0;  // the block that is replaced next: the oldest
};

}  // namespace recall
