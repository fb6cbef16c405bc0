#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "index/source/chunk/code_outline.h"

namespace recall {

// The definition of a name by a node.
struct NodeDefinition {
  SymbolKind kind = SymbolKind::kFunction;
  std::string name;
  bool hides = false;  // definitions inside of it are left out, as in a function
  // The definition directly before it, if it has the same name, goes on: a clause, an equation.
  bool joins = false;
  bool extends = false;  // see Definition
};

// Whether functions in a definition of this kind are its methods.
bool HoldsMembers(std::optional<SymbolKind> kind);

// Whether a name has a letter and no lower-case letter: MAX_SIZE, EOF, _X.
bool IsUpperCaseName(std::string_view name);

}  // namespace recall
