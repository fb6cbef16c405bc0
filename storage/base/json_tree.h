#pragma once

#include <cstdint>
#include <string>

#include "storage/base/json_writer.h"

namespace recall {

// Writes a tree of nlohmann::json or ordered_json. A template, so that sources that only write JSON
// need not include that library.
template <typename Tree>
void WriteTree(const Tree& tree, JsonWriter& json) {
  if (tree.is_object()) {
    json.BeginObject();
    for (const auto& [name, member] : tree.items()) {
      json.Key(name);
      WriteTree(member, json);
    }
    json.EndObject();
  } else if (tree.is_array()) {
    json.BeginArray();
    for (const Tree& element : tree) WriteTree(element, json);
    json.EndArray();
  } else if (tree.is_string()) {
    json.String(tree.template get_ref<const std::string&>());
  } else if (tree.is_number_float()) {
    json.Double(tree.template get<double>());
  } else if (tree.is_number_unsigned()) {
    json.Uint(tree.template get<uint64_t>());
  } else if (tree.is_number_integer()) {
    json.Int(tree.template get<int64_t>());
  } else if (tree.is_boolean()) {
    json.Bool(tree.template get<bool>());
  } else {
    json.Null();
  }
}

}  // namespace recall
