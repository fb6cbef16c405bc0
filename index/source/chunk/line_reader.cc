#include "index/source/chunk/line_reader.h"

#include <algorithm>

#include "index/source/chunk/token_scan.h"

namespace recall {
namespace {

struct LineTokens {
  uint64_t count = 0;
  size_t begin = 0;  // of the first one; without any, the end of the line
  size_t end = 0;    // of the last one; without any, the end of the line
};

LineTokens FindTokens(std::string_view text, size_t start, size_t end) {
  const std::string_view upto = text.substr(0, end);
  LineTokens tokens;
  tokens.begin = tokens.end = SkipWhiteSpace(upto, start);
  for (size_t token = tokens.begin; token < end; token = SkipWhiteSpace(upto, tokens.end)) {
    tokens.end = FindTokenEnd(upto, token);
    ++tokens.count;
  }
  return tokens;
}

// The same for a line of ASCII, eight bytes at a time: most tokens are shorter, so that a loop over
// them would wait for their ends. Returns: false if a byte is not ASCII, or the text ends.
bool FindAsciiTokens(std::string_view text, size_t start, size_t end, LineTokens* tokens) {
  tokens->begin = tokens->end = end;
  bool inside = false;
  for (size_t at = start; at < end; at += AsciiEight::kBytes) {
    AsciiEight eight;
    if (!eight.Load(text, at)) return false;
    uint64_t bytes = kEachHighBit & ~eight.WhiteSpace();
    if (end - at < AsciiEight::kBytes) bytes &= (uint64_t{1} << 8 * (end - at)) - 1;
    if (bytes != 0) {
      if (tokens->count == 0) tokens->begin = at + AsciiEight::FirstOf(bytes);
      tokens->end = at + AsciiEight::LastOf(bytes) + 1;
      tokens->count += AsciiEight::Count(bytes & ~(bytes << 8 | (inside ? 0x80 : 0)));
    }
    inside = bytes >> 63 != 0;
  }
  return true;
}

}  // namespace

bool LineReader::Next(Line* line) {
  if (position_ >= text_.size()) return false;
  const size_t start = position_;
  const size_t end = std::min(text_.find('\n', start), text_.size());
  position_ = end + 1;
  ++number_;

  LineTokens tokens;
  if (!FindAsciiTokens(text_, start, end, &tokens)) tokens = FindTokens(text_, start, end);
  line->content = text_.substr(start, end - start);
  line->start = start;
  line->range = TextRange{.start = IndentedStart(text_, start, tokens.begin, limits_),
                          .end = tokens.end,
                          .token = tokens_before_,
                          .tokens = tokens.count,
                          .byte_in_token = 0,
                          .start_line = number_,
                          .end_line = number_};
  tokens_before_ += tokens.count;
  return true;
}

Indentation MeasureIndentation(std::string_view line) {
  Indentation indentation;
  for (; indentation.bytes < line.size(); ++indentation.bytes) {
    if (line[indentation.bytes] == ' ') {
      ++indentation.columns;
    } else if (line[indentation.bytes] == '\t') {
      indentation.columns += 4 - indentation.columns % 4;
    } else {
      break;
    }
  }
  return indentation;
}

}  // namespace recall
