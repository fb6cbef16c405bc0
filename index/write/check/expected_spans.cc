#include "index/write/check/expected_spans.h"

#include <optional>
#include <utility>

#include "index/source/chunk/chunker.h"

namespace recall {

std::vector<ChunkSpan> ComputeSpans(std::string_view text, std::string_view parser,
                                    const ChunkOptions& options, std::span<const ChunkRow> chunks) {
  const std::optional<Parser> known = ParserFromName(parser);
  if (!known || *known == Parser::kAuto) return {};
  std::vector<ChunkSpan> spans = ChunkText(text, *known, options);
  std::vector<ChunkSpan> expected;
  expected.reserve(chunks.size());
  auto span = spans.begin();
  for (const ChunkRow& chunk : chunks) {
    while (span != spans.end() && span->start_byte < chunk.start_byte) ++span;
    const bool same = span != spans.end() && span->start_byte == chunk.start_byte &&
                      span->end_byte == chunk.end_byte;
    if (!same) return {};
    expected.push_back(std::move(*span++));
  }
  return expected;
}

bool HasPlaceOf(const ChunkRow& chunk, const ChunkSpan& span) {
  return chunk.start_byte == span.start_byte && chunk.end_byte == span.end_byte &&
         chunk.start_line == span.start_line && chunk.end_line == span.end_line &&
         chunk.offset == span.offset && chunk.byte_in_token == span.byte_in_token;
}

}  // namespace recall
