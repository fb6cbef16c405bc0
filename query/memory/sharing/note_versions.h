#pragma once

// What a branch says of one note, and what becomes of the note in a store that has one, too.
//
// Problem. A note is edited on several machines that exchange a branch now and then. No edit may be
// lost, and the same edits must give the same notes, in whatever order the machines pull.
//
// Idea. A version names the versions that it was made of, so versions form a graph as commits of
// git do, in which their order in the file does not matter. Its heads, which no other version
// replaces, are what the branch says. The note in the store is a head, too, if it was edited since
// it was last pulled. Of several heads the latest stands; the texts of the others are kept as notes
// of their own.
//
// Invariants. Which head stands depends on the heads alone: a text stands against a removal, then
// the time of its last change decides, then its hash. A version that the store knows already is
// never taken again, so neither an old branch nor a second pull changes anything.
//
// Cost: O(n log n) of the versions of a note. Only heads have their texts.

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "query/memory/sharing/note_line.h"
#include "storage/notes/shared_notes.h"

namespace recall {

// The versions of one path.
class NoteVersions final {
 public:
  // Versions come in any order, and more than once.
  void Add(SharedNoteVersion version);

  struct Head {
    Digest id;
    const SharedNoteVersion* version;  // valid until Add
  };
  // Not empty once a version was added; by id.
  std::vector<Head> Heads() const;

  // Whether a version that is not older than one of `known` has this text.
  bool HasText(const Digest& text, const SharedNote& known) const;
  // Whether a version is one of `known`, or replaces one.
  bool IsConnected(const SharedNote& known) const;

 private:
  std::set<Digest> Older(const SharedNote& known) const;

  std::map<Digest, SharedNoteVersion> versions_;  // by id
  std::set<Digest> replaced_;
};
// By path.
using BranchNotes = std::map<std::string, NoteVersions>;

// The note as the store has it. Its secrets are replaced, as they are on a branch.
struct LocalNote {
  Digest hash{};  // SHA-256 of the text
  std::optional<UnixNanos> changed = {};
};

struct NoteDecision {
  enum class Kind { kKeep, kTake, kRemove };
  Kind kind = Kind::kKeep;
  const SharedNoteVersion* taken = nullptr;           // with kTake; valid as long as the history
  std::vector<const SharedNoteVersion*> copies = {};  // the other texts of the branch
  bool copies_local = false;                          // the text of the store is another one
  bool edit_beats_removal = false;                    // the note was removed somewhere
  std::optional<SharedNote> known = {};               // what the store knows then; unset: the same
};

// `local`: unset if the store has no such note. `known`: what it knows. `had_text`: whether an
// older version of the note in the store had a text with this hash. Requires: a history with a
// version.
NoteDecision DecideNote(const NoteVersions& history, const std::optional<LocalNote>& local,
                        const SharedNote& known,
                        const std::function<bool(const Digest& text)>& had_text);

// The path of the note that keeps the text with this hash of a conflict:
// "notes/a.conflict-0123456789ab.md".
std::string ConflictPathOf(const std::string& path, const Digest& hash);
// Its text: that of the other version, whose card says that the note at `path` stands.
std::string ConflictTextOf(const std::string& path, const std::string& text);

}  // namespace recall
