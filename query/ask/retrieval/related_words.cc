// Before the lexical retriever runs: other names of what the question names.
//
// Problem. A text that says "automobile" does not match the question "car", and a small store has
// too little text to learn that they are the same.
//
// Idea. The lexicon in the program has for each stem those that share a concept with it
// (index/base/lexicon). They become part of the word's clause: they match as the word does, with
// less weight, and a chunk gets the greatest of their scores, not the sum. The lexical search keeps
// the nearest that the store has (index/search/lexical/lexical_index.cc).
//
// Invariants. Only plain words have related words: not those in quotes, after + or - or before *,
// and no names, numbers or parts of identifiers. In equal texts the word itself scores more than a
// related one: its weight is at least 1 / kRelatedWeight times as large.
//
// Cost: a binary search for each word, and the postings of the related words.

#include "query/ask/retrieval/related_words.h"

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_set>

#include "index/base/lexicon/lexicon.h"
#include "index/base/text/stop_words.h"

namespace recall {

void AddRelatedWords(LexicalQuery& query) {
  const Lexicon& lexicon = Lexicon::Builtin();
  std::unordered_set<std::string> asked;
  for (const LexicalClause& clause : query.clauses) {
    for (const FtsPhrase& phrase : clause.any_of)
      asked.insert(phrase.tokens.begin(), phrase.tokens.end());
  }
  for (LexicalClause& clause : query.clauses) {
    if (!clause.relatable) continue;
    const std::optional<uint32_t> stem = lexicon.Find(clause.any_of.front().tokens.front());
    if (!stem) continue;
    for (const Lexicon::Relative& relative : lexicon.RelativesOf(*stem)) {
      std::string related = lexicon.stem(relative.stem);
      if (asked.contains(related) || IsStopStem(related)) continue;
      clause.related.push_back(
          {std::move(related), lexicon.word(relative.stem), relative.similarity});
    }
  }
}

}  // namespace recall
