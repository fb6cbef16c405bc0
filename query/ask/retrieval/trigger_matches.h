#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "index/base/text/folded_words.h"

namespace recall {

// The metadata key of the phrases that say for which questions a document is meant.
inline constexpr std::string_view kTriggerKey = "recall_when";

// Further different words of a question do not count.
inline constexpr size_t kMostTriggerQuestionWords = 256;

// A document whose triggers fit a question, and how well: above 0, at most 1.
struct TriggerHit {
  uint32_t chunk = 0;  // its first chunk, which has the card
  double score = 0;
};

// Compares the trigger phrases of documents with one question:
//   score = 0.7 * q + 0.3 * e
//   q  the mean, over the words of the question, of the best match of a trigger word: 1 if they are
//      equal, 0.5 if one is within the other, else 0
//   e  the share of the document's trigger words that are equal to a word of the question
// Words are folded, not stemmed; each counts once. Function words are left out, unless there are no
// others. A single ASCII letter or digit is within no other word.
//
// Usage: Add every phrase, then Finish once.
class TriggerMatches final {
 public:
  explicit TriggerMatches(std::string_view question);

  // `chunk`: the first chunk of the document. Phrases may come in any order.
  void Add(uint32_t chunk, std::string_view phrase);
  // Returns: the documents with a score above 0, by chunk.
  std::vector<TriggerHit> Finish() &&;

 private:
  // What is known of a trigger word, which many phrases may contain.
  struct Word {
    std::string text;
    bool function_word = false;
    bool equal = false;  // to a word of the question
    // The words of the question that match it: their indexes and twice the value of the match.
    struct Match {
      uint32_t question_word;
      uint32_t halves;
    };
    std::vector<Match> matches;
  };
  struct Use {
    uint32_t chunk;
    uint32_t word;  // index in words_
  };
  uint32_t IndexOf(std::string_view word);
  Word Compare(std::string_view word) const;
  double Score(const Use* begin, const Use* end) const;

  // A place of the hash table: open addressing, because the look-ups of words take most of the
  // time.
  struct Slot {
    uint32_t hash = 0;
    uint32_t word = 0;  // index in words_, plus 1; 0: free
  };
  Slot& SlotOf(std::string_view word, uint32_t hash);
  void Grow();

  std::vector<std::string> question_;  // different words
  std::vector<Word> words_;
  std::vector<Slot> slots_;  // a power of two, at most half of them taken
  std::vector<Use> uses_;    // of words in documents, repetitions included
  FoldedWordReader reader_;
};

}  // namespace recall
