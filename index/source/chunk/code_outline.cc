#include "index/source/chunk/code_outline.h"

#include <cstddef>
#include <iterator>

namespace recall {
namespace {

constexpr std::string_view kSymbolKindNames[] = {
    "namespace", "class",    "struct", "union", "enum",     "interface", "trait",
    "type",      "function", "method", "macro", "constant", "variable"};

}  // namespace

std::string_view SymbolKindName(SymbolKind kind) {
  return kSymbolKindNames[static_cast<size_t>(kind)];
}

std::vector<std::string> SymbolKindNames() {
  return {std::begin(kSymbolKindNames), std::end(kSymbolKindNames)};
}

}  // namespace recall
