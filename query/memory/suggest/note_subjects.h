#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace recall {

// The words of many notes, by which their subjects are compared. Notes are numbered in the order of
// Add, terms in the order of their stems. Not thread-safe.
class NoteSubjects final {
 public:
  // What a note says of its subject itself: its title, tags and triggers; and the rest of it.
  void Add(std::span<const std::string> naming, std::span<const std::string> rest);
  // Weighs the terms. No call of Add may follow; all others require it.
  void Finish();

  size_t size() const { return notes_.size(); }
  // The terms of a note, ascending: stems of words of three bytes or more that are neither function
  // words nor numbers.
  std::span<const uint32_t> TermsOf(uint32_t note) const { return notes_[note].terms; }
  // Whether a term names the subject of the note.
  bool Names(uint32_t note, uint32_t term) const;
  // The notes with a term, ascending, and its weight, ln(1 + notes / notes with it).
  std::span<const uint32_t> NotesWith(uint32_t term) const { return terms_[term].notes; }
  double Weight(uint32_t term) const { return terms_[term].weight; }
  size_t term_count() const { return terms_.size(); }
  const std::string& Stem(uint32_t term) const { return terms_[term].stem; }
  // The shortest word of the notes with this stem, the first of equals.
  const std::string& Word(uint32_t term) const { return terms_[term].word; }

  // How much two notes have in common: the cosine of their weights, 0 to 1; 0 if they have fewer
  // than four terms in common.
  double Likeness(uint32_t a, uint32_t b) const;
  // The terms that all of these notes have, the rarest first, then by stem. Requires: a note.
  std::vector<uint32_t> Shared(std::span<const uint32_t> notes) const;

 private:
  struct Note {
    std::vector<uint32_t> terms;
    std::vector<uint32_t> naming;  // a part of `terms`
    double length = 0;             // of the vector of weights
  };
  struct Term {
    std::string stem;
    std::string word;
    std::vector<uint32_t> notes;
    double weight = 0;
  };
  // Before Finish, terms have the numbers of their first places.
  void Read(std::string_view text, size_t most, std::vector<uint32_t>* terms);

  std::map<std::string, uint32_t, std::less<>> numbers_;  // by stem
  std::vector<Note> notes_;
  std::vector<Term> terms_;
};

}  // namespace recall
