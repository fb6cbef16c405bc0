#pragma once

// The fast parser of tokenizer.json. Nearly all of a file is the model's vocabulary and merges,
// which go directly into their hash tables; the small rest is parsed as JSON.

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "index/subword/json_fields.h"
#include "index/subword/subword_vocabulary.h"
#include "storage/base/result.h"

namespace recall {

// "vocab" and "merges" of a model.
struct ModelTokens {
  enum class Shape {
    kNone,     // missing, or neither of these
    kNumbers,  // an object: tokens and their numbers
    kScores,   // an array of tokens with their scores; the index is the number
  };
  Shape shape = Shape::kNone;
  std::string fault;  // the error in its members; empty if none
  SubwordVocabulary vocabulary;
  std::vector<double> scores;  // by number

  using Merge = std::pair<std::string_view, std::string_view>;
  bool has_merges = false;  // as an array
  bool bad_merges = false;  // an entry is not two tokens
  // Views into the text of the file, or into `written`.
  std::vector<Merge> merges;
  std::deque<std::string> written;  // strings that have escapes in the file

  // Moves the vocabulary out. Errors: Corruption, when it is missing, of another shape or faulty.
  Status TakeVocabulary(Shape wanted, SubwordVocabulary* out);
};

struct TokenizerFile {
  Json root;  // an object; null in place of `tokens`
  ModelTokens tokens;

  // `text` must outlive the result. Errors: Corruption if `text` is not a JSON object.
  static Result<TokenizerFile> Parse(std::string_view text);
};

}  // namespace recall
