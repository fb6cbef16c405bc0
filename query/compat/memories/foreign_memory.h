#pragma once

// What the memory of another program contains, before it is written to a store.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "index/source/note/note_draft.h"
#include "query/add/records/source_place.h"
#include "storage/base/clock.h"

namespace recall {

// A link of a note to what another note is called there: its id, its title, its permalink.
struct ForeignLink {
  std::string target;
  std::string relation;  // a name as IsRelationName accepts it
  double weight = 1;     // 0 to 1
  std::string reason;    // may be empty
  bool near = false;     // computed there from vectors, and not set by a user
  bool is_path = false;  // the target is a path of the store already
  std::optional<UnixNanos> at;

  bool operator==(const ForeignLink&) const = default;
};

// How often a note was used, and when for the last time.
struct ForeignUse {
  int64_t count = 0;
  UnixNanos last = 0;

  bool operator==(const ForeignUse&) const = default;
};

// When a note is to be reviewed next.
struct ForeignReview {
  std::string algorithm;  // "sm2" or "rekall"
  int64_t repetitions = 0;
  int64_t interval_days = 1;
  int64_t easiness = 250;  // in hundredths
  UnixNanos due = 0;
  UnixNanos at = 0;                     // when this was set
  std::optional<int64_t> quality = {};  // 0 to 5, how well it was remembered; unset: scheduled

  bool operator==(const ForeignReview&) const = default;
};

inline constexpr int64_t kMostForeignInterval = 36'500;

struct ForeignNote {
  NoteDraft draft;
  std::string id;    // what the notes of the memory call it; unique there
  std::string path;  // where it belongs in the store: "notes/css-focus.md"
  // The key and the text on the card that tell the note from others of the same path, as `title`.
  // nullopt: the path alone identifies it.
  std::optional<std::pair<std::string, std::string>> mark;
  std::vector<ForeignLink> links;
  std::optional<ForeignUse> uses;
  std::optional<ForeignReview> review;
  SourcePlace place;
};

// A file or a line that was left out.
struct ForeignFault {
  std::string file;
  int64_t line = 0;  // from 1; 0: the file as a whole
  std::string reason;
};

struct ForeignMemory {
  std::vector<ForeignNote> notes;  // by id
  // What the card has no member for and is kept under its own key: the number of notes by key.
  std::map<std::string, int64_t> kept;
  // What is not kept: the number by a description ("vectors").
  std::map<std::string, int64_t> dropped;
  std::vector<ForeignFault> faults;  // in the order of the source
  int64_t lines = 0;                 // lines, rows or files that were read
};

// Descriptions of what is dropped that several readers have.
inline constexpr const char* kRepairedTexts = "texts with NUL or invalid UTF-8 (repaired)";
inline constexpr const char* kLinksToItself = "links of a note to itself";

// The most bytes of notes that a memory may have together.
inline constexpr uint64_t kMostForeignBytes = uint64_t{1} << 30;

// A relation name made of any text: "works at" -> "works_at"; "related" if nothing is left.
std::string RelationNameOf(std::string_view text);

// The path of a note with an id that another program gave: the id itself where it can be part of a
// path, or else made from it as from a title. "a/b" is a path with a folder.
std::string ForeignNotePath(std::string_view id);

// A time as other programs write it: a date, or a date and a time with or without an offset;
// without one it is UTC.
std::optional<UnixNanos> ParseForeignTime(std::string_view text);

// The text with upper and lower case alike, to be compared with others.
std::string FoldedText(std::string_view text);

// The text, with U+FFFD in place of NUL and of bytes that are not UTF-8.
std::string RepairedText(std::string_view text, bool* repaired);

// Checks that the note as it is written has a card that can be read again. Errors: LimitExceeded,
// with the place.
Status CheckCard(const ForeignNote& note);

}  // namespace recall
