// The invariants of ChunkSpan, for every parser and for chunks as small as one token.
// Input: u8 parser, u8 chunk tokens - 1, u8 overlap, then the text (ill-formed UTF-8 is replaced).

#include <algorithm>
#include <string>

#include "fuzz/fuzz_target.h"
#include "index/chunk/chunker.h"
#include "index/text/tokenizer.h"
#include "index/text/utf8.h"

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

}  // namespace

void FuzzOne(ByteSpan input) {
  ByteReader reader(input);
  const auto parser = static_cast<Parser>(reader.Read<uint8_t>() % 5);
  ChunkOptions options;
  options.chunk_tokens = reader.Read<uint8_t>() + 1u;
  options.overlap_tokens = reader.Read<uint8_t>() % options.chunk_tokens;
  const std::string text = WellFormed(AsText(TakeRest(reader)));

  uint64_t covered = 0;
  uint64_t last_start = 0;
  for (const ChunkSpan& span : ChunkText(text, parser, options)) {
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
