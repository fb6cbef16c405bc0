#include "index/lexical/stop_words.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "index/text/porter.h"

namespace recall {
namespace {

// Articles, pronouns, auxiliaries, prepositions, conjunctions, question words, and what is left
// of contractions ("doesn't" -> doesn t). Sorted.
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

std::vector<std::string> StemStopWords() {
  std::vector<std::string> stems;
  for (const std::string_view word : kStopWords) {
    std::string stem(word);
    stem.push_back(' ');  // room for the byte that a stem may gain
    stem.resize(word.size() < 3 ? word.size() : PorterStem(stem.data(), word.size()));
    stems.push_back(std::move(stem));
  }
  std::sort(stems.begin(), stems.end());
  return stems;
}

}  // namespace

bool IsStopWord(std::string_view word) { return std::ranges::binary_search(kStopWords, word); }

bool IsStopStem(std::string_view stem) {
  static const std::vector<std::string> stems = StemStopWords();
  return std::binary_search(stems.begin(), stems.end(), stem);
}

}  // namespace recall
