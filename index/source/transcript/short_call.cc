#include "index/source/transcript/short_call.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "index/base/text/utf8.h"
#include "index/source/secrets/secret_marker.h"
#include "storage/base/trim.h"

namespace recall {
namespace {

constexpr size_t kMostToolBytes = 200;
constexpr size_t kMostPathBytes = 4096;
constexpr size_t kMostCommandCharacters = 100;

// Returns where a text is cut that is to end at `at`: behind the mark of a secret if that is in it.
size_t BehindMarker(std::string_view text, size_t at) {
  if (at == 0 || at >= text.size()) return at;
  const size_t marker = text.rfind(kSecretMarker, at - 1);
  if (marker == text.npos) return at;
  const size_t end = text.find_first_of("]\n", marker);
  return end == text.npos || text[end] != ']' ? at : std::max(at, end + 1);
}

std::string InOneLine(std::string_view text, size_t end) {
  std::string line(Trim(text.substr(0, end)));
  std::ranges::replace_if(
      line, [](char c) { return c == '\n' || c == '\r' || c == '\t' || c == '\0'; }, ' ');
  return line;
}

std::string FirstBytes(const RedactedText& text, size_t most) {
  const std::string_view whole = text.view();
  const size_t at = FloorToCharacter(whole, std::min(whole.size(), most));
  return InOneLine(whole, BehindMarker(whole, at));
}

std::string FirstCharacters(const RedactedText& text, size_t most) {
  const std::string_view whole = Trim(text.view());
  size_t at = 0;
  for (size_t count = 0; count < most && at < whole.size(); ++count) DecodeUtf8(whole, &at);
  return InOneLine(whole, BehindMarker(whole, at));
}

}  // namespace

ToolCall ShortCall(uint32_t turn, const RedactedText& tool, const RedactedText& path,
                   const RedactedText& command) {
  return {turn, FirstBytes(tool, kMostToolBytes), FirstBytes(path, kMostPathBytes),
          FirstCharacters(command, kMostCommandCharacters)};
}

}  // namespace recall
