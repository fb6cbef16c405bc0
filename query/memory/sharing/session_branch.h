#pragma once

// The branches of a repository that hold sessions and notes.

#include <functional>
#include <string>
#include <string_view>

#include "query/add/records/json_record.h"
#include "query/memory/git/repository.h"
#include "query/memory/sharing/note_versions.h"

namespace recall {

inline constexpr std::string_view kSessionBodyName = "recall.body";
inline constexpr size_t kMostBodyBytes = size_t{2} << 30;
// A body is not read beyond these: its frames, and what they contain in sum.
inline constexpr int64_t kMostBodyFrames = 100'000;
inline constexpr uint64_t kMostUnpackedBytes = uint64_t{16} << 30;

// The repository of a directory. Errors: NotFound if it is in none.
Result<GitRepository> RepositoryForSharing(const std::string& directory);

// "recall/ada@example.com"; characters that a branch cannot have become "_". Errors:
// InvalidArgument if the settings have no address.
Result<std::string> OwnBranch(const GitRepository& repository);

// Visits the lines of a frame, with their newlines.
void ForEachLine(std::string_view lines, const std::function<void(std::string_view)>& visit);

// Adds the versions of notes of a frame. `frame.text`: its lines; `number`: its number. Lines of
// unknown types are passed over. Returns: the number of versions that were added, and of lines that
// are not what they say.
struct NoteLineCounts {
  int64_t versions = 0;
  int64_t refused = 0;
};
NoteLineCounts AddNoteVersions(const LineRef& frame, BranchNotes* histories);

// Where the branches of a remote are kept here: "refs/remotes/origin/recall/". Those of an address
// without a name are in "refs/recall/pulled/".
Result<std::string> PrefixOfPulled(const GitRepository& repository, const std::string& remote);

}  // namespace recall
