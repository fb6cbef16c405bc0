#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "index/source/code/language_definitions.h"
#include "index/source/code/node_access.h"
#include "index/source/code/node_definition.h"
#include "index/source/code/node_rules.h"
#include "index/source/code/tree_sitter_library.h"

namespace recall {

// Reads kinds and names of definitions from the nodes of one syntax tree. Names are written as in
// the source, without arguments of templates: "Store::Commit" for a member that is defined outside
// of its class. Methods of Go, and functions that JavaScript assigns to a property, have the name
// of their type before them: "Store.Commit". The last part is always the plain name. A test of
// GoogleTest, `TEST(Suite, Case) {...}`, is the function "Suite.Case".
class DefinitionReader final : public NodeAccess {
 public:
  // `name` is that of the language: "python". The other arguments must outlive the reader.
  DefinitionReader(const TreeSitterLibrary& ts, const TSLanguage* language, std::string_view name,
                   std::string_view text)
      : NodeAccess(ts, language, text), read_own_(OwnDefinitionsOf(name)) {}

  // `enclosing`: the kind of the definition that encloses the node. Returns: nothing if the node
  // defines nothing. The cost does not depend on the size of the node, but on the number of its
  // children.
  std::optional<NodeDefinition> Read(const NodeRule& rule, TSNode node, TSNode parent,
                                     std::optional<SymbolKind> enclosing) const;

 private:
  struct Declarator {
    std::string name;
    TSNode node{};             // the name
    bool of_function = false;  // the name is directly that of a function, not of a pointer to one
    bool qualified = false;
  };

  std::string ScopeName(TSNode node) const;
  std::string_view CastName(TSNode node) const;
  TSNode InnerDeclarator(TSNode node, std::string_view type) const;
  Declarator ReadDeclarator(TSNode node) const;
  std::string TestName(TSNode declarator) const;
  std::string PlainName(TSNode node) const;
  std::optional<NodeDefinition> Function(TSNode node, std::optional<SymbolKind> enclosing) const;
  std::optional<NodeDefinition> Declaration(TSNode node, std::optional<SymbolKind> enclosing) const;
  std::optional<NodeDefinition> Typedef(TSNode node) const;
  std::optional<NodeDefinition> Value(const NodeRule& rule, TSNode node, TSNode parent,
                                      std::optional<SymbolKind> enclosing) const;
  std::optional<NodeDefinition> Assignment(TSNode node, std::optional<SymbolKind> enclosing) const;
  std::string AssignedName(TSNode left, bool* method) const;
  std::optional<NodeDefinition> FinalField(TSNode node) const;
  std::string OperatorName(TSNode node) const;
  std::string ReceiverName(TSNode node) const;
  // The name for the roles that have no function of their own; "" if the node defines nothing.
  std::string NameOf(NodeRole role, TSNode node) const;

  OwnDefinitions* read_own_;  // of nodes with the role kOwn; null if the language has none
};

}  // namespace recall
