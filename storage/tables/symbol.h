#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace recall {

// A definition that is in a chunk, whole or in part.
struct Symbol {
  std::string name;       // "Commit"
  std::string kind = {};  // "method": SymbolKindName
  // "Store": the enclosing definitions, joined by " > "; "" if there are none.
  std::string scope = {};
  uint32_t start_line = 1;  // of the definition, without comments above it; from 1
  uint32_t end_line = 1;    // of its last byte
  // Whether the definition begins in the chunk. A chunk has all that begin in it; if there are
  // none, the innermost one that it is a part of.
  bool begins = true;

  friend bool operator==(const Symbol&, const Symbol&) = default;
};

// What joins the names of a scope.
inline constexpr std::string_view kScopeSeparator = " > ";

// The parts of a name as it is written in code: {"Store", "Commit"} of "Store::Commit",
// "Store.Commit" and "Store > Commit". A name that is no such sequence of names is one part:
// "operator==", "~Store", "...". Separators in brackets, and behind `operator`, separate nothing:
// "Map<std::string>::at" has the parts "Map<std::string>" and "at". The parts are views of `name`.
// Not empty unless `name` is.
std::vector<std::string_view> SplitQualifiedName(std::string_view name);

// The symbol as it is stored: if its name is qualified, as that of a method that is defined outside
// of its class, all parts but the last belong to the scope.
Symbol WithSimpleName(Symbol symbol);

}  // namespace recall
