#pragma once

// The names that lines of a text define, found without a grammar. The full-text index has a token
// for each (index/base/text/names.h), so a search for a name finds where it is defined.

#include <cstdint>
#include <string_view>
#include <vector>

namespace recall {

// What is known of a text by its path and its parser.
enum class TextKind : uint8_t {
  kPlain,     // prose, configuration, or code without a known extension
  kMarkdown,  // also notes
  kC,         // C, C++, Objective-C, CUDA
  kHeader,    // of these: declarations count as definitions
  kCode,      // of other languages
  kOther,     // nothing is defined: sessions
};
// `parser`: a ParserName.
TextKind TextKindOf(std::string_view path, std::string_view parser);
// Whether it is source code that was cut as such.
inline bool IsSourceCode(TextKind kind) {
  return kind == TextKind::kC || kind == TextKind::kHeader || kind == TextKind::kCode;
}

struct DefinedName {
  std::string_view name;  // one word, in the text
  // Whether it is an entry of a list, the heading of a section, or a macro that is defined unless
  // another file has, and so no definition in code.
  bool is_entry = false;
  bool operator==(const DefinedName&) const = default;
};

// Finds the names that the lines of `text` define, in their order. Of a qualified name (Store::Add,
// M.add) it is the last part. Names have 2 to 64 bytes.
//
//   #define NAME 22         class NAME:        pub fn NAME<T>(         func (s *Store) NAME(
//   int NAME(int a) {       static constexpr size_t kName = 3;         NAME = 4096
//   enum Kind { NAME, ... } ## `NAME`          NAME: in a list         .TP and .B NAME
//
// The rules look at single lines and at the first byte of the next one, so they miss some
// definitions and take some other lines for definitions. Deterministic, never fails. Linear in the
// size of the text. The tokens of stores depend on the rules: a change needs a new
// kTokenizerVersion.
std::vector<DefinedName> FindDefinedNames(std::string_view text, TextKind kind);

}  // namespace recall
