#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "index/text/token_limits.h"

namespace recall {

// Changes whenever the tokens of any text change; recorded in the store.
inline constexpr uint32_t kTokenizerVersion = 1;

// What the lexical index holds of one chunk: tokens separated by single spaces, made only of
// [a-z0-9] and UTF-8 bytes >= 0x80, so FTS5's `ascii` tokenizer splits them exactly there.
struct LexicalText {
  std::string body;      // folded, stemmed words in order; CJK as overlapping bigrams
  std::string compound;  // whole identifiers whose parts are in body: fooBar, foo_bar -> foobar,
                         // stemmed like the plain word foobar
  uint32_t tokens = 0;   // in body: the length BM25 divides by
};

// Turns text into index tokens (docs/RETRIEVAL.md, "Tokens"): NFKC, lower case, diacritics
// dropped, marks inside words kept, Porter stems for a-z words of three letters or more,
// overlapping bigrams for scripts written without spaces, parts and wholes of identifiers.
// Invalid UTF-8 separates words. Keeps a cache of words: one Tokenizer per thread.
class Tokenizer final {
 public:
  Tokenizer();
  ~Tokenizer();
  Tokenizer(const Tokenizer&) = delete;
  Tokenizer& operator=(const Tokenizer&) = delete;

  // `heading` is the chunk's heading path; its last part is left out when `text` starts with
  // that heading line, so that no heading counts twice. Overwrites *out (reusing its memory).
  void Analyze(std::string_view heading, std::string_view text, LexicalText* out);

  // One word of a query, split and folded exactly as the index does it.
  struct Word {
    std::vector<std::string> stems;  // one, or the parts of an identifier, or CJK bigrams
    std::string whole;               // the compound token of an identifier, else empty
    std::string surface;             // the folded word before stemming
  };
  // The words of a piece of query text in order. Never fails; nothing searchable gives none.
  std::vector<Word> AnalyzeQuery(std::string_view text);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Number of maximal runs of bytes that are not ASCII or Unicode white space: the published token
// count, which budgets and chunk sizes are measured in.
uint64_t CountTokens(std::string_view text);

}  // namespace recall
