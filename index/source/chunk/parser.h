#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace recall {

// How a text is divided into chunks (chunker.h).
//
// kNote: Markdown whose front matter is the card of a note (index/source/note), and whose heading
// "## Context" always begins a chunk. kSession: the text of a session
// (index/source/session/session_text.h), of which each turn is a chunk, or several windows.
enum class Parser : uint8_t { kAuto, kPlain, kMarkdown, kCode, kNote, kSession };

// "auto", "plain", "markdown", "code", "note", "session".
std::string_view ParserName(Parser parser);
std::optional<Parser> ParserFromName(std::string_view name);
// `parser`, or the parser for the extension of the path if `parser` is kAuto.
Parser ResolveParser(Parser parser, std::string_view path);

}  // namespace recall
