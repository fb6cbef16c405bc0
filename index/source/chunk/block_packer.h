#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/source/chunk/chunk_span.h"
#include "index/source/chunk/text_range.h"

namespace recall {

// The part of a document under one heading.
struct Section {
  std::string heading;  // "Guide > Install"
  std::string parent;   // "Guide"
  int level = 0;        // level of the heading, 1 to 6; 0: no heading
};

// Turns the blocks of a parser, in order, into chunks:
// - a block that fits is never split, and joins adjacent blocks of the section while they fit;
// - a block that does not fit is cut into windows, together with the blocks waiting to be joined
//   if these are less than a quarter of a chunk (a heading, the sentence that introduces a table);
// - sections of less than an eighth of a chunk join their siblings, under the parent's heading:
//     # Log            chunk "# Log .. all of 1.2 and 1.1", heading "Log"
//     ## 1.2           (both are tiny; with a long 1.2 they would be two chunks,
//     - fixed a bug     "Log > 1.2" and "Log > 1.1")
//     ## 1.1
//     - first
// - with page starts: what begins on one page joins nothing that begins on another.
class BlockPacker final {
 public:
  // The arguments must outlive the packer. Chunks are appended to *chunks. `page_starts` ascend.
  BlockPacker(std::string_view text, const ChunkLimits& limits,
              std::span<const uint64_t> page_starts, std::vector<ChunkSpan>* chunks)
      : text_(text), limits_(limits), page_starts_(page_starts), chunks_(chunks) {}

  void BeginSection(Section section);
  void Add(const TextRange& block);
  // Ends the chunk: the next block begins another one.
  void EndChunk();
  // Must be called after the last block.
  void Finish();

 private:
  struct Siblings {  // tiny sections waiting for further siblings
    TextRange range;
    Section section;
  };

  bool AreOnOtherPages(const TextRange& before, const TextRange& after) const;
  void EndSection();
  void FlushSiblings();
  void Emit(const TextRange& range);  // a chunk of the current section
  void Append(const TextRange& range, const std::string& heading);

  std::string_view text_;
  const ChunkLimits& limits_;
  std::span<const uint64_t> page_starts_;
  std::vector<ChunkSpan>* chunks_;
  Section section_;
  bool section_emitted_ = false;
  std::optional<TextRange> pending_;  // the chunk of the current section being filled
  std::optional<Siblings> siblings_;
};

}  // namespace recall
