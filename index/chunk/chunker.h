#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/chunk/chunk_span.h"

namespace recall {

enum class Parser : uint8_t { kAuto, kPlain, kMarkdown, kCode };

std::string_view ParserName(Parser parser);  // "auto", "plain", "markdown", "code"
std::optional<Parser> ParserFromName(std::string_view name);
// The parser for a path's extension when `parser` is kAuto, else `parser`.
Parser ResolveParser(Parser parser, std::string_view path);

// Cuts text where its structure allows it (docs/RETRIEVAL.md, "Chunks"). Small neighbouring
// blocks under one heading share a chunk; a block too large for one becomes overlapping windows
// that start and end at lines, or sentences where lines are long. Text must be valid UTF-8.
// Deterministic; linear in the size of the text.
std::vector<ChunkSpan> ChunkText(std::string_view text, Parser parser, const ChunkOptions& options);

}  // namespace recall
