#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "query/types/reference_types.h"

namespace recall {

// Where a definition can be used.
enum class Visibility : uint8_t { kAnywhere, kDirectory, kFile };

// A definition that a name may mean.
struct NamedDefinition {
  std::string path;
  std::string kind;                // SymbolKindName
  std::vector<std::string> scope;  // outermost first
  Visibility visibility = Visibility::kAnywhere;
};

// Where a definition can be used: in its file if it is `static` in a source file of C or C++, or if
// a module of JavaScript or TypeScript does not export it; in its directory if its name begins with
// a small letter in Go. `text`: of its document. `begin`: where its first line begins.
Visibility VisibilityOf(std::string_view path, std::string_view text, size_t begin,
                        std::string_view name, std::string_view kind);

// The name before a place and what joins both.
struct Qualifier {
  std::string_view name;   // "" if it is no name, as in f().g()
  std::string_view joint;  // "::", ".", "->", "?."; "": the name stands alone
};
// `begin`: where the name begins.
Qualifier QualifierOf(std::string_view text, size_t begin);
// Whether a qualifier means the object or the class that the code belongs to: this, self, super.
bool IsOwnReceiver(std::string_view name);
// A name in lower case and without `_`: "store_" and "Store" are "store".
std::string PlainName(std::string_view name);

// A place where a name stands in source code.
struct NamePlace {
  std::string_view path;
  std::string_view text;  // of the document
  size_t begin = 0;       // bytes of the text
  size_t end = 0;
  std::string_view imports;             // the lines of the document that import
  std::vector<std::string_view> scope;  // the names of the definitions around it, outermost first
};

// Whether a call follows: `(`, or `<...>(`; of languages without parentheses, any place is one.
bool IsCallPlace(const NamePlace& place);
// Whether the place declares a function of C or C++ without its body. `is_in_function`: whether the
// innermost definition around it is a function or a method.
bool IsDeclarationPlace(const NamePlace& place, bool is_in_function);

// What says that the place means `definition`, by syntax alone; nothing if it cannot: an
// unqualified name is no method of another class, where the language demands a receiver.
std::optional<ReferenceEvidence> EvidenceOf(const NamePlace& place,
                                            const NamedDefinition& definition);

}  // namespace recall
