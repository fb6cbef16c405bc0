#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "storage/base/result.h"

namespace recall {

// Whether a file is taken for an archive, by its name: .tar, .tar.gz, .tgz, .tar.zst and .zip, in
// any case.
bool IsArchiveName(std::string_view path);

// The document of a member: "logs.tar!/2026/a.txt" (docs/decisions/0016-archives.md).
std::string MemberPath(std::string_view archive, std::string_view member);

struct MemberPathParts {
  std::string_view archive;
  std::string_view member;
};
// And back, at the first "!/" behind the name of an archive; nothing for other paths. There may be
// a directory of that name all the same.
std::optional<MemberPathParts> SplitMemberPath(std::string_view doc_path);

// A member's name as documents have it: without "." and empty components.
// Errors: InvalidArgument that says why a file of that name cannot be taken: it is not UTF-8,
// absolute, leads out of the archive, is too long or nothing.
Result<std::string> NormalMemberName(std::string_view name);

}  // namespace recall
