// Plain text: a block is a paragraph, the lines up to a blank one.

#include <optional>

#include "index/source/chunk/chunk_parsers.h"
#include "index/source/chunk/line_reader.h"

namespace recall {

void ParsePlainBlocks(std::string_view text, const ChunkLimits& limits, BlockPacker* packer) {
  LineReader reader(text, limits);
  std::optional<TextRange> paragraph;
  for (Line line; reader.Next(&line);) {
    if (!line.blank()) {
      paragraph = paragraph ? Join(*paragraph, line.range) : line.range;
    } else if (paragraph) {
      packer->Add(*paragraph);
      paragraph.reset();
    }
  }
  if (paragraph) packer->Add(*paragraph);
}

}  // namespace recall
