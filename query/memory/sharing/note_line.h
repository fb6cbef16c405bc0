#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "query/add/records/json_record.h"
#include "storage/base/clock.h"
#include "storage/base/ids.h"
#include "storage/base/result.h"

namespace recall {

// The limits of a note on a branch.
inline constexpr size_t kMostSharedNoteBytes = size_t{16} << 20;
inline constexpr size_t kMostReplaced = 1000;  // versions that one replaces

// A version of a note on a branch (docs/format/session-branch.md): a text, or that the note was
// removed.
struct SharedNoteVersion {
  std::string path;
  bool is_removal = false;
  std::string text = {};                  // of a removal: ""
  Digest hash{};                          // SHA-256 of `text`; of a removal: zeros
  std::optional<UnixNanos> mtime = {};    // of the document
  std::vector<Digest> replaces = {};      // the versions it was made of, ascending
  std::optional<UnixNanos> changed = {};  // LastChangeOf its card; not in the line

  // The identity of the version. Those of one path that differ in text or in what they replace have
  // different ones; the times of documents do not matter.
  Digest Id() const;
};

// When a note was changed last: the later of `updated` on its card and the time of the document.
// People who edit a file do not write `updated`. `meta`: as of ReadNoteCard.
std::optional<UnixNanos> LastChangeOf(std::string_view meta, std::optional<UnixNanos> mtime);

// A version with this text. `replaces`: in any order.
SharedNoteVersion NoteVersion(std::string path, std::string text, std::optional<UnixNanos> mtime,
                              std::vector<Digest> replaces);
SharedNoteVersion NoteRemoval(std::string path, std::vector<Digest> replaces);

// Whether notes at this path are carried: a relative path of UTF-8 without control characters that
// ends in ".md", with no part that begins with '.'.
bool IsSharedNotePath(std::string_view path);

// Ends with a newline. Equal versions give equal bytes.
std::string WriteNoteLine(const SharedNoteVersion& version);

// Returns: nothing for a line of a type that this program does not know. Errors: InvalidArgument if
// the line is not what it says: a path that is not carried, a hash that is not that of the text,
// text that is not UTF-8 or beyond the limits.
Result<std::optional<SharedNoteVersion>> ReadNoteLine(const LineRef& line);

}  // namespace recall
