// Functions of Lua are statements or values, and tables are what other languages call modules and
// classes:
//
//    function M.commit() end            M.commit
//    function Store:close() end         Store.close, a method
//    M.run = function() end             M.run
//    M.defaults = { size = 1 }          a variable, if the table is not empty
//    local C = setmetatable({}, {...})  the same

#include "index/source/code/language_definitions.h"

namespace recall {
namespace {

// The name of a function or variable; "" if an index is computed: `t[i]`.
std::string TableName(const NodeAccess& nodes, TSNode node, bool* method) {
  const std::string_view type = nodes.Type(node);
  if (type != "identifier" && type != "dot_index_expression" && type != "method_index_expression") {
    return {};
  }
  std::string name(nodes.Text(node));
  if (name.find_first_of(" \t\n[(") != name.npos) return {};
  const size_t colon = name.find(':');
  if (colon != name.npos) name[colon] = '.';
  *method = colon != name.npos;
  return name;
}

std::optional<NodeDefinition> TableValue(const NodeAccess& nodes, TSNode name_node, TSNode value,
                                         SymbolKind function_kind,
                                         std::optional<SymbolKind> enclosing) {
  bool method = false;
  std::string name = TableName(nodes, name_node, &method);
  if (name.empty()) return std::nullopt;
  const std::string_view type = nodes.Type(value);
  if (type == "function_definition") return NodeDefinition{function_kind, std::move(name), true};
  if (enclosing || function_kind == SymbolKind::kMethod) return std::nullopt;
  const bool is_class = type == "function_call" && nodes.Text(value).starts_with("setmetatable");
  if (is_class || (type == "table_constructor" && !nodes.IsNull(nodes.NamedChild(value, 0)))) {
    return NodeDefinition{SymbolKind::kVariable, std::move(name), false};
  }
  if (!IsUpperCaseName(name) || name.size() < 2) return std::nullopt;
  return NodeDefinition{SymbolKind::kConstant, std::move(name), false};
}

}  // namespace

std::optional<NodeDefinition> LuaDefinition(const NodeAccess& nodes, const NodeRule& rule,
                                            TSNode node, std::optional<SymbolKind> enclosing) {
  const std::string_view type = nodes.Type(node);
  const TSNode name = nodes.Field(node, "name");
  if (type == "field") {
    return TableValue(nodes, name, nodes.Field(node, "value"), rule.kind, enclosing);
  }
  if (type == "assignment_statement") {
    const TSNode names = nodes.ChildOfType(node, "variable_list");
    const TSNode values = nodes.ChildOfType(node, "expression_list");
    return TableValue(nodes, nodes.Field(names, "name"), nodes.Field(values, "value"), rule.kind,
                      enclosing);
  }
  bool method = false;
  std::string function = TableName(nodes, name, &method);
  if (function.empty()) return std::nullopt;
  return NodeDefinition{method ? SymbolKind::kMethod : SymbolKind::kFunction, std::move(function),
                        true};
}

}  // namespace recall
