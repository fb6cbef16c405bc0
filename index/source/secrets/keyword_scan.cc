#include "index/source/secrets/keyword_scan.h"

#include <algorithm>

#include "index/source/secrets/secret_text.h"

namespace recall {
namespace {

uint8_t ClassOfByte(char c) {
  if (IsSecretLetter(c)) return static_cast<uint8_t>(SecretLowered(c) - 'a' + 1);
  if (IsSecretDigit(c)) return 27;
  if (c == '_' || c == '-' || c == '~') return 28;
  if (c == '.') return 29;
  if (c == ':' || c == '$') return 30;
  return c == '/' || static_cast<uint8_t>(c) >= 0x80 ? 31 : 0;
}

uint32_t ClassesOf(std::string_view word) {
  return static_cast<uint32_t>(ClassOfByte(word[0]) << 10 | ClassOfByte(word[1]) << 5 |
                               ClassOfByte(word[2]));
}

// Returns where the anchor of a word begins: the three bytes that are rarest in other texts. Bytes
// of class 0 are frequent, and three letters are more frequent than two beside another byte.
size_t AnchorOf(std::string_view word) {
  size_t best = 0;
  int least = 10;
  for (size_t at = 0; at + 3 <= word.size(); ++at) {
    int cost = 1;
    for (const char c : word.substr(at, 3)) {
      const uint8_t byte_class = ClassOfByte(c);
      if (byte_class == 0) cost += 3;
      if (byte_class > 26 && cost == 1) cost = 0;
    }
    if (cost < least) {
      best = at;
      least = cost;
    }
  }
  return best;
}

}  // namespace

KeywordScan::KeywordScan(std::vector<std::string> keywords)
    : keywords_(std::move(keywords)), first_(1 << 15) {
  for (int byte = 0; byte < 256; ++byte) classes_[byte] = ClassOfByte(static_cast<char>(byte));
  for (uint32_t i = 0; i < keywords_.size(); ++i) {
    const std::string& keyword = keywords_[i];
    exact_.push_back(std::any_of(keyword.begin(), keyword.end(), IsSecretUpper));
    const size_t offset = AnchorOf(keyword);
    anchors_.push_back({ClassesOf(std::string_view(keyword).substr(offset)), i,
                        static_cast<uint32_t>(offset), AsciiLowered(keyword[offset])});
  }
  std::stable_sort(anchors_.begin(), anchors_.end(),
                   [](const Anchor& a, const Anchor& b) { return a.classes < b.classes; });
  for (size_t i = anchors_.size(); i-- > 0;) {
    is_anchor_.set(anchors_[i].classes);
    first_[anchors_[i].classes] = static_cast<uint32_t>(i);
  }
}

bool KeywordScan::Occurs(std::string_view text, uint32_t keyword) const {
  const std::string& word = keywords_[keyword];
  if (text.size() < word.size()) return false;
  if (exact_[keyword]) return text.starts_with(word);
  for (size_t i = 0; i < word.size(); ++i) {
    if (SecretLowered(text[i]) != word[i]) return false;
  }
  return true;
}

}  // namespace recall
