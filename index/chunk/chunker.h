#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace recall {

enum class Parser : uint8_t { kAuto, kPlain, kMarkdown, kCode };

std::string_view ParserName(Parser parser);  // "auto", "plain", "markdown", "code"
std::optional<Parser> ParserFromName(std::string_view name);
// The parser for a path's extension when `parser` is kAuto, else `parser`.
Parser ResolveParser(Parser parser, std::string_view path);

struct ChunkOptions {
  uint32_t chunk_tokens = 256;   // most whitespace tokens in a chunk
  uint32_t overlap_tokens = 32;  // tokens a window repeats of the one before it; < chunk_tokens
};

// A byte range of the text. Spans ascend by start_byte; their union holds every byte that is not
// white space; every span has at least one token and starts and ends at a character.
struct ChunkSpan {
  uint64_t start_byte = 0;
  uint64_t end_byte = 0;       // exclusive
  uint32_t start_line = 1;     // from 1
  uint32_t end_line = 1;       // the line of the last byte
  uint64_t offset = 0;         // index of the whitespace token the span starts in
  uint32_t byte_in_token = 0;  // not 0 when a token too long for a chunk was cut
  uint32_t tokens = 0;
  std::string heading;  // "Guide > Install", outermost first; empty when there is none
};

// Cuts text where its structure allows it (docs/RETRIEVAL.md, "Chunks"). Small neighbouring
// blocks under one heading share a chunk; a block too large for one becomes overlapping windows
// that start and end at lines, or sentences where lines are long. Text must be valid UTF-8.
// Deterministic; linear in the size of the text.
std::vector<ChunkSpan> ChunkText(std::string_view text, Parser parser, const ChunkOptions& options);

}  // namespace recall
