#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "index/subword/json_fields.h"
#include "index/subword/subword_vocabulary.h"
#include "index/subword/text_normalizer.h"
#include "storage/base/result.h"

namespace recall {

// Tokens that are matched literally in the text, either before all other steps ("[SEP]") or after
// normalisation. Immutable: safe to use from several threads.
class AddedTokens final {
 public:
  // Reads "added_tokens". A token that is in the vocabulary keeps the number that it has there.
  // `normalizer` may be null. Errors: Corruption.
  static Result<AddedTokens> Make(const Json* list, const SubwordVocabulary& vocabulary,
                                  const TextNormalizer* normalizer);

  // A part of a text: an added token, or the text between two of them.
  struct Part {
    std::string_view text;
    bool is_token;
    uint32_t id;  // the token's number; unspecified for text
  };
  // SplitRaw splits the raw text at the tokens with "normalized": false, SplitNormal the normalised
  // text at the others.
  void SplitRaw(std::string_view text, std::vector<Part>* parts) const { Split(raw_, text, parts); }
  void SplitNormal(std::string_view text, std::vector<Part>* parts) const {
    Split(normal_, text, parts);
  }

  uint32_t max_id() const { return max_id_; }

 private:
  struct Rule {
    uint32_t id;
    bool single_word;  // matches only if no word character precedes or follows
    bool left;         // includes the white space before it
    bool right;        // includes the white space after it
  };
  struct Set {
    SubwordVocabulary texts;  // id: index of the rule
    std::vector<Rule> rules;
    std::array<bool, 256> begins = {};  // bytes with which a token begins
  };

  Status Add(const Json& token, const SubwordVocabulary& vocabulary,
             const TextNormalizer* normalizer);
  static void Split(const Set& set, std::string_view text, std::vector<Part>* parts);

  Set raw_;
  Set normal_;
  uint32_t max_id_ = 0;
};

}  // namespace recall
