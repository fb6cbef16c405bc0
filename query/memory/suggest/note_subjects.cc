// Counts the words of notes, and compares notes by them.
//
// Problem. A note of a dozen words has a large cosine with every other one that has two of them.
//
// Idea. Two notes are alike only if they have kFewestCommon words in common; then the cosine says
// how much. Words are stems without function words and numbers. A word weighs ln(1 + n / d), where
// d of n notes have it. How often a note has it does not count: notes are short, and a word that is
// repeated in a long one says no more of its subject.
//
// Invariants: sums are made in the order of terms, so they have the same bits everywhere. A note
// has at most kMostTermsOfNote terms, the first of its text, so a document of many pages that is a
// note costs no more.

#include "query/memory/suggest/note_subjects.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "index/base/math/natural_log.h"
#include "index/base/text/folded_words.h"
#include "index/base/text/stop_words.h"
#include "query/memory/notes/word_stem.h"

namespace recall {
namespace {

constexpr size_t kMostTermsOfNote = 400;
constexpr size_t kShortestWord = 3;
constexpr size_t kFewestCommon = 4;

bool SaysSubject(std::string_view word) {
  const bool number = std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; });
  return word.size() >= kShortestWord && !number && !IsStopWord(word) && !IsContraction(word);
}

void SortAndUnite(std::vector<uint32_t>* terms) {
  std::ranges::sort(*terms);
  terms->erase(std::unique(terms->begin(), terms->end()), terms->end());
}

}  // namespace

void NoteSubjects::Read(std::string_view text, size_t most, std::vector<uint32_t>* terms) {
  FoldedWordReader reader;
  reader.Read(text);
  while (terms->size() < most && reader.Next()) {
    if (!SaysSubject(reader.word())) continue;
    std::string word(reader.word());
    const auto next = static_cast<uint32_t>(terms_.size());
    const auto [found, is_new] = numbers_.try_emplace(StemOfWord(word), next);
    if (is_new) terms_.push_back({.stem = found->first, .word = word, .notes = {}});
    std::string& shown = terms_[found->second].word;
    const bool shorter = word.size() != shown.size() ? word.size() < shown.size() : word < shown;
    if (shorter) shown = std::move(word);
    if (std::ranges::find(*terms, found->second) == terms->end()) terms->push_back(found->second);
  }
}

void NoteSubjects::Add(std::span<const std::string> naming, std::span<const std::string> rest) {
  Note note;
  for (const std::string& text : naming) Read(text, kMostTermsOfNote, &note.naming);
  note.terms = note.naming;
  for (const std::string& text : rest) Read(text, kMostTermsOfNote, &note.terms);
  notes_.push_back(std::move(note));
}

void NoteSubjects::Finish() {
  std::vector<uint32_t> numbers(terms_.size());  // by the number of the first place
  std::vector<Term> sorted;
  sorted.reserve(terms_.size());
  for (auto& [stem, number] : numbers_) {
    numbers[number] = static_cast<uint32_t>(sorted.size());
    sorted.push_back(std::move(terms_[number]));
    number = numbers[number];
  }
  terms_ = std::move(sorted);
  for (uint32_t note = 0; note < notes_.size(); ++note) {
    for (std::vector<uint32_t>* terms : {&notes_[note].terms, &notes_[note].naming}) {
      for (uint32_t& term : *terms) term = numbers[term];
      SortAndUnite(terms);
    }
    for (const uint32_t term : notes_[note].terms) terms_[term].notes.push_back(note);
  }
  const auto all = static_cast<double>(notes_.size());
  for (Term& term : terms_) {
    term.weight = NaturalLog(1 + all / static_cast<double>(term.notes.size()));
  }
  for (Note& note : notes_) {
    double squares = 0;
    for (const uint32_t term : note.terms) squares += terms_[term].weight * terms_[term].weight;
    note.length = std::sqrt(squares);
  }
}

bool NoteSubjects::Names(uint32_t note, uint32_t term) const {
  return std::ranges::binary_search(notes_[note].naming, term);
}

double NoteSubjects::Likeness(uint32_t a, uint32_t b) const {
  const Note& x = notes_[a];
  const Note& y = notes_[b];
  if (!(x.length > 0) || !(y.length > 0)) return 0;
  double product = 0;
  size_t common = 0;
  for (size_t i = 0, j = 0; i < x.terms.size() && j < y.terms.size();) {
    if (x.terms[i] == y.terms[j]) {
      product += terms_[x.terms[i]].weight * terms_[x.terms[i]].weight;
      ++i, ++j, ++common;
    } else {
      x.terms[i] < y.terms[j] ? ++i : ++j;
    }
  }
  return common < kFewestCommon ? 0 : product / (x.length * y.length);
}

std::vector<uint32_t> NoteSubjects::Shared(std::span<const uint32_t> notes) const {
  std::vector<uint32_t> shared = notes_[notes[0]].terms;
  for (const uint32_t note : notes.subspan(1)) {
    std::vector<uint32_t> both;
    std::ranges::set_intersection(shared, notes_[note].terms, std::back_inserter(both));
    shared = std::move(both);
  }
  std::ranges::stable_sort(shared, {}, [&](uint32_t term) { return terms_[term].notes.size(); });
  return shared;
}

}  // namespace recall
