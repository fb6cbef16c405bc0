#include "index/source/note/triggers.h"

#include <algorithm>
#include <cstdint>
#include <unordered_map>

#include "index/base/text/case_fold.h"
#include "index/base/text/fold.h"
#include "index/base/text/stop_words.h"
#include "index/base/text/utf8.h"
#include "index/source/secrets/secret_marker.h"

namespace recall {
namespace {

constexpr size_t kLeastCharacters = 3;
constexpr int kTitleCounts = 3;

struct Word {
  std::string text;
  size_t first = 0;   // position among the distinct words
  int64_t count = 0;  // the title's words three times
  bool in_title = false;
};

// Calls word(text, characters) for each run of letters, marks, digits and '_'.
template <typename Visit>
void ForEachWord(std::string_view folded, const Visit& visit) {
  size_t start = 0;
  size_t characters = 0;
  for (size_t at = 0; at <= folded.size();) {
    const size_t here = at;
    bool in_word = false;
    if (at < folded.size()) {
      const uint32_t character = DecodeUtf8(folded, &at);
      const CharacterKind kind = KindBeforeFolding(character);
      in_word = character == '_' || kind == CharacterKind::kWord ||
                kind == CharacterKind::kBigram || IsMark(character);
    } else {
      ++at;
    }
    if (in_word) {
      if (characters == 0) start = here;
      ++characters;
    } else if (characters > 0) {
      visit(folded.substr(start, here - start), characters);
      characters = 0;
    }
  }
}

// Calls visit(part) for each part of a text between the marks that replace secrets.
template <typename Visit>
void ForEachUnmarked(std::string_view text, const Visit& visit) {
  for (;;) {
    const size_t marker = text.find(kSecretMarker);
    visit(text.substr(0, marker));
    if (marker == text.npos) return;
    text.remove_prefix(std::min(text.find(']', marker), text.size()));
  }
}

// In quarters, so that the order is that of integers.
int64_t WeightInQuarters(const Word& word) {
  int64_t weight = 4 * word.count;
  if (word.text.find_first_of("0123456789") != std::string::npos) weight *= 2;
  if (word.text.find('_') != std::string::npos) weight = weight * 3 / 2;
  return word.in_title ? weight * 2 : weight;
}

}  // namespace

std::vector<std::string> ExtractTriggers(const RedactedText& title, const RedactedText& text) {
  std::vector<Word> words;
  std::unordered_map<std::string, size_t> places;
  const auto count = [&](std::string_view part, int times, bool in_title) {
    std::string folded;
    FoldCaseAppend(part, &folded);
    ForEachWord(folded, [&](std::string_view word, size_t characters) {
      if (characters < kLeastCharacters || IsStopWord(word)) return;
      const auto [place, is_new] = places.emplace(word, words.size());
      if (is_new) words.push_back({std::string(word), words.size()});
      words[place->second].count += times;
      words[place->second].in_title |= in_title;
    });
  };
  ForEachUnmarked(title.view(), [&](std::string_view part) { count(part, kTitleCounts, true); });
  ForEachUnmarked(text.view(), [&](std::string_view part) { count(part, 1, false); });

  std::ranges::sort(words, [](const Word& a, const Word& b) {
    const int64_t weight_a = WeightInQuarters(a), weight_b = WeightInQuarters(b);
    return weight_a != weight_b ? weight_a > weight_b : a.first < b.first;
  });
  if (words.size() > kMostExtractedTriggers) words.resize(kMostExtractedTriggers);
  std::vector<std::string> triggers;
  for (Word& word : words) triggers.push_back(std::move(word.text));
  return triggers;
}

}  // namespace recall
