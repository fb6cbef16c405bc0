#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/result.h"

namespace recall {

// A piece of a transcript: a zstd frame of `size` bytes of its text.
struct TranscriptBlock {
  int64_t size = 0;
  std::string data;
};

// Compresses a text that is given line by line. Not thread-safe.
class TranscriptPacker final {
 public:
  void AddLine(std::string_view line);  // without its newline
  std::vector<TranscriptBlock> Finish() &&;

 private:
  void EndBlock();

  std::string waiting_;
  std::vector<TranscriptBlock> blocks_;
};

// The text of the pieces. Errors: Corruption.
Result<std::string> JoinTranscriptBlocks(const std::vector<TranscriptBlock>& blocks);

}  // namespace recall
