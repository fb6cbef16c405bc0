#include "query/ask/cues/topic_line.h"

#include <algorithm>

#include "storage/base/trim.h"

namespace recall {
namespace {

bool HasWord(std::string_view line) {
  return std::ranges::any_of(line, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x80 || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
           (c >= 'a' && c <= 'z');
  });
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
