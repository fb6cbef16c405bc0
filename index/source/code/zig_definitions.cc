// Types of Zig are values, and a function that returns a type is a generic one:
//
//    const Store = struct { ... };      a struct
//    const limit = 3;                   a constant; imports and names for other names are none
//    fn List(comptime T: type) type     a struct, whose methods are in what the function returns
//    test "commits" { ... }             a function

#include <array>

#include "index/source/code/language_definitions.h"

namespace recall {
namespace {

struct ZigTypeNode {
  std::string_view type;
  SymbolKind kind = SymbolKind::kStruct;
};
constexpr ZigTypeNode kZigTypeNodes[] = {{"struct_declaration", SymbolKind::kStruct},
                                         {"opaque_declaration", SymbolKind::kStruct},
                                         {"union_declaration", SymbolKind::kUnion},
                                         {"enum_declaration", SymbolKind::kEnum},
                                         {"error_set_declaration", SymbolKind::kEnum}};

std::optional<NodeDefinition> ZigVariable(const NodeAccess& nodes, TSNode node,
                                          std::optional<SymbolKind> enclosing) {
  const TSNode first = nodes.NamedChild(node, 0);
  const std::string name(nodes.Text(first));
  if (nodes.Type(first) != "identifier" || name == "_") return std::nullopt;
  const TSNode value = nodes.LastNamedChild(node);
  const std::string_view value_type = nodes.Type(value);
  for (const ZigTypeNode& known : kZigTypeNodes) {
    if (value_type == known.type) return NodeDefinition{known.kind, name, false};
  }
  if (nodes.HasChildWithText(node, "const")) {
    const bool is_alias = value_type == "field_expression" || value_type == "identifier" ||
                          value_type == "builtin_function";
    if (is_alias) return std::nullopt;
    return NodeDefinition{SymbolKind::kConstant, name, true};
  }
  if (enclosing || !nodes.HasChildWithText(node, "var")) return std::nullopt;
  return NodeDefinition{SymbolKind::kVariable, name, true};
}

// The name of a test. A text with the separators of qualified names is none, and a test may be
// named by what it tests.
std::string_view TestTitle(const NodeAccess& nodes, TSNode node) {
  const TSNode first = nodes.NamedChild(node, 0);
  if (nodes.Type(first) != "string") return {};
  const std::string_view title = nodes.Text(nodes.ChildOfType(first, "string_content"));
  return title.find_first_of(".:>") == title.npos ? title : std::string_view();
}

}  // namespace

std::optional<NodeDefinition> ZigDefinition(const NodeAccess& nodes, const NodeRule& rule,
                                            TSNode node, std::optional<SymbolKind> enclosing) {
  const std::string_view type = nodes.Type(node);
  if (type == "variable_declaration") return ZigVariable(nodes, node, enclosing);
  if (type == "container_field" && enclosing != SymbolKind::kEnum) return std::nullopt;
  const std::string_view name =
      type == "test_declaration" ? TestTitle(nodes, node) : nodes.Text(nodes.Field(node, "name"));
  if (name.empty()) return std::nullopt;
  if (type != "function_declaration") return NodeDefinition{rule.kind, std::string(name), true};
  if (nodes.Text(nodes.Field(node, "type")) == "type") {
    return NodeDefinition{SymbolKind::kStruct, std::string(name), false};
  }
  return NodeDefinition{HoldsMembers(enclosing) ? SymbolKind::kMethod : SymbolKind::kFunction,
                        std::string(name), true};
}

}  // namespace recall
