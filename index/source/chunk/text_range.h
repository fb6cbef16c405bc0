#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "index/source/chunk/chunk_span.h"

namespace recall {

// The limits of all parts of the chunker, derived once from the user's options.
struct ChunkLimits {
  explicit ChunkLimits(const ChunkOptions& options)
      : tokens(std::max<uint64_t>(options.chunk_tokens, 1)),
        bytes(std::max<uint64_t>(tokens * kBytesPerToken, 64)),
        overlap_tokens(std::min<uint64_t>(options.overlap_tokens, tokens / 2)),
        overlap_bytes(overlap_tokens * kBytesPerToken),
        indent_bytes(bytes / 4) {}

  // Prose has about 6 bytes per token and source code about 10, so only text with hardly any white
  // space (CJK, minified code, base64) reaches the limit in bytes before the limit in tokens.
  static constexpr uint64_t kBytesPerToken = 16;

  uint64_t tokens;
  uint64_t bytes;           // the maximum of a chunk, indentation included
  uint64_t overlap_tokens;  // at most half a chunk, so that windows advance and work is linear
  uint64_t overlap_bytes;
  uint64_t indent_bytes;  // longer indentation is not included in a chunk
};

// A piece of the text with at least one token. It starts at a token, or at the start of the line if
// only spaces and tabs precede the token, and it ends at the end of a token.
struct TextRange {
  uint64_t start = 0;
  uint64_t end = 0;
  uint64_t token = 0;  // index of the token it starts in
  uint64_t tokens = 0;
  uint32_t byte_in_token = 0;
  uint32_t start_line = 1;
  uint32_t end_line = 1;
};

// Joins two ranges in order and the text between them, which is white space unless they overlap.
inline TextRange Join(const TextRange& first, const TextRange& second) {
  TextRange joined = first;
  joined.end = second.end;
  joined.end_line = second.end_line;
  joined.tokens = second.token + second.tokens - first.token;
  return joined;
}

// The chunk that a range becomes.
inline ChunkSpan MakeChunkSpan(const TextRange& range, std::string heading) {
  return {.start_byte = range.start,
          .end_byte = range.end,
          .start_line = range.start_line,
          .end_line = range.end_line,
          .offset = range.token,
          .byte_in_token = range.byte_in_token,
          .tokens = static_cast<uint32_t>(range.tokens),
          .heading = std::move(heading)};
}

inline bool Fits(const TextRange& range, const ChunkLimits& limits) {
  return range.tokens <= limits.tokens && range.end - range.start <= limits.bytes;
}

// The beginning of a chunk whose first token is at `token_start`: the start of the line if only a
// reasonable amount of indentation precedes the token, so that code keeps its layout.
inline uint64_t IndentedStart(std::string_view text, uint64_t line_start, uint64_t token_start,
                              const ChunkLimits& limits) {
  if (token_start - line_start > limits.indent_bytes) return token_start;
  const std::string_view before = text.substr(line_start, token_start - line_start);
  return before.find_first_not_of(" \t") == std::string_view::npos ? line_start : token_start;
}

}  // namespace recall
