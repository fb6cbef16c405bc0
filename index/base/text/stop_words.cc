#include "index/base/text/stop_words.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "index/base/text/porter.h"

namespace recall {
namespace {

// Articles, pronouns, auxiliaries, prepositions, conjunctions, question words, and the remains of
// contractions ("doesn't" -> doesn t). Sorted.
constexpr std::string_view kStopWords[] = {
    "a",       "about",   "above",   "after",   "again", "all",   "also",  "am",      "among",
    "an",      "and",     "any",     "are",     "aren",  "as",    "at",    "be",      "because",
    "been",    "before",  "being",   "between", "both",  "but",   "by",    "can",     "cannot",
    "could",   "couldn",  "did",     "didn",    "do",    "does",  "doesn", "doing",   "don",
    "during",  "each",    "either",  "for",     "from",  "had",   "hadn",  "has",     "hasn",
    "have",    "haven",   "having",  "he",      "her",   "here",  "hers",  "him",     "his",
    "how",     "however", "i",       "if",      "in",    "into",  "is",    "isn",     "it",
    "its",     "itself",  "just",    "may",     "me",    "might", "more",  "most",    "must",
    "my",      "no",      "nor",     "not",     "of",    "off",   "on",    "once",    "only",
    "or",      "other",   "ought",   "our",     "ours",  "over",  "own",   "same",    "shall",
    "she",     "should",  "shouldn", "so",      "some",  "such",  "than",  "that",    "the",
    "their",   "theirs",  "them",    "then",    "there", "these", "they",  "this",    "those",
    "through", "to",      "too",     "under",   "until", "upon",  "us",    "very",    "was",
    "wasn",    "we",      "were",    "weren",   "what",  "when",  "where", "whether", "which",
    "while",   "who",     "whom",    "whose",   "why",   "will",  "with",  "within",  "without",
    "would",   "wouldn",  "you",     "your",    "yours"};
static_assert(std::ranges::is_sorted(kStopWords));

constexpr std::string_view kContractions[] = {
    "arent", "cant",   "couldnt", "didnt",  "doesnt", "dont",   "hadnt",    "hasnt", "havent",
    "hows",  "im",     "isnt",    "ive",    "mustnt", "shes",   "shouldnt", "thats", "theres",
    "theyd", "theyll", "theyre",  "theyve", "wasnt",  "werent", "weve",     "whats", "wheres",
    "whos",  "wont",   "wouldnt", "youd",   "youll",  "youre",  "youve"};
static_assert(std::ranges::is_sorted(kContractions));

// A search looks up every word of a hundred texts, so each stop word is one number in a hash table,
// which finds it at the first or second probe.
constexpr size_t kMaxLetters = sizeof(uint64_t) - 1;
constexpr size_t kTableSlots = 1024;
static_assert(std::ranges::all_of(kStopWords, [](std::string_view word) {
  return word.size() <= kMaxLetters;
}));

constexpr uint64_t NumberOfWord(std::string_view word) {
  uint64_t number = word.size();
  for (const char letter : word) number = number << 8 | static_cast<uint8_t>(letter);
  return number;
}

constexpr size_t FirstSlot(uint64_t number) {
  constexpr int kShift = 64 - std::countr_zero(kTableSlots);
  return static_cast<size_t>(number * 0x9e3779b97f4a7c15 >> kShift);
}

constexpr std::array<uint64_t, kTableSlots> MakeTable() {
  std::array<uint64_t, kTableSlots> table{};
  for (const std::string_view word : kStopWords) {
    size_t slot = FirstSlot(NumberOfWord(word));
    while (table[slot] != 0) slot = (slot + 1) % kTableSlots;
    table[slot] = NumberOfWord(word);
  }
  return table;
}
constexpr std::array<uint64_t, kTableSlots> kTable = MakeTable();

std::vector<std::string> StemStopWords() {
  std::vector<std::string> stems;
  for (const std::string_view word : kStopWords) {
    std::string stem(word);
    stem.push_back(' ');  // room for a new "e"
    stem.resize(word.size() < 3 ? word.size() : PorterStem(stem.data(), word.size()));
    stems.push_back(std::move(stem));
  }
  std::sort(stems.begin(), stems.end());
  return stems;
}

}  // namespace

bool IsStopWord(std::string_view word) {
  if (word.empty() || word.size() > kMaxLetters) return false;
  const uint64_t number = NumberOfWord(word);
  size_t slot = FirstSlot(number);
  while (kTable[slot] != number && kTable[slot] != 0) slot = (slot + 1) % kTableSlots;
  return kTable[slot] == number;
}

bool IsContraction(std::string_view word) {
  return std::ranges::binary_search(kContractions, word);
}

bool IsStopStem(std::string_view stem) {
  static const std::vector<std::string> stems = StemStopWords();
  return std::binary_search(stems.begin(), stems.end(), stem);
}

}  // namespace recall
