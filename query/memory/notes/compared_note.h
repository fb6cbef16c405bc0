#pragma once

#include <string>
#include <string_view>

#include "index/search/snapshot/snapshot.h"

namespace recall {

// What of a note is compared with others: its title, its summary and its text. The other keys of
// its card are those of many notes.
struct ComparedNote {
  std::string title;
  std::string summary;
  std::string text;        // without the card
  std::string scope = {};  // of the card: where it applies; no part of Whole

  // All of it, a line each.
  std::string Whole() const;
};

// Of a note as it is written; `title`, `summary`: those of its card.
ComparedNote ComparedPartOf(std::string title, std::string summary, std::string_view note);
// Of a note of the store.
Result<ComparedNote> ReadComparedPart(const TextsAndFacts& texts, const DocRow& doc);

}  // namespace recall
