#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/base/text/tokenizer.h"
#include "index/search/lexical_query/field_weights.h"
#include "storage/fts5/fts_index.h"

namespace recall {

// A word that means nearly the same as a word of the query.
struct RelatedWord {
  std::string stem;
  std::string word;       // as the lexicon writes it
  double similarity = 0;  // from .5 to 1
};

// One clause of a query. It matches if any of its phrases matches; its count in a chunk is the sum
// of the counts of its phrases.
struct LexicalClause {
  enum class Occur { kShould, kMust, kMustNot };
  Occur occur = Occur::kShould;
  std::vector<FtsPhrase> any_of;
  uint32_t count = 1;  // how often the query contains it: its weight
  std::string text;    // the clause as parsed, for --explain
  // Whether other terms may stand for it if no chunk contains it: it is a plain word, not quoted,
  // not required, and no prefix. `text` is then the folded word.
  bool expandable = false;
  // Whether words that mean nearly the same count, too: it is a plain word, and not in quotes.
  bool relatable = false;
  // Tokens that texts in other languages have wherever they have a form of the word. A chunk gets
  // the greatest score of the clause and of these, which all have the least of their weights.
  std::vector<std::string> forms = {};
  // Words that mean nearly the same, the nearest first. Of those that the store has, the nearest
  // kMostRelatedWords match as the clause does; a chunk gets the greatest of their scores and of
  // that of the clause.
  std::vector<RelatedWord> related = {};
  // Terms that the user calls synonyms of the word or of the words; their phrases are in any_of.
  std::vector<std::string> synonyms = {};
  // Set for a term that stands for the clause of this index, whose word no chunk contains.
  std::optional<size_t> stands_for = {};
  // Factor of its score, in (0, 1]. Less than 1 for what stands for another clause, for another
  // spelling of a word, and for the parts of a number.
  double boost = 1;
  // A name beside its parts: a clause that no chunk matches takes nothing from the others.
  bool optional = false;
};

// A word of the query in the path of a document: raises the scores of its chunks that match, and
// may find the document (name_matches.h). Not all words have one: function words have none.
struct PathWord {
  std::string token;
  uint32_t count = 1;  // how often the query contains the word
  size_t clause = 0;   // the clause of the word in texts
};

// A parsed query, in the order of the text.
struct LexicalQuery {
  std::vector<LexicalClause> clauses;
  std::vector<PathWord> path_words;  // the plain words; empty in version 1
  // Of the index: only since version 2 it has names and words of paths.
  uint32_t tokenizer_version = kTokenizerVersion;
  // The weights of the fields of cards; by default none weighs more than another.
  FieldWeights field_weights;
  // The wanted part as typed: the text without operators and without excluded items.
  std::string wanted;
  // The items of `wanted` that are neither in quotes nor required nor prefixes.
  std::string plain;
  bool Empty() const { return clauses.empty(); }
};

// Further different clauses of a long query, and further tokens of a phrase, are ignored.
inline constexpr size_t kMaxQueryClauses = 1024;
inline constexpr size_t kMaxPhraseTokens = 64;
inline constexpr size_t kMaxPathWords = 32;
inline constexpr size_t kMostRelatedWords = 4;
// The factor of the weight of a related word, beside its similarity
// (docs/decisions/0068-lexicon.md).
inline constexpr double kRelatedWeight = 0.4;
// The factor of the BM25 score of a path word. Chosen by measurement
// (docs/decisions/0033-names.md).
inline constexpr double kPathWeight = 0.5;

// Parses a query as a user types it (docs/RETRIEVAL.md, "Queries"). Every input is valid.
//   red apple      chunks with either word; both score
//   red OR apple   the same
//   "red apple"    only chunks with the words next to each other, in stemmed form
//   a "red apple"  a, red, apple, and the phrase scores on top of them
//   +red           only chunks with red
//   -red           only chunks without red (a query with exclusions only finds nothing)
//   appl*          words with this prefix
//   fooBar         foo, bar, and the whole foobar; +fooBar: the phrase foo bar, or the whole
//   +foo-bar       like +"foo bar": the parts of one item form a phrase, or the name foo-bar
//   C++            c, and the name; +C++, -C++, "C++": the name
//   山             as the only word: a prefix, because such scripts are indexed as bigrams
// Everything else is text, and so is a -word that looks like an option or a dash in prose: one of
// fewer than three bytes, one between two words, in parentheses, or in a question; -"word" always
// excludes. A query of several lines has no operators. Function words are dropped, unless the query
// has nothing else or they are a phrase, follow + or -, or precede *.
LexicalQuery ParseLexicalQuery(std::string_view text, Tokenizer& tokenizer);

// Parses a text without operators: every character is text, the words are combined with OR, and
// function words are dropped likewise.
LexicalQuery ParseLiteralQuery(std::string_view text, Tokenizer& tokenizer);

}  // namespace recall
