#pragma once

// Where documents came from: the values of doc.origin (docs/format/store.md).

#include <string_view>

#include "storage/base/result.h"

namespace recall {

class Connection;

// A file that a walk found; its text is that of the file, or of a single .gz, .zst or .xz.
inline constexpr std::string_view kFileOrigin = "file";
// A line of add --jsonl.
inline constexpr std::string_view kLineOrigin = "line";
// A member of an archive.
inline constexpr std::string_view kMemberOrigin = "member";
// A note that `recall save` wrote, which has no file.
inline constexpr std::string_view kSavedOrigin = "saved";
// The transcript of a coding agent, which is no file of the store.
inline constexpr std::string_view kCaptureOrigin = "capture";
// An export or another store.
inline constexpr std::string_view kImportOrigin = "import";

bool IsNameOfOrigin(std::string_view name);

// Whether the store has the columns doc.origin and doc_past.origin. Stores of formats before 12 do
// not; RECALL_INFERRED_ORIGIN takes their place.
Result<bool> RecordsOrigins(Connection& connection);

// An SQL expression for the origin of a document that an older format stored, given the expressions
// of its time and its path. Files and members have a time. The path of a member is that of
// MemberPath (index/source/archive/archive_names.h); a directory may have such a name, too.
#define RECALL_INFERRED_ORIGIN(mtime, path)                                                     \
  "CASE WHEN " mtime " IS NULL THEN 'line' WHEN " path " GLOB '*[^/].[tT][aA][rR]!/*' OR " path \
  " GLOB '*[^/].[tT][aA][rR].[gG][zZ]!/*' OR " path " GLOB '*[^/].[tT][gG][zZ]!/*' OR " path    \
  " GLOB '*[^/].[tT][aA][rR].[zZ][sS][tT]!/*' OR " path                                         \
  " GLOB '*[^/].[zZ][iI][pP]!/*' THEN 'member' ELSE 'file' END"

}  // namespace recall
