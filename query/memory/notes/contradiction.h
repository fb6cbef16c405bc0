#pragma once

#include <optional>
#include <string>
#include <vector>

#include "query/memory/notes/compared_note.h"
#include "query/memory/notes/stated_words.h"

namespace recall {

// What a note says, and of what. Made once, to be compared with many others. Not thread-safe.
class StatedNote final {
 public:
  // The note must outlive the object.
  explicit StatedNote(const ComparedNote& note);

  const std::string& scope() const { return note_->scope; }
  // The title as a sentence, and without the values in it.
  const NoteSentence& title() const { return title_; }
  const std::string& bare_title() const { return bare_title_; }
  // The stems of the title that say something, ascending, and its numbers and dates.
  const std::vector<std::string>& subject() const { return subject_; }
  const std::vector<std::string>& title_values() const { return title_values_; }
  // The sentences of summary and text. The first call reads them.
  const std::vector<NoteSentence>& Sentences() const;

 private:
  const ComparedNote* note_;
  NoteSentence title_;
  std::string bare_title_;
  std::vector<std::string> subject_;
  std::vector<std::string> title_values_;
  mutable std::optional<std::vector<NoteSentence>> sentences_;
};

// A sentence of one note and that of another which differ in one value, with the words before it:
// "port 8080", "port 9090".
struct StatedDifference {
  std::string before;  // of the older note
  std::string after;
};

// What `newer` contradicts in `older`: the first sentence of it that is one of `older` but for one
// value, a negation or an opposite, where both notes have the same subject. Nothing if none does.
std::optional<StatedDifference> FindContradiction(const StatedNote& older, const StatedNote& newer);

}  // namespace recall
