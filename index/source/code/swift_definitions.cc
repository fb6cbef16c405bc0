// One node of Swift's grammar stands for classes, structs, enums, actors and extensions, and one
// for all properties:
//
//    extension Array<Int> { }           adds members to Array
//    static let maxSize = 3             a constant; so is a `let` at the top of a file
//    var count: Int { pages.count }     a variable, because it has code; other members are none
//    init(path: String)                 init

#include "index/source/code/language_definitions.h"

namespace recall {
namespace {

SymbolKind KindOfSwiftType(std::string_view word) {
  if (word == "struct") return SymbolKind::kStruct;
  return word == "enum" ? SymbolKind::kEnum : SymbolKind::kClass;
}

std::optional<NodeDefinition> SwiftProperty(const NodeAccess& nodes, TSNode node,
                                            std::optional<SymbolKind> enclosing) {
  const TSNode pattern = nodes.Field(node, "name");
  const std::string_view name = nodes.Text(nodes.Field(pattern, "bound_identifier"));
  if (name.empty()) return std::nullopt;
  const bool computed =
      nodes.Type(node) == "protocol_property_declaration" || nodes.HasField(node, "computed_value");
  const TSNode binding = nodes.ChildOfType(node, "value_binding_pattern");
  const TSNode modifiers = nodes.ChildOfType(node, "modifiers");
  const bool is_static = nodes.HasChildWithText(modifiers, "static");
  const bool constant = !computed && nodes.Text(binding) == "let" && (!enclosing || is_static);
  if (enclosing && !computed && !constant) return std::nullopt;
  return NodeDefinition{constant ? SymbolKind::kConstant : SymbolKind::kVariable, std::string(name),
                        true};
}

}  // namespace

std::optional<NodeDefinition> SwiftDefinition(const NodeAccess& nodes, const NodeRule& rule,
                                              TSNode node, std::optional<SymbolKind> enclosing) {
  const std::string_view type = nodes.Type(node);
  if (type.ends_with("property_declaration")) return SwiftProperty(nodes, node, enclosing);
  if (type == "class_declaration") {
    const std::string_view name = nodes.Text(nodes.Field(node, "name"));
    if (name.empty()) return std::nullopt;
    const std::string_view word = nodes.Text(nodes.Field(node, "declaration_kind"));
    return NodeDefinition{.kind = KindOfSwiftType(word),
                          .name = std::string(name.substr(0, name.find('<'))),
                          .extends = word == "extension"};
  }
  // init_declaration, deinit_declaration, subscript_declaration
  return NodeDefinition{rule.kind, std::string(type.substr(0, type.find('_'))), true};
}

}  // namespace recall
