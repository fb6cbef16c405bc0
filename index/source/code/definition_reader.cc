#include "index/source/code/definition_reader.h"

#include <algorithm>
#include <utility>

namespace recall {
namespace {

// The longest chain of declarators, scopes or members that is followed. Longer ones are no names.
constexpr int kMostNameLinks = 100;

// Whether a node of this type is the name that a declarator declares.
bool IsDeclaredName(std::string_view type) {
  return type == "identifier" || type == "field_identifier" || type == "type_identifier" ||
         type == "destructor_name" || type == "operator_name" || type == "primitive_type";
}

// Whether a name alone in a node of this type is an item of an enum.
bool HoldsEnumItems(std::string_view type) {
  return type == "enum_body" ||            // of TypeScript
         type == "enum_entry" ||           // of Swift
         type == "error_set_declaration";  // of Zig
}

bool IsFunctionValue(std::string_view type) {
  return type == "function_expression" || type == "arrow_function" ||
         type == "generator_function" || type == "function";
}

// The key of an object, which may be quoted: `"name"`.
std::string_view WithoutQuotes(std::string_view text) {
  if (text.size() >= 2 && (text.front() == '"' || text.front() == '\'') &&
      text.back() == text.front()) {
    return text.substr(1, text.size() - 2);
  }
  return text;
}

}  // namespace

// The name of a scope or type, without arguments of templates.
std::string DefinitionReader::PlainName(TSNode node) const {
  std::string prefix;
  for (int i = 0; i < kMostNameLinks && !ts_.node_is_null(node); ++i) {
    const std::string_view type = Type(node);
    if (type == "template_type" || type == "template_function" || type == "template_method" ||
        type == "scoped_type_identifier") {
      node = Field(node, "name");
    } else if (type == "generic_type" || type == "reference_type" || type == "pointer_type" ||
               type == "array_type") {
      const TSNode inner = Field(node, type == "array_type" ? "element" : "type");
      node = ts_.node_is_null(inner) ? LastNamedChild(node) : inner;
    } else if (type == "parenthesized_type" || type == "dependent_name" ||
               type == "parenthesized_expression") {
      node = LastNamedChild(node);
    } else if (type == "qualified_identifier") {
      const TSNode scope = Field(node, "scope");
      if (!ts_.node_is_null(scope)) prefix += ScopeName(scope) + "::";
      node = Field(node, "name");
    } else {
      return prefix + std::string(Text(node));
    }
  }
  return {};
}

std::string DefinitionReader::ScopeName(TSNode node) const {
  const std::string_view type = Type(node);
  if (type == "template_type") return std::string(Text(Field(node, "name")));
  return std::string(Text(node));
}

// `operator bool() const`: the name goes up to the parameters.
std::string_view DefinitionReader::CastName(TSNode node) const {
  const std::string_view text = Text(node);
  const TSNode target = Field(node, "type");
  if (ts_.node_is_null(target)) return text.substr(0, text.find('('));
  return text.substr(0, ts_.node_end_byte(target) - ts_.node_start_byte(node));
}

// What is in a pointer, a reference, an array, an initializer or parentheses; null if nothing is.
TSNode DefinitionReader::InnerDeclarator(TSNode node, std::string_view type) const {
  const TSNode inner = Field(node, "declarator");
  if (!ts_.node_is_null(inner)) return inner;
  if (type == "attributed_declarator") return ts_.node_named_child(node, 0);
  if (type == "reference_declarator" || type == "parenthesized_declarator") {
    return LastNamedChild(node);
  }
  return inner;
}

DefinitionReader::Declarator DefinitionReader::ReadDeclarator(TSNode node) const {
  Declarator result;
  std::string prefix;
  for (int i = 0; i < kMostNameLinks && !ts_.node_is_null(node); ++i) {
    const std::string_view type = Type(node);
    const bool is_cast = type == "operator_cast";
    if (is_cast || IsDeclaredName(type)) {
      result.of_function = result.of_function || is_cast;
      result.name = prefix.append(is_cast ? CastName(node) : Text(node));
      result.node = node;
      return result;
    }
    if (type == "function_declarator") {
      result.of_function = true;
      node = Field(node, "declarator");
    } else if (type == "qualified_identifier") {
      const TSNode scope = Field(node, "scope");
      if (!ts_.node_is_null(scope)) {
        prefix += ScopeName(scope) + "::";
        result.qualified = true;
      }
      node = Field(node, "name");
    } else if (type == "template_function" || type == "template_type" ||
               type == "template_method") {
      node = Field(node, "name");
    } else if (type == "dependent_name") {
      node = LastNamedChild(node);
    } else {
      if (type != "attributed_declarator") result.of_function = false;
      node = InnerDeclarator(node, type);
    }
  }
  return {};
}

// "Suite.Case" for `TEST(Suite, Case)`; "" without parameters.
std::string DefinitionReader::TestName(TSNode declarator) const {
  const TSNode parameters = Field(declarator, "parameters");
  const uint32_t count = ts_.node_is_null(parameters) ? 0 : ts_.node_named_child_count(parameters);
  std::string name;
  for (uint32_t i = 0; i < std::min(count, 2U); ++i) {
    if (!name.empty()) name += '.';
    name += Text(ts_.node_named_child(parameters, i));
  }
  return name;
}

std::optional<NodeDefinition> DefinitionReader::Function(
    TSNode node, std::optional<SymbolKind> enclosing) const {
  const TSNode outer = Field(node, "declarator");
  Declarator declarator = ReadDeclarator(outer);
  // Behind an unknown macro the parser takes the type `void` for the name of the function.
  if (declarator.name.empty() || Type(declarator.node) == "primitive_type") return std::nullopt;
  const bool method = declarator.qualified || HoldsMembers(enclosing);
  NodeDefinition definition{method ? SymbolKind::kMethod : SymbolKind::kFunction,
                            std::move(declarator.name), true};
  if (!method && ts_.node_is_null(Field(node, "type")) && IsUpperCaseName(definition.name)) {
    std::string name = TestName(outer);
    if (!name.empty()) definition.name = std::move(name);
  }
  return definition;
}

std::optional<NodeDefinition> DefinitionReader::Declaration(
    TSNode node, std::optional<SymbolKind> enclosing) const {
  Declarator declarator = ReadDeclarator(Field(node, "declarator"));
  if (declarator.name.empty()) return std::nullopt;
  const bool member = HoldsMembers(enclosing);
  if (declarator.of_function) {
    // The declaration of a free function is not its definition.
    if (!member) return std::nullopt;
    return NodeDefinition{SymbolKind::kMethod, std::move(declarator.name), true};
  }
  if (HasChildWithText(node, "constexpr") || (!member && HasChildWithText(node, "const"))) {
    if (HasChildWithText(node, "extern")) return std::nullopt;
    return NodeDefinition{SymbolKind::kConstant, std::move(declarator.name), true};
  }
  if (member || HasChildWithText(node, "extern")) return std::nullopt;
  return NodeDefinition{SymbolKind::kVariable, std::move(declarator.name), true};
}

std::optional<NodeDefinition> DefinitionReader::Typedef(TSNode node) const {
  Declarator declarator = ReadDeclarator(Field(node, "declarator"));
  if (declarator.name.empty()) return std::nullopt;
  const TSNode type = Field(node, "type");
  const std::string_view type_name = Type(type);
  SymbolKind kind = SymbolKind::kType;
  if (!ts_.node_is_null(Field(type, "body"))) {
    // `typedef struct {...} point;` is the definition of a structure.
    if (type_name == "struct_specifier") kind = SymbolKind::kStruct;
    if (type_name == "union_specifier") kind = SymbolKind::kUnion;
    if (type_name == "enum_specifier") kind = SymbolKind::kEnum;
  }
  return NodeDefinition{kind, std::move(declarator.name), false};
}

std::optional<NodeDefinition> DefinitionReader::Value(const NodeRule& rule, TSNode node,
                                                      TSNode parent,
                                                      std::optional<SymbolKind> enclosing) const {
  TSNode key = Field(node, "name");
  if (ts_.node_is_null(key)) key = Field(node, "key");
  if (ts_.node_is_null(key)) key = Field(node, "property");
  const std::string_view key_type = Type(key);
  if (key_type.ends_with("_pattern")) return std::nullopt;
  const std::string_view name = WithoutQuotes(Text(key));
  const std::string_view value = Type(Field(node, "value"));
  if (name.empty() || value.empty()) return std::nullopt;
  const bool property = rule.kind == SymbolKind::kMethod;
  if (IsFunctionValue(value)) {
    const SymbolKind kind = property ? SymbolKind::kMethod : SymbolKind::kFunction;
    return NodeDefinition{kind, std::string(name), true};
  }
  if (value == "class") return NodeDefinition{SymbolKind::kClass, std::string(name), false};
  if (property || enclosing == SymbolKind::kVariable || enclosing == SymbolKind::kConstant) {
    return std::nullopt;
  }
  const bool object = value == "object" || value == "array" || value == "as_expression" ||
                      value == "satisfies_expression";
  if (!object && !IsUpperCaseName(name)) return std::nullopt;
  const SymbolKind kind =
      Text(parent).starts_with("const") ? SymbolKind::kConstant : SymbolKind::kVariable;
  return NodeDefinition{kind, std::string(name), false};
}

// `exports.read` is "read", `Store.prototype.read` and `Store.read` are "Store.read".
std::string DefinitionReader::AssignedName(TSNode left, bool* method) const {
  const std::string_view type = Type(left);
  if (type == "identifier") return std::string(Text(left));
  if (type != "member_expression") return {};
  const std::string_view property = Text(Field(left, "property"));
  const TSNode object = Field(left, "object");
  const std::string_view owner = Text(object);
  if (property.empty()) return {};
  if (owner == "exports" || owner == "module.exports" || owner == "this" || owner == "window" ||
      owner == "globalThis") {
    return std::string(property);
  }
  if (owner == "module") return std::string(Text(left));
  if (Type(object) == "member_expression" && Text(Field(object, "property")) == "prototype") {
    *method = true;
    return std::string(Text(Field(object, "object"))) + "." + std::string(property);
  }
  if (Type(object) != "identifier" && Type(object) != "member_expression") return {};
  return std::string(owner) + "." + std::string(property);
}

std::optional<NodeDefinition> DefinitionReader::Assignment(
    TSNode node, std::optional<SymbolKind> enclosing) const {
  // The node is a statement that contains the assignment; in Ruby it is the assignment itself.
  const bool is_statement = Type(node) == "expression_statement";
  const TSNode assignment = is_statement ? ts_.node_named_child(node, 0) : node;
  const std::string_view type = Type(assignment);
  const TSNode left = Field(assignment, "left");
  if (type == "assignment") {
    const std::string_view left_type = Type(left);
    const std::string_view name = Text(left);
    const bool constant = is_statement ? left_type == "identifier" && IsUpperCaseName(name) &&
                                             !enclosing && name.size() > 1
                                       : left_type == "constant";
    if (!constant || ts_.node_is_null(Field(assignment, "right"))) return std::nullopt;
    return NodeDefinition{SymbolKind::kConstant, std::string(name), true};
  }
  if (type != "assignment_expression") return std::nullopt;
  TSNode right = Field(assignment, "right");
  // `exports = module.exports = ...`
  for (int i = 0; i < kMostNameLinks && Type(right) == "assignment_expression"; ++i) {
    right = Field(right, "right");
  }
  const std::string_view value = Type(right);
  bool method = false;
  std::string name = AssignedName(left, &method);
  if (name.empty()) return std::nullopt;
  if (IsFunctionValue(value)) {
    return NodeDefinition{method ? SymbolKind::kMethod : SymbolKind::kFunction, std::move(name),
                          true};
  }
  if (value == "class") return NodeDefinition{SymbolKind::kClass, std::move(name), false};
  if (value == "object" && Type(left) == "member_expression" && !enclosing) {
    return NodeDefinition{SymbolKind::kVariable, std::move(name), false};
  }
  return std::nullopt;
}

std::optional<NodeDefinition> DefinitionReader::FinalField(TSNode node) const {
  const bool java_constant = Type(node) == "constant_declaration";
  bool is_static = false;
  bool is_final = false;
  TSNode declarator = Field(node, "declarator");
  const uint32_t count = std::min(ts_.node_named_child_count(node), kMostChildren);
  for (uint32_t i = 0; i < count; ++i) {
    const TSNode child = ts_.node_named_child(node, i);
    const std::string_view type = Type(child);
    if (type == "modifiers") {  // of Java
      is_static = HasChildWithText(child, "static");
      is_final = HasChildWithText(child, "final");
    } else if (type == "modifier") {  // of C#
      const std::string_view text = Text(child);
      is_static = is_static || text == "static" || text == "const";
      is_final = is_final || text == "readonly" || text == "const";
    } else if (type == "variable_declaration") {
      const uint32_t parts = std::min(ts_.node_named_child_count(child), kMostChildren);
      for (uint32_t j = 0; j < parts && ts_.node_is_null(declarator); ++j) {
        const TSNode part = ts_.node_named_child(child, j);
        if (Type(part) == "variable_declarator") declarator = part;
      }
    }
  }
  if (!java_constant && !(is_static && is_final)) return std::nullopt;
  return NodeDefinition{SymbolKind::kConstant, std::string(Text(Field(declarator, "name"))), true};
}

std::string DefinitionReader::OperatorName(TSNode node) const {
  const std::string_view type = Type(node);
  if (type == "destructor_declaration") return "~" + std::string(Text(Field(node, "name")));
  if (type == "indexer_declaration") return "this[]";
  if (type == "operator_declaration")
    return "operator " + std::string(Text(Field(node, "operator")));
  return "operator " + std::string(Text(Field(node, "type")));
}

// "Store.Commit" for `func (s *Store[T]) Commit()`.
std::string DefinitionReader::ReceiverName(TSNode node) const {
  const std::string name(Text(Field(node, "name")));
  const TSNode receiver = Field(node, "receiver");
  if (ts_.node_is_null(receiver) || name.empty()) return name;
  const TSNode parameter = LastNamedChild(receiver);
  if (ts_.node_is_null(parameter)) return name;
  const std::string type = PlainName(Field(parameter, "type"));
  return type.empty() ? name : type + "." + name;
}

std::string DefinitionReader::NameOf(NodeRole role, TSNode node) const {
  switch (role) {
    case NodeRole::kBodied:
      if (ts_.node_is_null(Field(node, "body"))) return {};
      [[fallthrough]];
    case NodeRole::kNamed:
      return std::string(WithoutQuotes(PlainName(Field(node, "name"))));
    case NodeRole::kMacro:
      // A macro of one line is a constant or a short expression, and no definition.
      if (Text(Field(node, "value")).find('\n') == std::string_view::npos) return {};
      return std::string(Text(Field(node, "name")));
    case NodeRole::kReceiver:
      return ReceiverName(node);
    case NodeRole::kGoType:
      return std::string(Text(Field(node, "name")));
    case NodeRole::kOperator:
      return OperatorName(node);
    case NodeRole::kFirstName: {
      const std::string_view text = Text(ts_.node_named_child(node, 0));
      return std::string(text.substr(0, std::min(text.find_first_of("[< "), text.size())));
    }
    case NodeRole::kEnumItem:
      return std::string(Text(node));
    case NodeRole::kImplementation:
      return PlainName(Field(node, "type"));
    default:
      return {};
  }
}

std::optional<NodeDefinition> DefinitionReader::Read(const NodeRule& rule, TSNode node,
                                                     TSNode parent,
                                                     std::optional<SymbolKind> enclosing) const {
  switch (rule.role) {
    case NodeRole::kDeclarator:
      return Function(node, enclosing);
    case NodeRole::kDeclaration:
      return Declaration(node, enclosing);
    case NodeRole::kTypedef:
      return Typedef(node);
    case NodeRole::kValue:
      return Value(rule, node, parent, enclosing);
    case NodeRole::kAssignment:
      return Assignment(node, enclosing);
    case NodeRole::kFinalField:
      return FinalField(node);
    case NodeRole::kOwn:
    case NodeRole::kDirective:
      return read_own_ == nullptr ? std::nullopt : read_own_(*this, rule, node, enclosing);
    case NodeRole::kEnumItem:
      if (enclosing != SymbolKind::kEnum || !HoldsEnumItems(Type(parent))) return std::nullopt;
      break;
    default:
      break;
  }
  NodeDefinition definition{rule.kind, NameOf(rule.role, node), false};
  if (definition.name.empty()) return std::nullopt;
  if (rule.role == NodeRole::kGoType) {
    const std::string_view type = Type(Field(node, "type"));
    if (type == "struct_type") definition.kind = SymbolKind::kStruct;
    if (type == "interface_type") definition.kind = SymbolKind::kInterface;
  }
  const bool function = definition.kind == SymbolKind::kFunction;
  if (function && HoldsMembers(enclosing)) definition.kind = SymbolKind::kMethod;
  definition.hides = function || definition.kind == SymbolKind::kMethod;
  return definition;
}

}  // namespace recall
