#include "index/source/chunk/line_reader.h"

#include <algorithm>

#include "index/source/chunk/token_scan.h"

namespace recall {

bool LineReader::Next(Line* line) {
  if (position_ >= text_.size()) return false;
  const size_t start = position_;
  const size_t end = std::min(text_.find('\n', start), text_.size());
  position_ = end + 1;
  ++number_;

  const std::string_view upto = text_.substr(0, end);
  const size_t first = SkipWhiteSpace(upto, start);
  size_t last_end = first;
  uint64_t tokens = 0;
  for (size_t token = first; token < end; token = SkipWhiteSpace(upto, last_end)) {
    last_end = FindTokenEnd(upto, token);
    ++tokens;
  }
  line->content = text_.substr(start, end - start);
  line->start = start;
  line->range = TextRange{.start = IndentedStart(text_, start, first, limits_),
                          .end = last_end,
                          .token = tokens_before_,
                          .tokens = tokens,
                          .byte_in_token = 0,
                          .start_line = number_,
                          .end_line = number_};
  tokens_before_ += tokens;
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
