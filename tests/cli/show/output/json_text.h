#pragma once

#include <string>

#include "storage/base/json_writer.h"

namespace recall {

// The JSON object, on one line, with the fields that `write(json)` writes.
template <typename Write>
std::string ObjectText(const Write& write) {
  std::string text;
  JsonWriter json(&text);
  json.BeginObject();
  write(json);
  json.EndObject();
  return text;
}

// The JSON object with the fields of `value`, as WriteFields writes them.
template <typename T>
std::string FieldsText(const T& value) {
  return ObjectText([&](JsonWriter& json) { WriteFields(value, json); });
}

}  // namespace recall
