#include "cli/setup/install/entry_text.h"

#include <algorithm>

#include "storage/base/json_writer.h"

namespace recall {

TextPosition PositionAt(std::string_view text, size_t at) {
  const std::string_view before = text.substr(0, std::min(at, text.size()));
  const size_t newline = before.rfind('\n');
  const std::string_view line = before.substr(newline == before.npos ? 0 : newline + 1);
  const auto columns = std::ranges::count_if(
      line, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
  return {1 + std::ranges::count(before, '\n'), 1 + columns, ""};
}

std::string NewlineOf(std::string_view text) {
  const size_t newline = text.find('\n');
  return newline != text.npos && newline > 0 && text[newline - 1] == '\r' ? "\r\n" : "\n";
}

std::string QuotedText(std::string_view text) {
  std::string quoted;
  JsonWriter(&quoted).String(text);
  return quoted;
}

Status MustBeEditedByHand() {
  return Status::Unsupported("the entry is written in a form that cannot be edited safely",
                             "edit the file by hand");
}

}  // namespace recall
