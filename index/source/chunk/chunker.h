#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/source/chunk/chunk_span.h"
#include "index/source/chunk/code_outline.h"

namespace recall {

// kNote: Markdown whose front matter is the card of a note (index/source/note), and whose heading
// "## Context" always begins a chunk. kSession: the text of a session
// (index/source/session/session_text.h), of which each turn is a chunk, or several windows.
enum class Parser : uint8_t { kAuto, kPlain, kMarkdown, kCode, kNote, kSession };

std::string_view ParserName(
    Parser parser);  // "auto", "plain", "markdown", "code", "note", "session"
std::optional<Parser> ParserFromName(std::string_view name);
// `parser`, or the parser for the extension of the path if `parser` is kAuto.
Parser ResolveParser(Parser parser, std::string_view path);

// Divides text into chunks along its structure (docs/RETRIEVAL.md, "Chunks"). Small adjacent blocks
// under one heading share a chunk; a block too large for one becomes overlapping windows that start
// and end at lines, or at sentences where lines are long. Text must be valid UTF-8. Deterministic;
// linear in the size of the text. `outline`: with kCode, cut along its definitions; null: along the
// lines that look like definitions.
std::vector<ChunkSpan> ChunkText(std::string_view text, Parser parser, const ChunkOptions& options,
                                 const CodeOutline* outline = nullptr);

}  // namespace recall
