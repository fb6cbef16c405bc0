#pragma once

// Requests and reports of suggestions. query/database/database.h contains the functions.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "query/types/answer_facts.h"
#include "query/types/document_scope.h"
#include "storage/base/clock.h"

namespace recall {

enum class SuggestionKind : uint8_t { kRetire, kPattern, kLink, kReview };

// Its name, as it is typed and printed.
constexpr std::string_view NameOf(SuggestionKind kind) {
  switch (kind) {
    case SuggestionKind::kRetire:
      return "retire";
    case SuggestionKind::kPattern:
      return "pattern";
    case SuggestionKind::kLink:
      return "link";
    case SuggestionKind::kReview:
      break;
  }
  return "review";
}

// A note of a suggestion.
struct SuggestedNote {
  std::string path;
  std::string title;
  std::string type;
};

// What could be done with notes, and why.
struct Suggestion {
  std::string id = {};  // 12 hexadecimal digits, the same as long as kind, cause and notes are
  SuggestionKind kind = SuggestionKind::kRetire;
  // kRetire: "superseded", "contradicted", "expired"; kReview: "due", "unreviewed", "stale";
  // kPattern: "subject"; kLink: "near".
  std::string cause = {};
  std::string reason =
      {};  // the same with its evidence, for people: "used 7 times, never reviewed"
  // kRetire: the note, and its successor, if there is one; kPattern: at least three, by path;
  // kLink: two, by path; kReview: one.
  std::vector<SuggestedNote> notes = {};
  std::vector<std::string> shared = {};  // words that all notes have, the rarest first
  std::optional<double> likeness = {};  // by words, from 0 to 1; of a pattern the mean of all pairs
  std::optional<double> cosine = {};    // by vectors; unset: not asked, or there are none
  std::optional<std::string> old_text = {};  // as in Contradiction
  std::optional<std::string> new_text = {};
  std::vector<std::string> command = {};  // a command line that does it, as arguments
  bool rejected = false;
};

struct SuggestRequest {
  Scope scope = {};                        // the notes that are looked at; its snapshot is not used
  std::vector<SuggestionKind> kinds = {};  // empty: all
  size_t limit = 10;                       // of each kind
  bool with_rejected = false;
  std::string id = {};  // only the suggestion with this id, whatever else the request says
};

struct SuggestReport : AnswerFacts {
  std::vector<Suggestion> suggestions = {};  // by kind, the strongest first, then by path
  int64_t rejected = 0;                      // that were left out, because they were rejected
};

struct SettleRequest {
  std::string id = {};  // of a suggestion
  bool accept = true;   // false: it is not made again
  Scope scope = {};     // of the request by which it was found
  std::optional<UnixNanos> at = {};
  bool dry_run = false;
};

struct SettleReport {
  Suggestion suggestion;
  bool accepted = true;
  // Of an accepted suggestion, whether what it says was done. A pattern has to be written and a
  // review to be rated by somebody, so accepting them does nothing: `command` says how. Of a
  // rejected one, whether it was not rejected before.
  bool done = false;
};

}  // namespace recall
