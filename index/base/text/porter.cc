#include "index/base/text/porter.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace recall {
namespace {

// Porter's stemmer removes English suffixes in five steps (M. F. Porter, "An algorithm for suffix
// stripping", Program 14, 1980):
//
//   step 1   plurals, -ed, -ing, y -> i      ponies -> poni   hopping -> hop   happy -> happi
//   step 2   double suffixes                 relational -> relate
//   step 3   -icate, -ful, -ness ...         hopeful -> hope
//   step 4   last suffixes                   adjustment -> adjust
//   step 5   final e, double l               controll -> control
//
// Most rules require a minimum measure m of the remaining stem: the number of vowel-consonant
// sequences, a rough count of syllables. "tree" has m = 0, "trouble" 1, "oaten" 2. The measure
// keeps short words intact: "cement" does not become "c".
//
// The implementation must give the same bytes as FTS5's tokenizer `porter` for words of three
// letters or more, including its deviations from the paper (the rules -bli and -logi, and its
// treatment of y), so that any SQLite can read and query the index. A test compares the two.
//
// The word is changed in place. Only a step that removes -ed or -ing can append a byte, an e after
// removed letters; a rule never lengthens a word by more than one byte in total.

bool IsVowelLetter(char letter) {
  constexpr uint32_t kVowels = 1u << ('a' - 'a') | 1u << ('e' - 'a') | 1u << ('i' - 'a') |
                               1u << ('o' - 'a') | 1u << ('u' - 'a');
  return letter >= 'a' && letter <= 'z' && (kVowels >> (letter - 'a') & 1) != 0;
}

// The word during stemming; [0, size) is the rest of it.
struct StemWord {
  char* text;
  size_t size;

  // Whether the word ends in `suffix`, which has two letters or more, and has a letter before it.
  // The last two letters are compared first, because they rule out most suffixes.
  bool EndsIn(std::string_view suffix) const {
    return size > suffix.size() && text[size - 1] == suffix[suffix.size() - 1] &&
           text[size - 2] == suffix[suffix.size() - 2] &&
           std::memcmp(text + size - suffix.size(), suffix.data(), suffix.size()) == 0;
  }

  void ReplaceEnd(size_t cut, std::string_view by) {
    size -= cut;
    std::memcpy(text + size, by.data(), by.size());
    size += by.size();
  }
};

// Calls visit(consonant) for each letter of text[0, size): y is a vowel after a consonant.
template <typename Visit>
void ForEachSound(const char* text, size_t size, Visit visit) {
  bool consonant = false;
  for (size_t i = 0; i < size; ++i) {
    consonant = text[i] == 'y' ? !consonant : !IsVowelLetter(text[i]);
    visit(consonant);
  }
}

// Porter's measure m: the number of vowels in text[0, size) that are followed by a consonant.
size_t Measure(const char* text, size_t size) {
  size_t measure = 0;
  bool after_vowel = false;
  ForEachSound(text, size, [&](bool consonant) {
    if (consonant && after_vowel) ++measure;
    after_vowel = !consonant;
  });
  return measure;
}

// Porter's *v*: contains a vowel. Like FTS5, every y but a first letter counts as a vowel here.
bool HasVowel(const char* text, size_t size) {
  for (size_t i = 0; i < size; ++i) {
    if (IsVowelLetter(text[i]) || (text[i] == 'y' && i > 0)) return true;
  }
  return false;
}

// Porter's *o: ends with consonant, vowel, consonant, where the last is not w, x or y.
bool EndsInShortSyllable(const char* text, size_t size) {
  if (size < 3 || std::strchr("wxy", text[size - 1])) return false;
  unsigned sounds = 0;
  ForEachSound(text, size, [&](bool consonant) { sounds = sounds << 1 | consonant; });
  return (sounds & 7) == 5;
}

struct Rule {
  std::string_view suffix;
  std::string_view by;
};

// The rules of a step, and which pairs of last letters their suffixes have: most words have none of
// them. Pairs are looked up by the low five bits of each letter.
template <size_t kRules>
struct Rules {
  Rule rules[kRules];
  std::array<uint32_t, 32> last_but_one{};  // by last letter: a bit for each letter before it

