#include "cli/show/output/metadata_tree.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "index/base/json/ordered_json.h"
#include "storage/base/json_tree.h"

namespace recall {
namespace {

// Keeps keys in the order in which they are stored.
using OrderedTree = nlohmann::ordered_json;

OrderedTree ParseMetadata(const std::optional<std::string>& json) {
  if (!json) return nullptr;
  auto tree = ParseOrderedJson(*json);
  return tree ? std::move(*tree) : OrderedTree(*json);
}

// Returns: the value at `path`; null if there is none.
const OrderedTree& Descend(const OrderedTree& root, MetadataTree::Path path) {
  static const OrderedTree kNothing;
  const OrderedTree* value = &root;
  for (const std::string& key : path) {
    if (!value->is_object()) return kNothing;
    const auto found = value->find(key);
    if (found == value->end()) return kNothing;
    value = &*found;
  }
  return *value;
}

std::string TextOfTree(const OrderedTree& value) {
  if (value.is_null()) return "";
  if (value.is_string()) return value.get<std::string>();
  std::string text;
  JsonWriter json(&text);
  WriteTree(value, json);
  return text;
}

}  // namespace

struct MetadataTree::Root {
  OrderedTree tree;
};

MetadataTree::MetadataTree(const std::optional<std::string>& json)
    : root_(new Root{ParseMetadata(json)}) {}

MetadataTree::~MetadataTree() = default;

bool MetadataTree::IsNull(Path path) const { return Descend(root_->tree, path).is_null(); }

void MetadataTree::Write(Path path, JsonWriter& json) const {
  WriteTree(Descend(root_->tree, path), json);
}

void MetadataTree::WriteWithout(bool (*leaves_out)(std::string_view key), JsonWriter& json) const {
  if (!root_->tree.is_object()) return WriteTree(root_->tree, json);
  json.BeginObject();
  for (const auto& [key, value] : root_->tree.items()) {
    if (leaves_out(key)) continue;
    json.Key(key);
    WriteTree(value, json);
  }
  json.EndObject();
}

void MetadataTree::WriteList(Path path, JsonWriter& json) const {
  const OrderedTree& value = Descend(root_->tree, path);
  if (value.is_array()) return WriteTree(value, json);
  json.BeginArray();
  if (!value.is_null()) WriteTree(value, json);
  json.EndArray();
}

std::string MetadataTree::Text(Path path) const { return TextOfTree(Descend(root_->tree, path)); }

std::vector<std::string> MetadataTree::Texts(Path path) const {
  const OrderedTree& value = Descend(root_->tree, path);
  std::vector<std::string> texts;
  if (value.is_array()) {
    for (const OrderedTree& item : value) texts.push_back(TextOfTree(item));
  } else if (!value.is_null()) {
    texts.push_back(TextOfTree(value));
  }
  return texts;
}

}  // namespace recall
