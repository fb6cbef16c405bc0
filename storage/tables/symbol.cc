#include "storage/tables/symbol.h"

#include <algorithm>
#include <span>
#include <utility>

namespace recall {
namespace {

constexpr std::string_view kOperator = "operator";

bool IsNameByte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$' || static_cast<unsigned char>(c) >= 0x80;
}

// The size of the separator at `at`; 0 if there is none.
size_t SeparatorSize(std::string_view name, size_t at) {
  for (const std::string_view separator : {kScopeSeparator, std::string_view("::")}) {
    if (name.substr(at).starts_with(separator)) return separator.size();
  }
  // A range or an ellipsis is no separator.
  const bool between_names = at > 0 && at + 1 < name.size() && name[at] == '.' &&
                             name[at - 1] != '.' && name[at + 1] != '.';
  return between_names ? 1 : 0;
}

// Whether an operator is named here, as in C++.
bool BeginsOperator(std::string_view name, size_t at) {
  return name.substr(at).starts_with(kOperator) &&
         (at + kOperator.size() == name.size() || !IsNameByte(name[at + kOperator.size()]));
}

// Whether only an operator is left: `.:` of Haskell, `<+>` of Swift. Patterns are none.
bool IsOperatorName(std::string_view name) {
  return std::ranges::all_of(name, [](char c) {
    return std::string_view("!#$%&+-./:<=>@\\^|~").find(c) != std::string_view::npos;
  });
}

// For each opening bracket the position behind the one that closes it, of any kind; 0 if nothing
// does, and for all other bytes. Linear.
std::vector<size_t> EndsOfBrackets(std::string_view name) {
  constexpr std::string_view kOpening = "(<[{";
  constexpr std::string_view kClosing = ")>]}";
  std::vector<size_t> ends(name.size());
  std::vector<size_t> open;
  for (size_t i = 0; i < name.size(); ++i) {
    if (kOpening.find(name[i]) != std::string_view::npos) open.push_back(i);
    if (open.empty() || kClosing.find(name[i]) == std::string_view::npos) continue;
    ends[open.back()] = i + 1;
    open.pop_back();
  }
  return ends;
}

}  // namespace

std::vector<std::string_view> SplitQualifiedName(std::string_view name) {
  std::vector<std::string_view> parts;
  const std::vector<size_t> ends = EndsOfBrackets(name);
  size_t begin = 0;
  for (size_t at = 0; at < name.size();) {
    if (at == begin && (BeginsOperator(name, at) || IsOperatorName(name.substr(at)))) break;
    if (ends[at] != 0) {
      at = ends[at];
      continue;
    }
    const size_t separator = SeparatorSize(name, at);
    if (separator == 0) {
      ++at;
      continue;
    }
    // "::Store" is in the global scope, which has no name.
    if (at > begin) parts.push_back(name.substr(begin, at - begin));
    at += separator;
    begin = at;
  }
  if (begin < name.size()) {
    parts.push_back(name.substr(begin));
  } else if (!name.empty()) {
    return {name};  // a separator ends it: no sequence of names
  }
  return parts;
}

Symbol WithSimpleName(Symbol symbol) {
  const auto parts = SplitQualifiedName(symbol.name);
  if (parts.size() < 2) return symbol;
  for (const std::string_view part : std::span(parts).first(parts.size() - 1)) {
    if (!symbol.scope.empty()) symbol.scope += kScopeSeparator;
    symbol.scope += part;
  }
  symbol.name = std::string(parts.back());
  return symbol;
}

}  // namespace recall
