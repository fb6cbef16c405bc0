#include "query/records/json_line_writer.h"

#include "index/text/utf8.h"
#include "storage/base/base64.h"
#include "storage/base/bytes.h"
#include "storage/base/json_text.h"

namespace recall {

void JsonLineWriter::Begin(std::string_view type) {
  *out_ += R"({"type":)";
  AppendJsonString(type, out_);
}

void JsonLineWriter::Name(std::string_view name, std::string_view suffix) {
  *out_ += ",\"";
  *out_ += name;
  *out_ += suffix;
  *out_ += "\":";
}

void JsonLineWriter::Text(std::string_view name, std::string_view value) {
  if (IsValidUtf8(value)) {
    Name(name);
    AppendJsonString(value, out_);
  } else {
    Name(name, "_base64");
    *out_ += '"';
    AppendBase64(AsBytes(value), out_);
    *out_ += '"';
  }
}

void JsonLineWriter::TextOrNull(std::string_view name, const std::optional<std::string>& value) {
  value ? Text(name, *value) : Null(name);
}

void JsonLineWriter::Integer(std::string_view name, int64_t value) {
  Name(name);
  *out_ += std::to_string(value);
}

void JsonLineWriter::Number(std::string_view name, double value) {
  Name(name);
  AppendJsonNumber(value, out_);
}

void JsonLineWriter::Base64(std::string_view name, ByteSpan bytes) {
  Name(name);
  *out_ += '"';
  AppendBase64(bytes, out_);
  *out_ += '"';
}

void JsonLineWriter::Json(std::string_view name, std::string_view json) {
  Name(name);
  *out_ += json;
}

}  // namespace recall
