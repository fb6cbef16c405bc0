#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace recall {

// What a definition in source code defines.
enum class SymbolKind : uint8_t {
  kNamespace,  // namespace, module, package
  kClass,      // also objects, and implementations of a type, such as Rust's `impl`
  kStruct,
  kUnion,
  kEnum,
  kInterface,  // also protocols
  kTrait,
  kType,  // a name for a type: typedef, using, type
  kFunction,
  kMethod,  // a function in a class, struct, interface or trait; also a constructor
  kMacro,
  kConstant,  // a named constant at the top of a file, or in a class; also an item of an enum
  kVariable,
};

// "namespace", "class", ..., "variable".
std::string_view SymbolKindName(SymbolKind kind);
// All of them, in the order of SymbolKind.
std::vector<std::string> SymbolKindNames();

// A definition in source code.
struct Definition {
  // Bytes start_byte..end_byte (exclusive) are the definition with the comments, attributes and
  // decorators directly above it. They begin at the first byte of a line, or directly behind what
  // precedes them in it.
  uint64_t start_byte = 0;
  uint64_t end_byte = 0;
  uint64_t code_byte = 0;  // where the definition itself begins, behind its comments
  SymbolKind kind = SymbolKind::kFunction;
  std::string name;     // "Commit", "operator==", "~Store"; not empty
  int32_t parent = -1;  // the index of the definition that encloses it; -1: none
  // It adds members to the type that it names: an extension of Swift, an instance of Haskell. It is
  // no symbol, because a type may have many, and who asks for the type wants its own definition.
  bool extends = false;
};

// A place where code that is too large for a chunk can be cut: a line that begins a statement, a
// member, an element. The smaller `depth`, the better: it is that of the syntax tree.
struct CodeCut {
  uint64_t byte = 0;  // of the first byte of the line
  uint32_t depth = 0;
};

// The structure of a source file.
struct CodeOutline {
  std::string grammar;  // "python-0.23.6": which grammar it was parsed with
  // In the order of start_byte. A definition comes after the one that encloses it, lies within it,
  // and does not overlap its siblings. Definitions within functions are left out.
  std::vector<Definition> definitions;
  std::vector<CodeCut> cuts;  // ascending
};

}  // namespace recall
