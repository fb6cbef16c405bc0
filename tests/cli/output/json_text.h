#pragma once

#include <string>

#include "storage/base/json_writer.h"

namespace recall {

// The object that has the fields `write(json)` writes, on one line.
template <typename Write>
std::string ObjectText(const Write& write) {
  std::string text;
  JsonWriter json(&text);
  json.BeginObject();
  write(json);
  json.EndObject();
  return text;
}

// The fields of `value`, as answers have them.
template <typename T>
std::string FieldsText(const T& value) {
  return ObjectText([&](JsonWriter& json) { WriteFields(value, json); });
}

}  // namespace recall
