#include "index/source/chunk/chunker.h"

#include "index/source/chunk/block_packer.h"
#include "index/source/chunk/chunk_parsers.h"
#include "index/source/chunk/outline_chunker.h"

namespace recall {
std::vector<ChunkSpan> ChunkText(std::string_view text, Parser parser, const ChunkOptions& options,
                                 const CodeOutline* outline,
                                 std::span<const uint64_t> page_starts) {
  const ChunkLimits limits(options);
  std::vector<ChunkSpan> chunks;
  BlockPacker packer(text, limits, page_starts, &chunks);
  switch (parser) {
    case Parser::kMarkdown:
      ParseMarkdownBlocks(text, limits, &packer);
      break;
    case Parser::kNote:
      ParseNoteBlocks(text, limits, &packer);
      break;
    case Parser::kSession:
      ParseTurnBlocks(text, limits, &packer);
      break;
    case Parser::kCode:
      if (outline != nullptr) return CutAtDefinitions(text, *outline, limits);
      ParseCodeBlocks(text, limits, &packer);
      break;
    case Parser::kAuto:
    case Parser::kPlain:
      ParsePlainBlocks(text, limits, &packer);
      break;
  }
  packer.Finish();
  return chunks;
}

void AddNameSpan(std::vector<ChunkSpan>* spans) { spans->emplace_back(); }

}  // namespace recall
