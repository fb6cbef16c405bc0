#pragma once

#include <optional>
#include <string_view>

#include "index/source/code/node_access.h"
#include "index/source/code/node_definition.h"
#include "index/source/code/node_rules.h"

namespace recall {

// Reads the definition that a node with the role kOwn is. `enclosing`: the kind of the definition
// that encloses it. Returns: nothing if the node defines nothing.
using OwnDefinitions = std::optional<NodeDefinition>(const NodeAccess& nodes, const NodeRule& rule,
                                                     TSNode node,
                                                     std::optional<SymbolKind> enclosing);

// The function of a language ("elixir"); null if it has none. A language has one if its grammar
// does not say by types and fields alone what a node defines.
OwnDefinitions* OwnDefinitionsOf(std::string_view language);

OwnDefinitions ElixirDefinition;
OwnDefinitions HaskellDefinition;
OwnDefinitions KotlinDefinition;
OwnDefinitions LuaDefinition;
OwnDefinitions ScalaDefinition;
OwnDefinitions SwiftDefinition;
OwnDefinitions ZigDefinition;

// Whether `@name value` of Elixir describes the definition below it (`@doc`, `@spec`), so that it
// belongs to it as a comment does.
bool DescribesNextOfElixir(const NodeAccess& nodes, TSNode node);

}  // namespace recall
