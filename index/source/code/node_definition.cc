#include "index/source/code/node_definition.h"

namespace recall {

bool HoldsMembers(std::optional<SymbolKind> kind) {
  return kind == SymbolKind::kClass || kind == SymbolKind::kStruct || kind == SymbolKind::kUnion ||
         kind == SymbolKind::kEnum || kind == SymbolKind::kInterface || kind == SymbolKind::kTrait;
}

bool IsUpperCaseName(std::string_view name) {
  bool letter = false;
  for (const char c : name) {
    if (c >= 'A' && c <= 'Z') {
      letter = true;
    } else if (c != '_' && !(c >= '0' && c <= '9')) {
      return false;
    }
  }
  return letter;
}

}  // namespace recall
