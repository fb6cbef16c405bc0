#pragma once

#include <cstdint>
#include <string_view>

#include "index/source/code/tree_sitter_library.h"

namespace recall {

// Types, texts and children of the nodes of one syntax tree. A null node has no type, no text and
// no children. The cost of each function does not depend on the size of a node, but on the number
// of its children.
class NodeAccess {
 public:
  // The children of a node that are read; more are ignored.
  static constexpr uint32_t kMostChildren = 200;

  // The arguments must outlive the object.
  NodeAccess(const TreeSitterLibrary& ts, const TSLanguage* language, std::string_view text)
      : ts_(ts), language_(language), text_(text) {}

  bool IsNull(TSNode node) const { return ts_.node_is_null(node); }
  std::string_view Type(TSNode node) const;
  std::string_view Text(TSNode node) const;
  // The first child with this field; null if there is none.
  TSNode Field(TSNode node, std::string_view name) const;
  bool HasField(TSNode node, std::string_view name) const { return !IsNull(Field(node, name)); }
  TSNode NamedChild(TSNode node, uint32_t index) const;
  TSNode LastNamedChild(TSNode node) const;
  // The first named child of this type; null if there is none.
  TSNode ChildOfType(TSNode node, std::string_view type) const;
  bool HasChildWithText(TSNode node, std::string_view text) const;

 protected:
  const TreeSitterLibrary& ts_;

 private:
  const TSLanguage* language_;
  std::string_view text_;
};

}  // namespace recall
