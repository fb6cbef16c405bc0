#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "index/source/note/text_links.h"
#include "query/compat/memories/foreign_memory.h"
#include "storage/base/result.h"

namespace recall {

// A note as it is to be in the store.
struct PlacedNote {
  std::string path;
  std::string markdown;
  std::optional<UnixNanos> time;   // of its last change there
  std::vector<ForeignLink> links;  // their targets are paths
  std::optional<ForeignUse> uses;
  std::optional<ForeignReview> review;
};

// What a plan needs to know of the store.
struct StoredNotes {
  // Whether there is a live document at a path.
  std::function<Result<bool>(const std::string& path)> is_live;
  // The paths of notes by a key on their cards and its text, for the keys of marks.
  std::map<std::pair<std::string, std::string>, std::string> by_mark;
};

// Where each note of a memory goes, and which notes its links mean.
class ImportPlan final {
 public:
  // A note goes where the note with its mark is in the store; otherwise to its own path, or if that
  // is taken, to the same with "-2", ... Errors: those of stored.is_live.
  static Result<ImportPlan> Make(ForeignMemory memory, const StoredNotes& stored);

  const std::vector<PlacedNote>& notes() const { return notes_; }  // by path

  // The links of a text with paths instead of the names that notes of this memory have. Other names
  // stay: the store finds what they mean.
  std::vector<TextLink> Resolve(const std::string& path, std::vector<TextLink> links) const;

 private:
  Status AssignPaths(std::vector<ForeignNote>& notes, const StoredNotes& stored);
  void AddNames(const std::vector<ForeignNote>& notes);
  // The path of the note that a name means in the note at `path`; nullopt if it is none of these.
  std::optional<std::string> Find(std::string_view path, std::string_view name) const;
  Result<std::string> TargetOf(const std::string& path, const ForeignLink& link,
                               const StoredNotes& stored) const;
  std::optional<std::string> IdFor(const std::string& name) const;

  std::map<std::string, std::string, std::less<>> by_id_;     // paths
  std::map<std::string, std::string, std::less<>> by_title_;  // paths
  std::map<std::string, size_t, std::less<>> by_path_;        // indexes of the memory's notes
  std::vector<PlacedNote> notes_;
};

}  // namespace recall
