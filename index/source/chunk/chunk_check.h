#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "index/source/chunk/chunk_span.h"

namespace recall {

// Compares imported chunks of one document, given in order, with its text: the positions and counts
// in the file must be those that Recall computes. Linear in the size of the text: chunks that
// repeat it too often are refused.
class ChunkCheck final {
 public:
  // `text` must outlive the object. If `rebuilt`, the text was assembled from the chunks and may
  // have gaps, so token offsets are not checked.
  ChunkCheck(std::string_view text, bool rebuilt);

  // The reason why `span` cannot be the next chunk ("start_line is 3, but the chunk starts in line
  // 4"); empty if it can.
  std::string Objection(const ChunkSpan& span);

 private:
  bool IsNameSpan(const ChunkSpan& span);
  std::string RangeObjection(const ChunkSpan& span) const;
  std::string LineObjection(const ChunkSpan& span);
  std::string TokenObjection(const ChunkSpan& span);
  void MoveToToken(uint64_t start);

  std::string_view text_;
  bool rebuilt_;
  bool is_utf8_;
  bool first_ = true;
  uint64_t bytes_left_;  // the maximum total size of the remaining chunks
  uint64_t last_start_ = 0;
  uint64_t last_offset_ = 0;
  uint32_t last_byte_in_token_ = 0;
  uint32_t line_ = 1;  // of last_start_

  // The state of counting tokens: if in_token_ is set, `at_` is inside token number tokens_ - 1.
  uint64_t at_ = 0;
  uint64_t tokens_ = 0;
  uint64_t token_start_ = 0;
  bool in_token_ = false;
};

// The reason why the symbols of the chunks of a document cannot be of its text: a definition that
// ends behind the last chunk; empty if they can.
std::string SymbolObjection(const std::vector<ChunkSpan>& spans);

}  // namespace recall
