// Kotlin names the type that a function or property extends in front of its name, and has modifiers
// that say what a class or a value is:
//
//    fun List<T>.second(): T            List.second
//    enum class Color, interface Shape  an enum, an interface
//    const val MAX = 3                  a constant; so is a `val` at the top of a file

#include "index/source/code/language_definitions.h"

namespace recall {
namespace {

bool HasModifier(const NodeAccess& nodes, TSNode node, std::string_view modifier) {
  const TSNode modifiers = nodes.ChildOfType(node, "modifiers");
  return !nodes.IsNull(modifiers) && nodes.HasChildWithText(modifiers, modifier);
}

// "List." of `List<T>.second`, if a type stands before the child of the type `before`.
std::string ReceiverOf(const NodeAccess& nodes, TSNode node, std::string_view before) {
  std::string_view receiver;
  for (uint32_t i = 0; i < NodeAccess::kMostChildren; ++i) {
    const TSNode child = nodes.NamedChild(node, i);
    const std::string_view type = nodes.Type(child);
    if (nodes.IsNull(child) || type == before) break;
    if (type == "user_type" || type == "nullable_type") receiver = nodes.Text(child);
  }
  receiver = receiver.substr(0, receiver.find_first_of("<?"));
  return receiver.empty() ? std::string() : std::string(receiver) + ".";
}

SymbolKind KindOfKotlinClass(const NodeAccess& nodes, TSNode node) {
  if (nodes.HasChildWithText(node, "interface")) return SymbolKind::kInterface;
  return nodes.HasChildWithText(node, "enum") ? SymbolKind::kEnum : SymbolKind::kClass;
}

// A property without a value has code, or is one that others define; its getter is the next node.
std::optional<NodeDefinition> KotlinProperty(const NodeAccess& nodes, TSNode node,
                                             std::optional<SymbolKind> enclosing) {
  const TSNode declaration = nodes.ChildOfType(node, "variable_declaration");
  const std::string_view name = nodes.Text(nodes.ChildOfType(declaration, "simple_identifier"));
  if (name.empty()) return std::nullopt;
  const bool computed = !nodes.HasChildWithText(node, "=") &&
                        nodes.IsNull(nodes.ChildOfType(node, "property_delegate")) &&
                        !HasModifier(nodes, node, "lateinit");
  const bool constant = !computed && nodes.HasChildWithText(node, "val") &&
                        (!enclosing || HasModifier(nodes, node, "const") || IsUpperCaseName(name));
  if (enclosing && !computed && !constant) return std::nullopt;
  return NodeDefinition{constant ? SymbolKind::kConstant : SymbolKind::kVariable,
                        ReceiverOf(nodes, node, "variable_declaration") + std::string(name), true};
}

}  // namespace

std::optional<NodeDefinition> KotlinDefinition(const NodeAccess& nodes, const NodeRule& rule,
                                               TSNode node, std::optional<SymbolKind> enclosing) {
  const std::string_view type = nodes.Type(node);
  if (type == "property_declaration") return KotlinProperty(nodes, node, enclosing);
  if (type == "secondary_constructor") return NodeDefinition{rule.kind, "constructor", true};
  const bool is_function = type == "function_declaration";
  const bool is_value = is_function || type == "enum_entry";
  const std::string_view name =
      nodes.Text(nodes.ChildOfType(node, is_value ? "simple_identifier" : "type_identifier"));
  if (name.empty()) return std::nullopt;
  if (type == "class_declaration") {
    return NodeDefinition{KindOfKotlinClass(nodes, node), std::string(name), false};
  }
  if (!is_function) return NodeDefinition{rule.kind, std::string(name), false};
  const std::string receiver = ReceiverOf(nodes, node, "simple_identifier");
  // An entry of an enum may have members.
  const bool method =
      !receiver.empty() || HoldsMembers(enclosing) || enclosing == SymbolKind::kConstant;
  return NodeDefinition{method ? SymbolKind::kMethod : SymbolKind::kFunction,
                        receiver + std::string(name), true};
}

}  // namespace recall
