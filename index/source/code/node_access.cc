#include "index/source/code/node_access.h"

#include <algorithm>
#include <cstddef>

namespace recall {

std::string_view NodeAccess::Type(TSNode node) const {
  if (IsNull(node)) return {};
  const char* const name = ts_.language_symbol_name(language_, ts_.node_symbol(node));
  return name != nullptr ? std::string_view(name) : std::string_view();
}

std::string_view NodeAccess::Text(TSNode node) const {
  if (IsNull(node)) return {};
  const size_t start = std::min<size_t>(ts_.node_start_byte(node), text_.size());
  const size_t end = std::min<size_t>(ts_.node_end_byte(node), text_.size());
  return text_.substr(start, end - std::min(start, end));
}

TSNode NodeAccess::Field(TSNode node, std::string_view name) const {
  if (IsNull(node)) return node;
  return ts_.node_child_by_field_name(node, name.data(), static_cast<uint32_t>(name.size()));
}

TSNode NodeAccess::NamedChild(TSNode node, uint32_t index) const {
  return IsNull(node) ? node : ts_.node_named_child(node, index);
}

TSNode NodeAccess::LastNamedChild(TSNode node) const {
  if (IsNull(node)) return node;
  const uint32_t count = ts_.node_named_child_count(node);
  return ts_.node_named_child(node, count == 0 ? 0 : count - 1);
}

TSNode NodeAccess::ChildOfType(TSNode node, std::string_view type) const {
  for (uint32_t i = 0; i < kMostChildren; ++i) {
    const TSNode child = NamedChild(node, i);
    if (IsNull(child) || Type(child) == type) return child;
  }
  return TSNode{};
}

bool NodeAccess::HasChildWithText(TSNode node, std::string_view text) const {
  if (IsNull(node)) return false;
  const uint32_t count = std::min(ts_.node_child_count(node), kMostChildren);
  for (uint32_t i = 0; i < count; ++i) {
    if (Text(ts_.node_child(node, i)) == text) return true;
  }
  return false;
}

}  // namespace recall
