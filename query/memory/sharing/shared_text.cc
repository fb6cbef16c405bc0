#include "query/memory/sharing/shared_text.h"

#include <algorithm>
#include <set>

#include "index/source/chunk/front_matter.h"
#include "storage/base/ascii.h"

namespace recall {
namespace {

constexpr size_t kLeastWordBytes = 8;  // of a secret; shorter words say nothing of it
constexpr std::string_view kReplacedWord = "redacted";

bool IsInWord(char c) {
  return IsAsciiLower(c) || IsAsciiUpper(c) || (c >= '0' && c <= '9') || c == '_';
}

std::string FoldedWord(std::string_view word) {
  std::string folded(word);
  std::ranges::transform(folded, folded.begin(), [](char c) { return ToAsciiLower(c); });
  return folded;
}

// Calls visit(between, word) for each word of a text and what is before it; the last word is "".
template <typename Visit>
void ForEachWordOf(std::string_view text, const Visit& visit) {
  while (true) {
    const auto begin = std::ranges::find_if(text, IsInWord);
    const auto end = std::find_if_not(begin, text.end(), IsInWord);
    visit(std::string_view(text.begin(), begin), std::string_view(begin, end));
    if (begin == text.end()) return;
    text = std::string_view(end, text.end());
  }
}

}  // namespace

std::string SharedNoteText(const Redactor& redactor, std::string_view text,
                           std::map<std::string, int64_t>* counts) {
  std::string shared = redactor.Redact(text, counts);
  std::set<std::string> secret;
  for (const SecretSpan& span : redactor.Find(text)) {
    ForEachWordOf(text.substr(span.begin, span.end - span.begin),
                  [&](std::string_view, std::string_view word) {
                    if (word.size() >= kLeastWordBytes) secret.insert(FoldedWord(word));
                  });
  }
  const auto card = FindFrontMatter(shared);
  if (secret.empty() || !card) return shared;
  const size_t begin = static_cast<size_t>(card->body.data() - shared.data());
  std::string clean = shared.substr(0, begin);
  ForEachWordOf(card->body, [&](std::string_view between, std::string_view word) {
    clean += between;
    clean += secret.contains(FoldedWord(word)) ? kReplacedWord : word;
  });
  return clean + shared.substr(begin + card->body.size());
}

}  // namespace recall
