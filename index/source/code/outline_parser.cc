// Macros of C and C++ that the grammars have no place for are blanked before parsing
// (macro_blanks.h). If the tree is too broken without them, the text is parsed as it is.

#include "index/source/code/outline_parser.h"

#include <memory>
#include <string>

#include "index/source/code/code_grammar.h"
#include "index/source/code/linked_grammars.h"
#include "index/source/code/macro_blanks.h"
#include "index/source/code/outline_walk.h"
#include "index/source/code/tree_sitter_library.h"

namespace recall {
namespace {

constexpr uint64_t kParseMicros = 30'000'000;

const LinkedGrammar* FindLinkedGrammar(std::string_view name) {
  for (const LinkedGrammar& grammar : LinkedGrammars()) {
    if (NameOfGrammar(grammar) == name) return &grammar;
  }
  return nullptr;
}

// `in_time`: whether the text could be parsed in time.
std::optional<CodeOutline> OutlineOf(const TreeSitterLibrary& ts, TSParser* parser,
                                     const LinkedGrammar& grammar, const WalkedText& text,
                                     bool* in_time) {
  const std::string_view parsed = text.parsed;
  const std::unique_ptr<TSTree, decltype(ts.tree_delete)> tree(
      ts.parser_parse_string(parser, nullptr, parsed.data(), static_cast<uint32_t>(parsed.size())),
      ts.tree_delete);
  *in_time = tree != nullptr;
  if (!tree) return std::nullopt;
  CodeOutline outline;
  const TSNode root = ts.tree_root_node(tree.get());
  if (!WalkTree(ts, grammar.tables(), grammar.language, text, root, &outline)) return std::nullopt;
  return outline;
}

}  // namespace

std::optional<CodeOutline> ParseOutline(std::string_view grammar, std::string_view source) {
  const LinkedGrammar* const linked = FindLinkedGrammar(grammar);
  if (linked == nullptr || linked->tables == nullptr) return std::nullopt;
  if (source.size() > kMostOutlineText) return std::nullopt;
  const TreeSitterLibrary* const ts = TreeSitterLibrary::Get();
  if (ts == nullptr) return std::nullopt;
  const TSLanguage* const language = linked->tables();
  const uint32_t abi = ts->language_version(language);
  if (abi < TREE_SITTER_MIN_COMPATIBLE_LANGUAGE_VERSION || abi > TREE_SITTER_LANGUAGE_VERSION) {
    return std::nullopt;
  }
  const std::unique_ptr<TSParser, decltype(ts->parser_delete)> parser(ts->parser_new(),
                                                                      ts->parser_delete);
  if (!ts->parser_set_language(parser.get(), language)) return std::nullopt;
  ts->parser_set_timeout_micros(parser.get(), kParseMicros);
  bool in_time = true;
  std::optional<CodeOutline> outline;
  if (linked->language == "c" || linked->language == "cpp") {
    const std::string blanked = BlankMacros(source);
    if (blanked != source) {
      outline = OutlineOf(*ts, parser.get(), *linked, {blanked, source}, &in_time);
    }
  }
  // A word that is no macro may have been blanked, which breaks the tree.
  if (!outline && in_time) {
    outline = OutlineOf(*ts, parser.get(), *linked, {source, source}, &in_time);
  }
  if (outline) outline->grammar = std::string(grammar);
  return outline;
}

}  // namespace recall
