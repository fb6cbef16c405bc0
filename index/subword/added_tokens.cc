#include "index/subword/added_tokens.h"

#include <algorithm>
#include <limits>

#include "index/base/text/utf8.h"
#include "index/subword/character_class.h"

namespace recall {
namespace {

// Added tokens are strings such as "[MASK]" or "<|endoftext|>" that a tokenizer must not cut. They
// are matched in two passes, as Hugging Face's tokenizers do it:
//
//   raw text --SplitRaw--> tokens with "normalized": false | other parts
//                            other parts --normalizer--> --SplitNormal--> tokens | parts to be cut
//
// Each pass scans from left to right and takes the longest token at each position. A table of first
// bytes skips most positions without a look-up; FindLongest of the vocabulary class then compares
// all tokens at once, so the cost is linear in the text for any number of added tokens.
//
// Flags of a token: `single_word` rejects a match next to a word character, and scanning continues
// after the rejected match. `lstrip` and `rstrip` extend the match over adjacent white space, but
// not over an earlier match.
//
// Invariant: the parts of a text are consecutive and cover it completely. A token whose normal form
// is empty is ignored.

// The beginning of the white space at the end of `text`.
size_t BeginOfSpace(std::string_view text) {
  size_t begin = text.size();
  while (begin > 0) {
    const size_t last = FloorToCharacter(text, begin - 1);
    size_t position = last;
    if (!IsWhiteSpace(DecodeUtf8(text, &position))) break;
    begin = last;
  }
  return begin;
}

// The end of the white space of `text` that begins at `position`.
size_t EndOfWhiteSpace(std::string_view text, size_t position) {
  while (position < text.size()) {
    size_t next = position;
    if (!IsWhiteSpace(DecodeUtf8(text, &next))) break;
    position = next;
  }
  return position;
}

bool TouchesWord(std::string_view text, size_t begin, size_t end) {
  if (begin > 0) {
    size_t position = FloorToCharacter(text, begin - 1);
    if (IsWordCharacter(DecodeUtf8(text, &position))) return true;
  }
  return end < text.size() && IsWordCharacter(DecodeUtf8(text, &end));
}

}  // namespace

Result<AddedTokens> AddedTokens::Make(const Json* list, const SubwordVocabulary& vocabulary,
                                      const TextNormalizer* normalizer) {
  AddedTokens made;
  if (list == nullptr) return made;
  if (!list->is_array()) return Fail(BadTokenizerField("added_tokens"));
  for (const Json& token : *list) RECALL_TRY(made.Add(token, vocabulary, normalizer));
  return made;
}

Status AddedTokens::Add(const Json& token, const SubwordVocabulary& vocabulary,
                        const TextNormalizer* normalizer) {
  RECALL_ASSIGN(std::string content, ReadText(token, "content", ""));
  RECALL_ASSIGN(uint32_t id, ReadCount(token, "id", std::numeric_limits<uint32_t>::max()));
  if (const auto known = vocabulary.Find(content)) id = *known;
  if (id > std::numeric_limits<int32_t>::max())
    return BadTokenizerField("added_tokens: a token has no id");
  RECALL_ASSIGN(const bool special, ReadFlag(token, "special", false));
  RECALL_ASSIGN(const bool normalized, ReadFlag(token, "normalized", !special));
  Rule rule{id, false, false, false};
  RECALL_ASSIGN(rule.single_word, ReadFlag(token, "single_word", false));
  RECALL_ASSIGN(rule.left, ReadFlag(token, "lstrip", false));
  RECALL_ASSIGN(rule.right, ReadFlag(token, "rstrip", false));
  if (normalized && normalizer != nullptr) {
    std::string normal;
    normalizer->Append(content, &normal);
    content = std::move(normal);
  }
  if (content.empty()) return Status::Ok();
  max_id_ = std::max(max_id_, id);
  Set& set = normalized ? normal_ : raw_;
  set.texts.Add(content, static_cast<uint32_t>(set.rules.size()));
  set.rules.push_back(rule);
  set.begins[static_cast<unsigned char>(content[0])] = true;
  return Status::Ok();
}

void AddedTokens::Split(const Set& set, std::string_view text, std::vector<Part>* parts) {
  size_t done = 0;
  const auto keep_until = [&](size_t end) {
    if (done < end) parts->push_back({text.substr(done, end - done), false, 0});
  };
  for (size_t position = 0; position < text.size() && !set.rules.empty();) {
    if (!set.begins[static_cast<unsigned char>(text[position])]) {
      ++position;
      continue;
    }
    size_t size = 0;
    const auto found = set.texts.FindLongest(text.substr(position), &size);
    if (!found) {
      ++position;
      continue;
    }
    const Rule& rule = set.rules[*found];
    size_t end = position + size;
    if (rule.single_word && TouchesWord(text, position, end)) {
      position = end;
      continue;
    }
    const size_t begin =
        rule.left ? done + BeginOfSpace(text.substr(done, position - done)) : position;
    if (rule.right) end = EndOfWhiteSpace(text, end);
    keep_until(begin);
    parts->push_back({text.substr(begin, end - begin), true, rule.id});
    done = position = end;
  }
  keep_until(text.size());
}

}  // namespace recall
