#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/base/text/token_limits.h"

namespace recall {

// The version of the tokenizer, which stores record. It must change whenever the tokens of any text
// change. Stores of earlier versions keep their tokens.
//   1  words, and wholes of identifiers
//   2  also names (index/base/text/names.h) and words of paths, in `compound`
//   3  also other spellings and pieces of words (word_variants.h), numbers, words with an
//      apostrophe, and symbols (further_names.h), in `compound`; numbers and other spellings in
//      paths, and words of titles; and the names that a chunk defines
//      (index/source/note/document_tokenizer.h)
inline constexpr uint32_t kTokenizerVersion = 3;
// Whether this program makes the tokens of a version.
constexpr bool IsKnownTokenizer(uint64_t version) {
  return version >= 1 && version <= kTokenizerVersion;
}
// The version of the stems in `body` alone, which models record.
inline constexpr uint32_t kStemVersion = 1;

// The text of one chunk in the lexical index: tokens separated by single spaces, made only of
// [a-z0-9] and UTF-8 bytes >= 0x80, so FTS5's `ascii` tokenizer splits them exactly there.
struct LexicalText {
  std::string body;      // folded, stemmed words in order; CJK as overlapping bigrams
  std::string compound;  // whole identifiers whose parts are in body: fooBar, foo_bar -> foobar,
                         // stemmed like the plain word foobar; names; words of the path
  uint32_t tokens = 0;   // in body: the document length of BM25
};

// Turns text into index tokens (docs/RETRIEVAL.md, "Tokens"): NFKC, lower case, diacritics dropped,
// marks inside words kept, Porter stems for a-z words of three letters or more, overlapping bigrams
// for scripts written without spaces, parts and wholes of identifiers. Invalid UTF-8 separates
// words. It caches the tokens of words: one Tokenizer per thread.
class Tokenizer final {
 public:
  // Requires: IsKnownTokenizer(version).
  explicit Tokenizer(uint32_t version = kTokenizerVersion);
  ~Tokenizer();
  Tokenizer(const Tokenizer&) = delete;
  Tokenizer& operator=(const Tokenizer&) = delete;

  // The language of the texts that follow, of which words with other forms have their stems as
  // further tokens, since version 3 (snowball.h). Empty, or one without LanguageStems: none.
  void SetLanguage(std::string_view language);

  // Analyses a chunk. `heading` is its heading path; its last part is left out if `text` starts
  // with that heading, so that no heading counts twice. `path_words`: the AnalyzePath of its
  // document, which the index has after the other compounds; what only needs `body` omits it.
  // Overwrites *out (reusing its memory).
  void Analyze(std::string_view heading, std::string_view text, LexicalText* out,
               std::string_view path_words = {});

  // The tokens of the words of a document's path and, since version 3, of its title, separated by
  // spaces; empty in version 1. None of them occurs in a text.
  std::string AnalyzePath(std::string_view path, std::string_view title = {});

  uint32_t version() const;

  // One word of a query, divided and folded exactly as for the index.
  struct Word {
    std::vector<std::string> stems;  // one, or the parts of an identifier, or CJK bigrams
    std::string whole;               // the compound token of an identifier, else empty
    std::string surface;             // the folded word before stemming
    // The name that ends with this word, if there is one: its token, its text, the number of words
    // of the query that belong to it, and whether it is marked: more than these words.
    std::string name;
    std::string name_text;
    size_t name_words = 0;
    bool name_is_marked = false;
    // The tokens of other spellings, by stem; and the pieces of a word with Hangul.
    std::vector<std::vector<std::string>> variants;
    std::vector<std::string> pieces;
    // The tokens of its stems in the languages of the query, other than its own and `variants`. A
    // text in one of these languages has that of its language wherever it has a form of the word.
    std::vector<std::string> forms;
    // Phrases of tokens that mean the same: koeln for Köln, "5 gb" for 5gb. The index may have them
    // beside the word.
    std::vector<std::vector<std::string>> alternatives;
    // The number or word with an apostrophe that ends with this word, likewise. Symbols are words
    // of one stem, which is no part of `body`.
    std::string joined;
    std::string joined_text;
    size_t joined_words = 0;
    bool joined_is_number = false;
    bool of_number = false;  // part of such a number, so it says little
    bool is_symbol = false;
  };
  // The words of a query text in order, and its symbols. Never fails; empty if nothing is
  // searchable. `languages`: those of QuestionLanguages.
  std::vector<Word> AnalyzeQuery(std::string_view text,
                                 std::span<const std::string> languages = {});

  // The languages of the texts that are searched; those without LanguageStems do not count.
  void SetSearchedLanguages(std::span<const std::string> languages);
  // Those of them in which a question may be.
  std::vector<std::string> QuestionLanguages(std::string_view question) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Counts the maximal runs of characters that are not Unicode white space. Budgets and chunk sizes
// use this number.
uint64_t CountTokens(std::string_view text);

}  // namespace recall
