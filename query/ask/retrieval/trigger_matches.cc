// Which documents are meant for a question, by the triggers on their cards.
//
// Problem. A trigger word matches a word of the question if one is within the other, so no index of
// words finds the matches. All triggers of a store are looked at: half a million phrases where
// there are a hundred thousand notes.
//
// Idea. Notes share most of their words. Each different word is compared with the question once,
// and every further use of it costs one look-up in a hash table. Of a document only the indexes of
// its words are kept, and scores are computed for the documents with a match.
//
// Invariants. The result does not depend on the order of the phrases. Matches are counted in
// halves, so sums are exact.
//
// Cost: O(bytes of all phrases) and O(different words * words of the question) comparisons; eight
// bytes for each use of a word.

#include "query/ask/retrieval/trigger_matches.h"

#include <algorithm>
#include <functional>

#include "index/base/text/stop_words.h"
#include "index/search/bitmap/bitmap.h"

namespace recall {
namespace {

constexpr double kQuestionShare = 0.7;
constexpr double kTriggerShare = 0.3;

// Whether `inner` is a part of `outer` that says something.
bool IsWithin(std::string_view inner, std::string_view outer) {
  return inner.size() > 1 && inner.size() < outer.size() && outer.find(inner) != outer.npos;
}

std::vector<std::string> QuestionWords(std::string_view text) {
  std::vector<std::string> words, function_words;
  FoldedWordReader reader;
  reader.Read(text);
  while (reader.Next()) {
    std::vector<std::string>& list = IsStopWord(reader.word()) ? function_words : words;
    if (list.size() == kMostTriggerQuestionWords) continue;
    if (std::ranges::count(list, reader.word()) == 0) list.emplace_back(reader.word());
  }
  return words.empty() ? function_words : words;
}

}  // namespace

TriggerMatches::TriggerMatches(std::string_view question) : question_(QuestionWords(question)) {}

void TriggerMatches::Add(uint32_t chunk, std::string_view phrase) {
  if (question_.empty()) return;
  reader_.Read(phrase);
  while (reader_.Next()) uses_.push_back({chunk, IndexOf(reader_.word())});
}

TriggerMatches::Slot& TriggerMatches::SlotOf(std::string_view word, uint32_t hash) {
  const size_t mask = slots_.size() - 1;
  size_t at = hash & mask;
  for (; slots_[at].word != 0; at = (at + 1) & mask) {
    if (slots_[at].hash == hash && words_[slots_[at].word - 1].text == word) break;
  }
  return slots_[at];
}

void TriggerMatches::Grow() {
  constexpr size_t kFewestSlots = 1024;
  std::vector<Slot> old(std::max(kFewestSlots, 2 * slots_.size()));
  slots_.swap(old);
  for (const Slot& slot : old) {
    if (slot.word != 0) SlotOf(words_[slot.word - 1].text, slot.hash) = slot;
  }
}

uint32_t TriggerMatches::IndexOf(std::string_view word) {
  if (2 * words_.size() >= slots_.size()) Grow();
  const auto hash = static_cast<uint32_t>(std::hash<std::string_view>()(word));
  Slot& slot = SlotOf(word, hash);
  if (slot.word == 0) {
    words_.push_back(Compare(word));
    slot = {hash, static_cast<uint32_t>(words_.size())};
  }
  return slot.word - 1;
}

TriggerMatches::Word TriggerMatches::Compare(std::string_view word) const {
  Word compared;
  compared.text = word;
  compared.function_word = IsStopWord(word);
  for (uint32_t i = 0; i < question_.size(); ++i) {
    const std::string_view asked = question_[i];
    const bool equal = asked == word;
    compared.equal |= equal;
    if (equal) compared.matches.push_back({i, 2});
    if (IsWithin(asked, word) || IsWithin(word, asked)) compared.matches.push_back({i, 1});
  }
  return compared;
}

double TriggerMatches::Score(const Use* begin, const Use* end) const {
  const bool has_others =
      std::any_of(begin, end, [&](const Use& use) { return !words_[use.word].function_word; });
  std::vector<uint32_t> halves(question_.size());
  uint32_t equal = 0, all = 0;
  for (const Use* use = begin; use != end; ++use) {
    const Word& word = words_[use->word];
    if (has_others && word.function_word) continue;
    ++all;
    equal += word.equal;
    for (const auto& [i, value] : word.matches) halves[i] = std::max(halves[i], value);
  }
  uint32_t sum = 0;
  for (const uint32_t value : halves) sum += value;
  const double q = static_cast<double>(sum) / static_cast<double>(2 * question_.size());
  return kQuestionShare * q + kTriggerShare * equal / std::max(all, 1u);
}

std::vector<TriggerHit> TriggerMatches::Finish() && {
  Bitmap matched;
  for (const Use& use : uses_) {
    if (!words_[use.word].matches.empty()) matched.Add(use.chunk);
  }
  std::erase_if(uses_, [&](const Use& use) { return !matched.Contains(use.chunk); });
  const auto key = [](const Use& use) { return uint64_t{use.chunk} << 32 | use.word; };
  std::ranges::sort(uses_, {}, key);
  const auto repeated = std::ranges::unique(uses_, {}, key);
  uses_.erase(repeated.begin(), repeated.end());
  std::vector<TriggerHit> hits;
  for (auto begin = uses_.begin(); begin != uses_.end();) {
    const auto end =
        std::find_if(begin, uses_.end(), [&](const Use& use) { return use.chunk != begin->chunk; });
    const double score = Score(&*begin, &*begin + (end - begin));
    if (score > 0) hits.push_back({begin->chunk, score});
    begin = end;
  }
  return hits;
}

}  // namespace recall
