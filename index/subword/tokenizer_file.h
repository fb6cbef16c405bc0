#pragma once

// A tokenizer.json as it is read: nearly all of it is the model's tokens, which go straight to
// where they are looked up; what is left is small, and becomes JSON.

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
    kScores,   // an array of tokens with their scores; the place of each is its number
  };
  Shape shape = Shape::kNone;
  std::string fault;  // what is wrong with its members; empty if nothing
  SubwordVocabulary vocabulary;
  std::vector<double> scores;  // by number

  using Merge = std::pair<std::string_view, std::string_view>;
  bool has_merges = false;  // as an array
  bool bad_merges = false;  // of something else than two tokens each
  // Into the text of the file, or into `written`.
  std::vector<Merge> merges;
  std::deque<std::string> written;  // what stands in the file with escapes

  // Moves the vocabulary out. Errors: Corruption, when it is missing, of another shape or faulty.
  Status TakeVocabulary(Shape wanted, SubwordVocabulary* out);
};

struct TokenizerFile {
  Json root;  // an object; null stands where `tokens` were
  ModelTokens tokens;

  // `text` must outlive the file. Errors: Corruption for what is no JSON object.
  static Result<TokenizerFile> Parse(std::string_view text);
};

}  // namespace recall
