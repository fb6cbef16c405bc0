// The problem: source code should be cut between functions, without a grammar for each language.
// Lines of most languages show enough: indentation, blank lines, and the words that open a
// definition.
//
// A new block starts
//  - after a blank line, at a line that is not indented (and does not only close a bracket);
//  - at a line that opens a definition and is indented by at most four columns, so that the methods
//    of a class are divided, too, except directly below the definition that encloses it ("class A:"
//    stays with its first method).
// Comments, attributes and decorators directly above such a line belong to it:
//
//    import os
//                       <- block
//    # Keeps the time.
//    class Clock:
//        def now(self):
//            ...
//                       <- block
//        @property
//        def zone(self): ...
//
// A line opens a definition if, after modifiers ("pub(crate)", "static"), it has one of the words
// of kDefinitionWords followed by something that can be a name. Comment lines wait in `attached_`
// until the next line of code or blank line decides to which block they belong.
//
// A wrong guess costs little: blocks are joined into chunks again (block_packer.h), so it only
// moves a boundary. Linear in the size of the text.

#include <algorithm>
#include <optional>

#include "index/source/chunk/chunk_parsers.h"
#include "index/source/chunk/line_reader.h"

namespace recall {
namespace {

constexpr size_t kMaxDefinitionIndent = 4;

constexpr std::string_view kDefinitionWords[] = {
    "fn",    "def",      "class",  "struct",   "enum",      "impl",   "interface",
    "trait", "func",     "fun",    "function", "type",      "module", "namespace",
    "mod",   "protocol", "object", "record",   "extension", "union",  "macro_rules!"};
constexpr std::string_view kModifiers[] = {
    "pub",   "public",   "private", "protected", "internal",  "static",   "abstract", "final",
    "async", "unsafe",   "export",  "default",   "extern",    "virtual",  "override", "sealed",
    "open",  "data",     "const",   "inline",    "constexpr", "partial",  "case",     "declare",
    "local", "readonly", "typedef", "override",  "suspend",   "noexcept", "implicit", "friend"};
constexpr std::string_view kAttachedPrefixes[] = {"//", "/*", "*",  "#",
                                                  "@",  "--", "[[", "template"};

bool IsWordByte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '!' || static_cast<unsigned char>(c) >= 0x80;
}

// Removes and returns the word at the beginning of `text`.
std::string_view TakeWord(std::string_view* text) {
  const size_t length = std::find_if_not(text->begin(), text->end(), IsWordByte) - text->begin();
  const std::string_view word = text->substr(0, length);
  text->remove_prefix(length);
  return word;
}

void SkipSpaces(std::string_view* text) {
  text->remove_prefix(std::min(text->find_first_not_of(" \t"), text->size()));
}

// Skips the text between modifier and keyword in "pub(crate) fn" and "extern \"C\" fn".
void SkipModifierArgument(std::string_view* text) {
  if (text->starts_with('(')) text->remove_prefix(std::min(text->find(')'), text->size() - 1) + 1);
  SkipSpaces(text);
  if (text->starts_with('"')) {
    text->remove_prefix(std::min(text->find('"', 1), text->size() - 1) + 1);
    SkipSpaces(text);
  }
}

// `code` is a line without its indentation.
bool OpensDefinition(std::string_view code) {
  constexpr int kMaxWords = 6;
  for (int i = 0; i < kMaxWords; ++i) {
    const std::string_view word = TakeWord(&code);
    if (IsOneOf(kDefinitionWords, word)) {
      // A name must follow: `type = 3` and `class: x` define nothing.
      const bool spaced = code.empty() || code.front() == ' ' || code.front() == '\t' ||
                          code.front() == '<' || code.front() == '*';
      SkipSpaces(&code);
      return spaced && (code.empty() || IsWordByte(code.front()) ||
                        std::string_view("(<*[{\"'`").find(code.front()) != std::string_view::npos);
    }
    if (!IsOneOf(kModifiers, word)) return false;
    SkipModifierArgument(&code);
  }
  return false;
}

bool IsAttached(std::string_view code) {
  return std::any_of(std::begin(kAttachedPrefixes), std::end(kAttachedPrefixes),
                     [code](std::string_view prefix) { return code.starts_with(prefix); });
}

bool ClosesBracket(std::string_view code) {
  return code.starts_with('}') || code.starts_with(')') || code.starts_with(']');
}

class CodeParser final {
 public:
  explicit CodeParser(BlockPacker* packer) : packer_(packer) {}

  void Read(const Line& line) {
    if (line.blank()) {
      after_blank_ = true;
      TakeAttached();
      return;
    }
    const Indentation indentation = MeasureIndentation(line.content);
    const std::string_view code = line.content.substr(indentation.bytes);
    if (after_blank_ && indentation.columns == 0 && !ClosesBracket(code)) EndBlock();
    after_blank_ = false;
    if (IsAttached(code)) {
      Extend(&attached_, line.range);
      return;
    }
    if (indentation.columns <= kMaxDefinitionIndent && OpensDefinition(code)) {
      const bool enclosed = enclosing_indent_ && *enclosing_indent_ < indentation.columns;
      if (!enclosed) EndBlock();
      enclosing_indent_ = indentation.columns;
    } else {
      enclosing_indent_.reset();
    }
    TakeAttached();
    Extend(&block_, line.range);
  }

  void Finish() {
    TakeAttached();
    EndBlock();
  }

 private:
  static void Extend(std::optional<TextRange>* range, const TextRange& more) {
    *range = *range ? Join(**range, more) : more;
  }
  void TakeAttached() {
    if (attached_) Extend(&block_, *attached_);
    attached_.reset();
  }
  void EndBlock() {
    if (block_) packer_->Add(*block_);
    block_.reset();
  }

  BlockPacker* packer_;
  std::optional<TextRange> block_;
  std::optional<TextRange> attached_;  // comments that belong to the line after them
  // The indentation of the definition, if the last line of code opened one.
  std::optional<size_t> enclosing_indent_;
  bool after_blank_ = false;
};

}  // namespace

void ParseCodeBlocks(std::string_view text, const ChunkLimits& limits, BlockPacker* packer) {
  LineReader reader(text, limits);
  CodeParser parser(packer);
  for (Line line; reader.Next(&line);) parser.Read(line);
  parser.Finish();
}

}  // namespace recall
