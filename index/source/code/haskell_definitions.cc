// A function of Haskell is its signature and the equations below it, each a node of its own:
//
//    commit :: Store -> IO Int
//    commit (Store 0) = ...
//    commit store = ...
//    a <+> b = ...                        an operator is the name of its equation
//    instance Show (Store a) where ...    adds members to Store

#include <algorithm>

#include "index/source/code/language_definitions.h"

namespace recall {
namespace {

// "<+>" of `(<+>)`, "combine" of "`combine`".
std::string_view WithoutMarks(std::string_view name) {
  if (name.size() > 2 && ((name.front() == '(' && name.back() == ')') ||
                          (name.front() == '`' && name.back() == '`'))) {
    return name.substr(1, name.size() - 2);
  }
  return name;
}

// "Maybe" of `(S.Maybe a)`, "[a]" of `[a]`, "(,)" of `((,) a b)`.
std::string_view FirstTypeName(std::string_view patterns, bool in_parentheses) {
  if (in_parentheses) patterns = WithoutMarks(patterns);
  if (patterns.empty() || patterns.front() == '[') return patterns;
  if (patterns.front() == '(') return patterns.substr(0, patterns.find(')') + 1);
  patterns = patterns.substr(0, patterns.find_first_of(" \t\n"));
  return patterns.substr(patterns.rfind('.') + 1);
}

std::string_view NameOfInfix(const NodeAccess& nodes, TSNode node) {
  return nodes.Text(nodes.Field(nodes.ChildOfType(node, "infix"), "operator"));
}

}  // namespace

std::optional<NodeDefinition> HaskellDefinition(const NodeAccess& nodes, const NodeRule& rule,
                                                TSNode node, std::optional<SymbolKind> enclosing) {
  const std::string_view type = nodes.Type(node);
  std::string_view name = nodes.Text(nodes.Field(node, "name"));
  if (type == "instance") {
    const TSNode patterns = nodes.Field(node, "patterns");
    const TSNode first = nodes.NamedChild(patterns, 0);
    if (!nodes.IsNull(first))
      name = FirstTypeName(nodes.Text(first), nodes.Type(first) == "parens");
  } else if (type == "data_constructor") {
    const TSNode constructor = nodes.Field(node, "constructor");
    name = nodes.Text(nodes.Field(constructor, "name"));
    if (name.empty()) name = nodes.Text(nodes.Field(constructor, "operator"));
  } else if (type == "signature" && name.empty()) {  // a, b :: Int
    name = nodes.Text(nodes.Field(nodes.Field(node, "names"), "name"));
  } else if (name.empty()) {
    name = NameOfInfix(nodes, node);
  }
  if (type != "instance") name = WithoutMarks(name);
  if (name.empty()) return std::nullopt;
  NodeDefinition definition{.kind = rule.kind, .name = std::string(name)};
  if (rule.kind == SymbolKind::kFunction) {
    if (HoldsMembers(enclosing)) definition.kind = SymbolKind::kMethod;
    definition.hides = true;
    definition.joins = true;
  }
  definition.extends = type == "instance";
  return definition;
}

}  // namespace recall
