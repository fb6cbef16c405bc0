#include "index/check/chunk_headings.h"

#include <optional>
#include <utility>

#include "index/chunk/chunker.h"

namespace recall {

std::vector<std::string> ComputeHeadings(std::string_view text, std::string_view parser,
                                         const ChunkOptions& options,
                                         std::span<const ChunkRow> chunks) {
  const std::optional<Parser> known = ParserFromName(parser);
  if (!known || *known == Parser::kAuto) return {};
  std::vector<ChunkSpan> spans = ChunkText(text, *known, options);
  std::vector<std::string> headings;
  headings.reserve(chunks.size());
  auto span = spans.begin();
  for (const ChunkRow& chunk : chunks) {
    while (span != spans.end() && span->start_byte < chunk.start_byte) ++span;
    const bool same = span != spans.end() && span->start_byte == chunk.start_byte &&
                      span->end_byte == chunk.end_byte;
    if (!same) return {};
    headings.push_back(std::move(span->heading));
    ++span;
  }
  return headings;
}

}  // namespace recall
