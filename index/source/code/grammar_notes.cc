#include "index/source/code/grammar_notes.h"

namespace recall {

std::string WithoutGrammarsNote(std::span<const std::string_view> languages, size_t grammars) {
  std::string note = "recall was built without ";
  if (grammars == 0) return note + "grammars (./x build fetches them)";
  note += languages.size() == 1 ? "the grammar of " : "the grammars of ";
  for (size_t i = 0; i < languages.size(); ++i) {
    if (i > 0) note += i + 1 == languages.size() ? " and " : ", ";
    note += languages[i];
  }
  return note + " (./x build fetches " + (languages.size() == 1 ? "it" : "them") + ")";
}

}  // namespace recall
