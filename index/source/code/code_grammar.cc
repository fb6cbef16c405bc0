// The extension of a source file decides about its language. A header `.h` may be C or C++: it is
// C++ if a line outside of comments begins with a word that only C++ has, or names a scope
// (`std::`). Cost: of a header, linear in the lines up to the first sign of C++.

#include "index/source/code/code_grammar.h"

#include <algorithm>
#include <cstddef>

#include "index/source/chunk/path_extension.h"
#include "index/source/code/linked_grammars.h"

namespace recall {
namespace {

struct LanguageExtension {
  std::string_view extension;
  std::string_view language;
};
constexpr LanguageExtension kLanguageExtensions[] = {{"c", "c"},
                                                     {"h", "h"},
                                                     {"cc", "cpp"},
                                                     {"cpp", "cpp"},
                                                     {"cxx", "cpp"},
                                                     {"c++", "cpp"},
                                                     {"hh", "cpp"},
                                                     {"hpp", "cpp"},
                                                     {"hxx", "cpp"},
                                                     {"h++", "cpp"},
                                                     {"inl", "cpp"},
                                                     {"ipp", "cpp"},
                                                     {"tpp", "cpp"},
                                                     {"cu", "cpp"},
                                                     {"cuh", "cpp"},
                                                     {"py", "python"},
                                                     {"pyi", "python"},
                                                     {"pyw", "python"},
                                                     {"js", "javascript"},
                                                     {"cjs", "javascript"},
                                                     {"mjs", "javascript"},
                                                     {"jsx", "javascript"},
                                                     {"ts", "typescript"},
                                                     {"cts", "typescript"},
                                                     {"mts", "typescript"},
                                                     {"tsx", "tsx"},
                                                     {"go", "go"},
                                                     {"rs", "rust"},
                                                     {"java", "java"},
                                                     {"cs", "c-sharp"},
                                                     {"rb", "ruby"},
                                                     {"rake", "ruby"},
                                                     {"gemspec", "ruby"},
                                                     {"php", "php"},
                                                     {"sh", "bash"},
                                                     {"bash", "bash"},
                                                     {"ex", "elixir"},
                                                     {"exs", "elixir"},
                                                     {"hs", "haskell"},
                                                     {"kt", "kotlin"},
                                                     {"kts", "kotlin"},
                                                     {"lua", "lua"},
                                                     {"scala", "scala"},
                                                     {"swift", "swift"},
                                                     {"zig", "zig"}};

bool IsWordCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool BeginsWithWord(std::string_view line, std::string_view word) {
  return line.starts_with(word) &&
         (line.size() == word.size() || !IsWordCharacter(line[word.size()]));
}

// Whether a line outside of comments is C++. Preprocessor lines and comments at the end of a line
// are passed over, because their words may be the same in C.
bool IsLineOfCpp(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  if (line.empty() || line[0] == '#' || line[0] == '*' || line[0] == '/') return false;
  for (const std::string_view word : {"class", "namespace", "template", "using", "constexpr",
                                      "public", "private", "protected", "virtual", "explicit"}) {
    if (BeginsWithWord(line, word)) return true;
  }
  // A name of a scope, not in a comment at the end of the line.
  const size_t scope = line.find("::");
  return scope != line.npos && scope > 0 && IsWordCharacter(line[scope - 1]) &&
         line.find("//") > scope && line.find("/*") > scope && line.find('"') > scope;
}

// Whether a `/* */` comment continues on the next line.
bool LeavesCommentOpen(std::string_view line, bool in_comment) {
  for (;;) {
    if (in_comment) {
      const size_t close = line.find("*/");
      if (close == line.npos) return true;
      line.remove_prefix(close + 2);
    }
    const size_t open = line.find("/*");
    if (open == line.npos || line.find("//") < open) return false;
    line.remove_prefix(open + 2);
    in_comment = true;
  }
}

bool IsHeaderOfCpp(std::string_view text) {
  bool in_comment = false;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!in_comment && IsLineOfCpp(line)) return true;
    in_comment = LeavesCommentOpen(line, in_comment);
  }
  return false;
}

// The revision of our rules for a language: how a text is prepared for its grammar, and how its
// tree is read. A change of the outlines of a language must raise its revision, so that `add
// --rechunk` finds the documents with older chunks.
struct RulesRevision {
  std::string_view language;
  int revision = 0;
};
constexpr RulesRevision kRulesRevisions[] = {{"c", 1}, {"cpp", 1}};

}  // namespace

std::string NameOfGrammar(const LinkedGrammar& grammar) {
  std::string name = std::string(grammar.language) + "-" + std::string(grammar.version);
  for (const RulesRevision& known : kRulesRevisions) {
    if (known.language == grammar.language) name += "+" + std::to_string(known.revision);
  }
  return name;
}

std::string_view LanguageOf(std::string_view path, std::string_view text) {
  const std::string extension = PathExtension(path);
  for (const LanguageExtension& known : kLanguageExtensions) {
    if (known.extension != extension) continue;
    if (known.language != "h") return known.language;
    return IsHeaderOfCpp(text) ? "cpp" : "c";
  }
  return {};
}

std::string GrammarFor(std::string_view path, std::string_view text) {
  if (LinkedGrammars().empty()) return {};
  const std::string_view language = LanguageOf(path, text);
  for (const LinkedGrammar& grammar : LinkedGrammars()) {
    if (grammar.language == language) return NameOfGrammar(grammar);
  }
  return {};
}

std::vector<std::string> GrammarNames() {
  std::vector<std::string> names;
  for (const LinkedGrammar& grammar : LinkedGrammars()) names.push_back(NameOfGrammar(grammar));
  std::ranges::sort(names);
  return names;
}

}  // namespace recall
