#pragma once

#include <tree_sitter/api.h>

#include <span>
#include <string>
#include <string_view>

namespace recall {

// A grammar that is part of this program.
struct LinkedGrammar {
  std::string_view language;      // "python"
  std::string_view version;       // "0.23.6", of its npm package
  const TSLanguage* (*tables)();  // nullptr: only its name is known here
};

// The grammars this program was built with, in the order of cmake/grammars.lock. May be empty.
// cmake/RecallGrammars.cmake writes the source.
std::span<const LinkedGrammar> LinkedGrammars();

// The name of a grammar with the revision of our rules for its language, where that is not 0:
// "cpp-0.23.4+1" (code_grammar.cc).
std::string NameOfGrammar(const LinkedGrammar& grammar);

}  // namespace recall
