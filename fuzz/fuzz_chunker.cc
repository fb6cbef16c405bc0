// The invariants of ChunkSpan, for every parser and for chunks as small as one token.
// Input: u8 parser, u8 chunk tokens - 1, u8 overlap, the outline of parser 5, then the text
// (ill-formed UTF-8 is replaced).

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/fuzz_target.h"
#include "index/base/text/tokenizer.h"
#include "index/base/text/utf8.h"
#include "index/source/chunk/chunker.h"

namespace recall {
namespace {

std::string WellFormed(std::string_view text) {
  std::string result;
  for (size_t position = 0; position < text.size();)
    AppendUtf8(DecodeUtf8(text, &position), &result);
  return result;
}

bool IsBlank(std::string_view text) { return CountTokens(text) == 0; }

uint32_t LineAt(std::string_view text, size_t position) {
  return 1 + static_cast<uint32_t>(
                 std::count(text.begin(), text.begin() + static_cast<ptrdiff_t>(position), '\n'));
}

bool StartsToken(std::string_view text, size_t position) {
  return position == 0 ||
         CountTokens(text.substr(0, position)) + CountTokens(text.substr(position)) ==
             CountTokens(text);
}

void CheckSpan(std::string_view text, const ChunkSpan& span, const ChunkOptions& options) {
  RECALL_CHECK(span.start_byte < span.end_byte && span.end_byte <= text.size());
  RECALL_CHECK(FloorToCharacter(text, span.start_byte) == span.start_byte);
  RECALL_CHECK(FloorToCharacter(text, span.end_byte) == span.end_byte);
  const std::string_view piece = text.substr(span.start_byte, span.end_byte - span.start_byte);
  RECALL_CHECK(span.tokens == CountTokens(piece));
  RECALL_CHECK(span.tokens >= 1 && span.tokens <= options.chunk_tokens);
  RECALL_CHECK(span.start_line == LineAt(text, span.start_byte));
  RECALL_CHECK(span.end_line == LineAt(text, span.end_byte - 1));
  RECALL_CHECK(IsValidUtf8(span.heading));
  // `offset` is the index of the token that contains the first character of the span.
  const uint64_t before = CountTokens(text.substr(0, span.start_byte));
  const bool cut = span.byte_in_token != 0;
  RECALL_CHECK(cut == !StartsToken(text, span.start_byte));
  RECALL_CHECK(span.offset + (cut ? 1 : 0) == before);
}

// u8 count, for each: u8 bytes behind the beginning of the definition before, u8 size, u8 whether
// it is within that one. Every fourth is a cut instead.
CodeOutline ReadOutline(ByteReader& reader) {
  CodeOutline outline;
  const size_t count = reader.Read<uint8_t>() % 32;
  uint64_t at = 0;
  for (size_t i = 0; i < count; ++i) {
    at += reader.Read<uint8_t>();
    const uint64_t size = reader.Read<uint8_t>() * 4u + 1;
    const uint8_t kind = reader.Read<uint8_t>();
    if (i % 4 == 3) {
      outline.cuts.push_back({at, kind});
      continue;
    }
    outline.definitions.push_back({.start_byte = at,
                                   .end_byte = at + size,
                                   .code_byte = at + size / 2,
                                   .kind = static_cast<SymbolKind>(kind % 13),
                                   .name = "d" + std::to_string(i)});
  }
  return outline;
}

// Makes an outline what code_outline.h promises for a text of `size` bytes.
void FitOutline(uint64_t size, CodeOutline* outline) {
  std::vector<Definition> fitting;
  std::vector<int32_t> enclosing;
  for (Definition& definition : outline->definitions) {
    while (!enclosing.empty() &&
           fitting[static_cast<size_t>(enclosing.back())].end_byte <= definition.start_byte) {
      enclosing.pop_back();
    }
    uint64_t limit = size;
    if (!enclosing.empty()) limit = fitting[static_cast<size_t>(enclosing.back())].end_byte;
    definition.end_byte = std::min(definition.end_byte, limit);
    if (definition.start_byte >= definition.end_byte) continue;
    definition.code_byte = std::min(definition.code_byte, definition.end_byte - 1);
    definition.parent = enclosing.empty() ? -1 : enclosing.back();
    enclosing.push_back(static_cast<int32_t>(fitting.size()));
    fitting.push_back(std::move(definition));
  }
  outline->definitions = std::move(fitting);
}

}  // namespace

void FuzzOne(ByteSpan input) {
  ByteReader reader(input);
  const uint8_t choice = reader.Read<uint8_t>() % 6;
  const bool has_outline = choice == 5;
  const auto parser = has_outline ? Parser::kCode : static_cast<Parser>(choice);
  ChunkOptions options;
  options.chunk_tokens = reader.Read<uint8_t>() + 1u;
  options.overlap_tokens = reader.Read<uint8_t>() % options.chunk_tokens;
  CodeOutline outline;
  if (has_outline) outline = ReadOutline(reader);
  const std::string text = WellFormed(AsText(TakeRest(reader)));

  FitOutline(text.size(), &outline);

  uint64_t covered = 0;
  uint64_t last_start = 0;
  for (const ChunkSpan& span : ChunkText(text, parser, options, has_outline ? &outline : nullptr)) {
    CheckSpan(text, span, options);
    RECALL_CHECK(span.start_byte >= last_start);
    if (span.start_byte > covered) {
      RECALL_CHECK(IsBlank(std::string_view(text).substr(covered, span.start_byte - covered)));
    }
    last_start = span.start_byte;
    covered = std::max(covered, span.end_byte);
  }
  RECALL_CHECK(IsBlank(std::string_view(text).substr(covered)));
}

}  // namespace recall
