#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "storage/base/coding.h"

namespace recall {

// Appends one line of JSON Lines to a text. Call Begin, then a function for each field in output
// order, then End.
class JsonLineWriter final {
 public:
  // `out` must outlive the writer.
  explicit JsonLineWriter(std::string* out) : out_(out) {}

  void Begin(std::string_view type);
  // Text that is not UTF-8 is written as the field NAME_base64.
  void Text(std::string_view name, std::string_view value);
  void TextOrNull(std::string_view name, const std::optional<std::string>& value);
  void Integer(std::string_view name, int64_t value);
  void Number(std::string_view name, double value);
  void Base64(std::string_view name, ByteSpan bytes);
  // Writes a value that is already JSON.
  void Json(std::string_view name, std::string_view json);
  void Null(std::string_view name) { Json(name, "null"); }
  void End() { *out_ += "}\n"; }

 private:
  void Name(std::string_view name, std::string_view suffix = {});

  std::string* out_;
};

}  // namespace recall
