#include "index/source/secrets/keyword_scan.h"

#include <algorithm>
#include <numeric>

#include "index/source/secrets/secret_text.h"

namespace recall {
namespace {

uint8_t ClassOfByte(char c) {
  if (IsSecretLetter(c)) return static_cast<uint8_t>(SecretLowered(c) - 'a' + 1);
  if (IsSecretDigit(c)) return 27;
  if (c == '_' || c == '-' || c == '~') return 28;
  if (c == '.') return 29;
  if (c == ':') return 30;
  return c == '/' ? 31 : 0;
}

uint32_t ClassesOf(std::string_view word) {
  return static_cast<uint32_t>(ClassOfByte(word[0]) << 10 | ClassOfByte(word[1]) << 5 |
                               ClassOfByte(word[2]));
}

}  // namespace

KeywordScan::KeywordScan(std::vector<std::string> keywords)
    : keywords_(std::move(keywords)), first_(1 << 15), order_(keywords_.size()) {
  for (int byte = 0; byte < 256; ++byte) classes_[byte] = ClassOfByte(static_cast<char>(byte));
  std::iota(order_.begin(), order_.end(), 0);
  std::stable_sort(order_.begin(), order_.end(), [&](uint32_t a, uint32_t b) {
    return ClassesOf(keywords_[a]) < ClassesOf(keywords_[b]);
  });
  for (const std::string& keyword : keywords_) {
    exact_.push_back(std::any_of(keyword.begin(), keyword.end(), IsSecretUpper));
  }
  for (size_t i = order_.size(); i-- > 0;) {
    const uint32_t classes = ClassesOf(keywords_[order_[i]]);
    begins_.set(classes);
    first_[classes] = static_cast<uint32_t>(i);
  }
  for (const uint32_t keyword : order_) class_of_.push_back(ClassesOf(keywords_[keyword]));
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
