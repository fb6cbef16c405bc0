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

// Tokens that are found in the text before anything else is done to it ("[SEP]"), or before it is
// cut. Immutable: safe to use from several threads.
class AddedTokens final {
 public:
  // From "added_tokens". A token that the vocabulary has keeps its number there.
  // `normalizer` may be null. Errors: Corruption.
  static Result<AddedTokens> Make(const Json* list, const SubwordVocabulary& vocabulary,
                                  const TextNormalizer* normalizer);

  // A part of a text: a token, or what lies between two.
  struct Part {
    std::string_view text;
    bool is_token;
    uint32_t id;  // if so
  };
  // Those looked for in the text as it is, and those looked for in its normal form.
  void SplitRaw(std::string_view text, std::vector<Part>* parts) const { Split(raw_, text, parts); }
  void SplitNormal(std::string_view text, std::vector<Part>* parts) const {
    Split(normal_, text, parts);
  }

  uint32_t max_id() const { return max_id_; }

 private:
  struct Rule {
    uint32_t id;
    bool single_word;  // no letter may touch it
    bool left;         // takes the white space before it
    bool right;        // and behind it
  };
  struct Set {
    SubwordVocabulary texts;  // the number is that of the rule
    std::vector<Rule> rules;
    std::array<bool, 256> begins = {};  // by first byte
  };

  Status Add(const Json& token, const SubwordVocabulary& vocabulary,
             const TextNormalizer* normalizer);
  static void Split(const Set& set, std::string_view text, std::vector<Part>* parts);

  Set raw_;
  Set normal_;
  uint32_t max_id_ = 0;
};

}  // namespace recall