  explicit constexpr Rules(const Rule (&all)[kRules]) {
    for (size_t i = 0; i < kRules; ++i) {
      rules[i] = all[i];
      const std::string_view suffix = all[i].suffix;
      last_but_one[suffix[suffix.size() - 1] & 31] |= 1u << (suffix[suffix.size() - 2] & 31);
    }
  }
  // False if no suffix fits. Requires: two letters or more.
  bool MayFit(const StemWord& word) const {
    const uint32_t letters = last_but_one[word.text[word.size - 1] & 31];
    return (letters >> (word.text[word.size - 2] & 31) & 1) != 0;
  }
};

// Applies the first rule with a matching suffix, if the measure of the rest is greater than
// `least`.
template <size_t kRules>
void ApplyFirst(const Rules<kRules>& step, size_t least, StemWord* word) {
  if (word->size < 2 || !step.MayFit(*word)) return;
  for (const Rule& rule : step.rules) {
    if (!word->EndsIn(rule.suffix)) continue;
    if (Measure(word->text, word->size - rule.suffix.size()) > least) {
      word->ReplaceEnd(rule.suffix.size(), rule.by);
    }
    return;
  }
}

void CutPlural(StemWord* word) {
  if (word->text[word->size - 1] != 's') return;
  if (word->EndsIn("sses") || word->EndsIn("ies")) {
    word->size -= 2;
  } else if (word->text[word->size - 2] != 's') {
    word->size -= 1;
  }
}

// Repairs the stem after -ed or -ing was removed: hop(p)ing, fil(e)ing, conflat(e)ed.
void RepairEnd(StemWord* word) {
  if (word->EndsIn("at") || word->EndsIn("bl") || word->EndsIn("iz")) {
    word->ReplaceEnd(0, "e");
    return;
  }
  const char last = word->text[word->size - 1];
  const bool twice = word->size > 1 && word->text[word->size - 2] == last;
  if (twice && !IsVowelLetter(last) && !std::strchr("lsz", last)) {
    word->size -= 1;
  } else if (Measure(word->text, word->size) == 1 && EndsInShortSyllable(word->text, word->size)) {
    word->ReplaceEnd(0, "e");
  }
}

void CutPastAndGerund(StemWord* word) {
  if (word->EndsIn("eed")) {
    if (Measure(word->text, word->size - 3) > 0) word->size -= 1;
    return;
  }
  const size_t cut = word->EndsIn("ed") ? 2 : word->EndsIn("ing") ? 3 : 0;
  if (cut == 0 || !HasVowel(word->text, word->size - cut)) return;
  word->size -= cut;
  RepairEnd(word);
}

// If one suffix ends in another, the longer one comes first.
constexpr Rules kDoubleSuffixes({{"ational", "ate"}, {"tional", "tion"}, {"enci", "ence"},
                                 {"anci", "ance"},   {"izer", "ize"},    {"logi", "log"},
                                 {"bli", "ble"},     {"alli", "al"},     {"entli", "ent"},
                                 {"eli", "e"},       {"ousli", "ous"},   {"ization", "ize"},
                                 {"ation", "ate"},   {"ator", "ate"},    {"alism", "al"},
                                 {"iveness", "ive"}, {"fulness", "ful"}, {"ousness", "ous"},
                                 {"aliti", "al"},    {"iviti", "ive"},   {"biliti", "ble"}});

constexpr Rules kInnerSuffixes({{"icate", "ic"},
                                {"ative", ""},
                                {"alize", "al"},
                                {"iciti", "ic"},
                                {"ical", "ic"},
                                {"ful", ""},
                                {"ness", ""}});

constexpr Rules kLastSuffixes({{"al", ""},
                               {"ance", ""},
                               {"ence", ""},
                               {"er", ""},
                               {"ic", ""},
                               {"able", ""},
                               {"ible", ""},
                               {"ant", ""},
                               {"ement", ""},
                               {"ment", ""},
                               {"ent", ""},
                               {"ou", ""},
                               {"ism", ""},
                               {"ate", ""},
                               {"iti", ""},
                               {"ous", ""},
                               {"ive", ""},
                               {"ize", ""}});

// adop(tion) -> adopt: -ion is removed only after s or t, which stays.
void CutLastSuffix(StemWord* word) {
  if (!word->EndsIn("ion")) {
    ApplyFirst(kLastSuffixes, 1, word);
    return;
  }
  const size_t rest = word->size - 3;
  const bool fits = word->text[rest - 1] == 's' || word->text[rest - 1] == 't';
  if (fits && Measure(word->text, rest) > 1) word->size = rest;
}

void TidyEnd(StemWord* word) {
  if (word->text[word->size - 1] == 'e') {
    const size_t rest = word->size - 1;
    const size_t measure = Measure(word->text, rest);
    if (measure > 1 || (measure == 1 && !EndsInShortSyllable(word->text, rest))) word->size = rest;
  }
  if (word->EndsIn("ll") && Measure(word->text, word->size) > 1) word->size -= 1;
}

}  // namespace

size_t PorterStem(char* text, size_t size) {
  if (size < 3) return size;
  StemWord word{text, size};
  CutPlural(&word);
  CutPastAndGerund(&word);
  if (word.text[word.size - 1] == 'y' && HasVowel(word.text, word.size - 1)) {
    word.text[word.size - 1] = 'i';
  }
  ApplyFirst(kDoubleSuffixes, 0, &word);
  ApplyFirst(kInnerSuffixes, 0, &word);
  CutLastSuffix(&word);
  TidyEnd(&word);
  return word.size;
}

}  // namespace recall
