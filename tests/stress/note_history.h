#pragma once

// A random history of a memory, and what is known of its notes after each step: what they say,
// whether they are obsolete, how often they were used, when they are reviewed next, and their
// links. Both follow from a seed. The rules are written down again here, from docs/notes.md.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "query/database/database.h"
#include "storage/store/store.h"

namespace recall {

enum class NoteAction {
  kSave,     // refused if the id is taken
  kReplace,  // a new version, or a new note
  kLink,
  kUnlink,
  kUse,  // two notes in one commit
  kReview,
  kRetire,
  kRemove,
  kCompact,  // keeps all snapshots
};

struct NoteStep {
  int64_t number = 0;  // from 1
  NoteAction action = NoteAction::kSave;
  int note = 0;
  int other = 0;
  std::string relation;
  double weight = 1;
  int64_t quality = 0;
};

// Of a note. All but the first three members survive its removal.
struct NoteLife {
  int64_t version = 0;  // the step that wrote it; 0: there is no such note
  bool obsolete = false;
  int mentioned = 0;  // the note to which its text has a link; itself: none
  int64_t uses = 0;
  UnixNanos used_at = 0;
  int64_t reviews = 0;
  int64_t repetitions = 0;
  int64_t interval_days = 0;
  int64_t easiness = 250;  // in hundredths
  std::optional<UnixNanos> due;
};

// Source, target, relation and origin.
using NoteLink = std::tuple<int, int, std::string, std::string>;

struct NoteWorld {
  std::map<int, NoteLife> notes;
  std::map<NoteLink, double> links;  // weights

  bool IsThere(int note) const;
};

class NoteHistory final {
 public:
  explicit NoteHistory(uint64_t seed) : seed_(seed) {}

  int64_t position() const { return position_; }
  const NoteWorld& world() const { return world_; }

  NoteStep Next() const;
  // Computes the world after the next step; no store is changed.
  void Advance();
  void AdvanceTo(int64_t position);
  // The outcome of a step in the present world.
  StatusCode OutcomeOf(const NoteStep& step) const;

 private:
  void Write(int note, int64_t step);
  void Review(const NoteStep& step);

  uint64_t seed_;
  int64_t position_ = 0;
  NoteWorld world_;
};

std::string NotePath(int note);
// A word that only this version of any note has.
std::string MarkOf(int64_t version);

// Applies the next step of the history to the store. Errors: Internal if it ends in another way
// than OutcomeOf says; those of the store.
Status TakeNoteStep(Database& database, const NoteHistory& history);

// The world as text, one line for each note and link.
std::string DescribeWorld(const NoteWorld& world);
// The same of a store's newest commit, from its tables.
Result<std::string> DescribeNotes(Store& store);

// Compares filters, links, appointments and searches at a commit ("": the newest) with the world.
// Returns: "" or the first difference.
Result<std::string> CompareAnswers(Database& database, const std::string& token,
                                   const NoteWorld& world);

}  // namespace recall
