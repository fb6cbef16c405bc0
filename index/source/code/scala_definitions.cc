// Values, givens and extensions of Scala:
//
//    val Max = 3                        a constant by its capital; so is a `val` at the top
//    given Ordering[Point] with ...     named by its type, if it has no name
//    extension (s: String) def twice    adds members to String

#include "index/source/code/language_definitions.h"

namespace recall {
namespace {

std::string WithoutTypeArguments(std::string_view type) {
  return std::string(type.substr(0, type.find_first_of("[( \n")));
}

bool IsTypeParameter(const NodeAccess& nodes, TSNode node, std::string_view name) {
  const TSNode parameters = nodes.Field(node, "type_parameters");
  return nodes.Type(node) == "extension_definition" && nodes.HasChildWithText(parameters, name);
}

}  // namespace

std::optional<NodeDefinition> ScalaDefinition(const NodeAccess& nodes, const NodeRule& rule,
                                              TSNode node, std::optional<SymbolKind> enclosing) {
  const std::string_view type = nodes.Type(node);
  std::string name;
  bool hides = false;
  if (type == "val_definition") {
    const TSNode pattern = nodes.Field(node, "pattern");
    if (nodes.Type(pattern) != "identifier") return std::nullopt;
    name = nodes.Text(pattern);
    hides = true;
    const bool is_capital = !name.empty() && name.front() >= 'A' && name.front() <= 'Z';
    if (enclosing && enclosing != SymbolKind::kNamespace && !is_capital) return std::nullopt;
  } else if (type == "extension_definition") {
    const TSNode parameter = nodes.ChildOfType(nodes.Field(node, "parameters"), "parameter");
    name = WithoutTypeArguments(nodes.Text(nodes.Field(parameter, "type")));
  } else {
    name = nodes.Text(nodes.Field(node, "name"));
    if (name.empty()) name = WithoutTypeArguments(nodes.Text(nodes.Field(node, "return_type")));
  }
  // A type that is a parameter of the extension itself names nothing.
  if (name.empty() || IsTypeParameter(nodes, node, name)) return std::nullopt;
  return NodeDefinition{.kind = rule.kind,
                        .name = std::move(name),
                        .hides = hides,
                        .extends = type == "extension_definition"};
}

}  // namespace recall
