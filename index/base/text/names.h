#pragma once

// Names that are written with punctuation: "std::move", "node.js", "memory-limit", "C++", ".NET".
// Their words are tokens like all others; the name is one more token, in the column `compound`.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "index/base/text/segment_analyzer.h"

namespace recall {

// Finds the names of a text from its segments (NextSegment), which are passed in order.
//
//   joined   2 or 3 segments with '.', '-' or "::" between them: a.b.c  memory-limit  std::move
//   marked   one segment with a mark: C++  g++  C#  .NET  .bashrc  #include  --force
//
// No name: a joined one that begins with a digit (versions, dates), or is part of a path, an URL or
// a mail address; a number after a dot (v1.2 is v1); one of fewer than 4 bytes, or of more than 32.
class NameFinder final {
 public:
  explicit NameFinder(std::string_view text) : text_(text) {}

  // Takes the next segment, [begin, end) of the text. Segments of scripts without spaces must be
  // left out. Returns the name that ends with it, a part of the text; empty if there is none.
  std::string_view Add(size_t begin, size_t end) {
    const bool touches = joined_ || (begin > 0 && (ClassOf(begin - 1) & kMayBegin) != 0) ||
                         (end < text_.size() && (ClassOf(end) & kMayFollow) != 0);
    return touches ? AddTouching(begin, end) : std::string_view();
  }
  // Whether the next segment is joined to the last one.
  bool joined() const { return joined_; }

 private:
  enum ByteClass : uint8_t { kNone = 0, kMayBegin = 1, kMayFollow = 2 };
  static constexpr std::array<uint8_t, 256> kClasses = [] {
    std::array<uint8_t, 256> classes{};
    for (const char c : {'.', '#', '-'}) classes[static_cast<uint8_t>(c)] |= kMayBegin;
    for (const char c : {'.', '-', ':', '+', '#'}) classes[static_cast<uint8_t>(c)] |= kMayFollow;
    return classes;
  }();
  unsigned ClassOf(size_t at) const { return kClasses[static_cast<uint8_t>(text_[at])]; }
  // The byte at an offset, or before it; a space if that is outside the text.
  char ByteAt(size_t at) const { return at < text_.size() ? text_[at] : ' '; }
  char ByteBefore(size_t at) const { return at > 0 ? text_[at - 1] : ' '; }

  std::string_view AddTouching(size_t begin, size_t end);
  bool IsJoined(size_t end) const;
  std::string_view Joined(size_t end) const;
  std::string_view Marked(size_t begin, size_t end) const;

  std::string_view text_;
  size_t first_ = 0;  // where the first of the joined segments begins
  size_t parts_ = 0;
  bool joined_ = false;
};

// Whether a segment is of words, and not of a script without spaces.
bool IsSegmentOfWords(std::string_view segment);

// Whether a name that NameFinder found is marked, not joined.
bool IsMarkedName(std::string_view name);

// Appends the token of a name that NameFinder found:
//
//   std::move -> stdmov   memory-limit -> memorylimit   like the plain words stdmove, memorylimit
//   C++ -> cplusplu       C# -> csharp                  .NET -> dotnet
//   #include, --force: the stem after a character of private use, which no text has as a token
//
// Appends nothing if a part of the name is not one word.
void AppendNameToken(std::string_view name, SegmentAnalyzer& analyzer, std::string* out);

// Which words of a document's path and title have tokens.
enum class PathWordSet : uint8_t {
  kPaths,       // words of the path that are not numbers: version 2
  kAndFurther,  // also numbers, other spellings, pieces of Hangul, and the title: version 3
};

// Those of a version of the tokenizer.
constexpr PathWordSet PathWordsOf(uint32_t tokenizer_version) {
  return tokenizer_version >= 3 ? PathWordSet::kAndFurther : PathWordSet::kPaths;
}

// The token of a word of a document's path or title; `stem` is its token in a text. Empty if it has
// none: it has fewer than two bytes or too many, or is a function word, or a number and not in the
// set.
std::string PathToken(std::string_view stem, PathWordSet words);

// What the definition of a name is found by, since version 3: a token after a mark.
enum class DefinitionMark : uint8_t {
  kDefinition,  // in code
  kEntry,       // of a list, or the heading of a section
};
// Appends the token of the definition of a name, which is one word of a text or an identifier:
// EINVAL -> einval, fooBar and foo_bar -> foobar, after the mark and without stemming. No text has
// it. Appends nothing if the name is no word.
void AppendDefinitionToken(std::string_view name, DefinitionMark mark, SegmentAnalyzer& analyzer,
                           std::string* out);
// The token that a chunk has as often as the number of its marks says, since version 3
// (index/source/code/path_role.h).
inline constexpr std::string_view kMarkToken = "\uE00B";

// Appends the PathTokens of the words of the last two components of a path, without the extension
// of the last one, at most 16; then those of the title, 32 in all. Each once, separated by spaces.
void AppendPathTokens(std::string_view path, std::string_view title, PathWordSet words,
                      SegmentAnalyzer& analyzer, std::string* out);

}  // namespace recall
