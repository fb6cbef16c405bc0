#include "query/ask/cues/topic_line.h"

#include <algorithm>

#include "storage/base/ascii.h"
#include "storage/base/trim.h"

namespace recall {
namespace {

bool HasWord(std::string_view line) {
  return std::ranges::any_of(line, [](char c) { return IsAsciiAlnum(c) || (c & 0x80) != 0; });
}

}  // namespace

std::string_view TopicOf(std::string_view question) {
  for (std::string_view rest = question; !rest.empty();) {
    const std::string_view line = TakeUntil('\n', rest);
    if (HasWord(line)) return line;
  }
  return question;
}

}  // namespace recall
