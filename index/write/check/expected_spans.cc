#include "index/write/check/expected_spans.h"

#include <optional>
#include <utility>

#include "index/source/chunk/chunker.h"

namespace recall {
namespace {

// Those of `spans` that the chunks have; empty if a chunk is none of them.
std::vector<ChunkSpan> SpansOfChunks(std::vector<ChunkSpan> spans,
                                     std::span<const ChunkRow> chunks) {
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

}  // namespace

std::vector<ChunkSpan> ComputeSpans(std::string_view text, std::string_view parser,
                                    const ChunkOptions& options,
                                    std::span<const uint64_t> page_starts,
                                    std::span<const ChunkRow> chunks) {
  const std::optional<Parser> known = ParserFromName(parser);
  if (!known || *known == Parser::kAuto) return {};
  std::vector<ChunkSpan> spans =
      SpansOfChunks(ChunkText(text, *known, options, nullptr, page_starts), chunks);
  if (!spans.empty() || page_starts.empty()) return spans;
  return SpansOfChunks(ChunkText(text, *known, options), chunks);
}

bool HasPlaceOf(const ChunkRow& chunk, const ChunkSpan& span) {
  return chunk.start_byte == span.start_byte && chunk.end_byte == span.end_byte &&
         chunk.start_line == span.start_line && chunk.end_line == span.end_line &&
         chunk.offset == span.offset && chunk.byte_in_token == span.byte_in_token;
}

}  // namespace recall
