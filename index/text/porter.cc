#include "index/text/porter.h"

#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace recall {
namespace {

bool IsVowelLetter(char letter) {
  constexpr uint32_t kVowels = 1u << ('a' - 'a') | 1u << ('e' - 'a') | 1u << ('i' - 'a') |
                               1u << ('o' - 'a') | 1u << ('u' - 'a');
  return letter >= 'a' && letter <= 'z' && (kVowels >> (letter - 'a') & 1) != 0;
}

// The word being cut; [0, size) is what is left of it.
struct StemWord {
  char* text;
  size_t size;

  // True when the word ends in `suffix`, of two letters or more, and something stands before it.
  // Most words do not, and most of these show it in their last two letters.
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

// Porter's m: how often a vowel is followed by a consonant in text[0, size).
size_t Measure(const char* text, size_t size) {
  size_t measure = 0;
  bool after_vowel = false;
  ForEachSound(text, size, [&](bool consonant) {
    if (consonant && after_vowel) ++measure;
    after_vowel = !consonant;
  });
  return measure;
}

// Porter's *v*. FTS5 takes every y but the first letter for a vowel here.
bool HasVowel(const char* text, size_t size) {
  for (size_t i = 0; i < size; ++i) {
    if (IsVowelLetter(text[i]) || (text[i] == 'y' && i > 0)) return true;
  }
  return false;
}

// Porter's *o: ends consonant, vowel, consonant, and the last is not w, x or y.
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

// Applies the first rule whose suffix fits, if the rest measures more than `least`.
void ApplyFirst(std::span<const Rule> rules, size_t least, StemWord* word) {
  for (const Rule& rule : rules) {
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

// After -ed or -ing went: hop(p)ing, fil(e)ing, conflat(e)ed.
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

// Of two suffixes one of which ends in the other, the longer stands first.
constexpr Rule kDoubleSuffixes[] = {
    {"ational", "ate"}, {"tional", "tion"}, {"enci", "ence"},   {"anci", "ance"}, {"izer", "ize"},
    {"logi", "log"},    {"bli", "ble"},     {"alli", "al"},     {"entli", "ent"}, {"eli", "e"},
    {"ousli", "ous"},   {"ization", "ize"}, {"ation", "ate"},   {"ator", "ate"},  {"alism", "al"},
    {"iveness", "ive"}, {"fulness", "ful"}, {"ousness", "ous"}, {"aliti", "al"},  {"iviti", "ive"},
    {"biliti", "ble"}};

constexpr Rule kInnerSuffixes[] = {{"icate", "ic"}, {"ative", ""}, {"alize", "al"}, {"iciti", "ic"},
                                   {"ical", "ic"},  {"ful", ""},   {"ness", ""}};

constexpr Rule kLastSuffixes[] = {
    {"al", ""},   {"ance", ""}, {"ence", ""},  {"er", ""},   {"ic", ""},  {"able", ""},
    {"ible", ""}, {"ant", ""},  {"ement", ""}, {"ment", ""}, {"ent", ""}, {"ou", ""},
    {"ism", ""},  {"ate", ""},  {"iti", ""},   {"ous", ""},  {"ive", ""}, {"ize", ""}};

// adop(tion) -> adopt: -ion goes only after s or t, which stay.
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
