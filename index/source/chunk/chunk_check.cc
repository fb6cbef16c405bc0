#include "index/source/chunk/chunk_check.h"

#include <algorithm>

#include "index/base/text/ascii_swar.h"
#include "index/base/text/tokenizer.h"
#include "index/base/text/utf8.h"
#include "index/source/chunk/token_scan.h"

namespace recall {
namespace {

// Chunks of this program repeat at most half of the preceding chunk; those of recall 0.1 repeat all
// but one word.
constexpr uint64_t kMostRepetition = 256;

std::string Differs(std::string_view field, uint64_t given, std::string_view text_says,
                    uint64_t found) {
  return std::string(field) + " is " + std::to_string(given) + ", but " + std::string(text_says) +
         " " + std::to_string(found);
}

}  // namespace

ChunkCheck::ChunkCheck(std::string_view text, bool rebuilt)
    : text_(text),
      rebuilt_(rebuilt),
      is_utf8_(IsValidUtf8(text)),
      bytes_left_(text.size() * kMostRepetition) {}

std::string ChunkCheck::Objection(const ChunkSpan& span) {
  if (IsNameSpan(span)) return {};
  std::string objection = RangeObjection(span);
  if (objection.empty()) objection = LineObjection(span);
  if (objection.empty()) objection = TokenObjection(span);
  first_ = false;
  last_start_ = span.start_byte;
  last_offset_ = span.offset;
  last_byte_in_token_ = span.byte_in_token;
  return objection;
}

// Whether it is the span of AddNameSpan. No span can follow it, because the text has no word.
bool ChunkCheck::IsNameSpan(const ChunkSpan& span) {
  const bool is_one = first_ && span.start_byte == 0 && span.end_byte == 0 &&
                      span.start_line == 1 && span.end_line == 1 && span.offset == 0 &&
                      span.byte_in_token == 0 && span.tokens == 0 && CountTokens(text_) == 0;
  first_ = first_ && !is_one;
  return is_one;
}

std::string ChunkCheck::RangeObjection(const ChunkSpan& span) const {
  if (span.start_byte >= span.end_byte) return "the chunk has no bytes";
  if (span.end_byte > text_.size()) {
    return Differs("end_byte", span.end_byte, "the text ends at", text_.size());
  }
  const bool ascends = first_ || (span.start_byte >= last_start_ &&
                                  std::pair(span.offset, span.byte_in_token) >
                                      std::pair(last_offset_, last_byte_in_token_));
  if (!ascends) return "the chunk does not follow the previous one";
  for (const uint64_t cut : {span.start_byte, span.end_byte}) {
    if (is_utf8_ && cut < text_.size() && (static_cast<uint8_t>(text_[cut]) & 0xC0) == 0x80) {
      return "byte " + std::to_string(cut) + " is inside a character";
    }
  }
  if (span.end_byte - span.start_byte > bytes_left_) return "the chunks overlap too much";
  return {};
}

std::string ChunkCheck::LineObjection(const ChunkSpan& span) {
  bytes_left_ -= span.end_byte - span.start_byte;
  const auto newlines = [this](uint64_t from, uint64_t to) {
    return static_cast<uint32_t>(std::count(text_.begin() + static_cast<ptrdiff_t>(from),
                                            text_.begin() + static_cast<ptrdiff_t>(to), '\n'));
  };
  line_ += newlines(last_start_, span.start_byte);
  if (span.start_line != line_) {
    return Differs("start_line", span.start_line, "the chunk starts in line", line_);
  }
  // A newline belongs to the line it ends.
  const uint32_t end_line = line_ + newlines(span.start_byte, span.end_byte - 1);
  if (span.end_line != end_line) {
    return Differs("end_line", span.end_line, "the chunk ends in line", end_line);
  }
  return {};
}

std::string ChunkCheck::TokenObjection(const ChunkSpan& span) {
  const uint64_t tokens =
      CountTokens(text_.substr(span.start_byte, span.end_byte - span.start_byte));
  if (tokens == 0) return "the chunk has no word";
  if (span.tokens != tokens) {
    return Differs("tokens", span.tokens, "the number of words in the chunk is", tokens);
  }
  if (rebuilt_) return {};
  MoveToToken(span.start_byte);
  const uint64_t offset = in_token_ ? tokens_ - 1 : tokens_;
  const uint64_t byte_in_token = in_token_ ? at_ - token_start_ : 0;
  if (span.offset != offset) {
    return Differs("offset", span.offset, "the chunk starts in word", offset);
  }
  if (span.byte_in_token != byte_in_token) {
    return Differs("byte_in_token", span.byte_in_token, "the chunk starts in its word at byte",
                   byte_in_token);
  }
  return {};
}

// Moves to the first byte at or after `start` that is not white space.
void ChunkCheck::MoveToToken(uint64_t start) {
  AsciiEight eight;
  while (at_ < text_.size()) {
    if (at_ + AsciiEight::kBytes <= start && eight.Load(text_, at_)) {
      const AsciiEight::Tokens found = eight.FindTokens(in_token_);
      tokens_ += AsciiEight::Count(found.starts);
      if (found.starts != 0) token_start_ = at_ + AsciiEight::LastOf(found.starts);
      in_token_ = found.inside;
      at_ += AsciiEight::kBytes;
      continue;
    }
    const size_t space = WhiteSpaceLength(text_, at_);
    if (at_ >= start && space == 0) return;
    if (space > 0) {
      in_token_ = false;
      at_ += space;
      continue;
    }
    if (!in_token_) {
      token_start_ = at_;
      ++tokens_;
    }
    in_token_ = true;
    ++at_;
  }
}

std::string SymbolObjection(const std::vector<ChunkSpan>& spans) {
  for (const ChunkSpan& span : spans) {
    for (const Symbol& symbol : span.symbols) {
      const uint32_t last = spans.back().end_line;
      if (symbol.start_line >= 1 && symbol.start_line <= symbol.end_line &&
          symbol.end_line <= last && !symbol.name.empty() && !symbol.kind.empty()) {
        continue;
      }
      return "the definition '" + symbol.name + "' ends in line " +
             std::to_string(symbol.end_line) + ", but the last chunk ends in line " +
             std::to_string(last);
    }
  }
  return "";
}

}  // namespace recall
