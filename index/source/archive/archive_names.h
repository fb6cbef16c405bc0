#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "storage/base/result.h"

namespace recall {

// Whether the name of a file is that of an archive: .tar, .tar.gz, .tgz, .tar.zst, .tar.xz, .txz,
// .tar.bz2, .tbz2, .tbz or .zip, in any case.
bool IsArchiveName(std::string_view path);

// Whether the name of a file is that of one compressed file: .gz, .zst, .xz or .bz2, in any case,
// but not that of a compressed tar.
bool IsCompressedName(std::string_view path);

// Whether the name of a file is that of a mailbox: .mbox or .mbx, in any case.
bool IsMailboxName(std::string_view path);

// The document path of a member: "logs.tar!/2026/a.txt" (docs/decisions/0016-archives.md).
std::string MemberPath(std::string_view archive, std::string_view member);

struct MemberPathParts {
  std::string_view archive;
  std::string_view member;
};
// The inverse: splits at the first "!/" after the name of an archive or a mailbox; nothing for
// other paths. A directory may have such a name, too.
std::optional<MemberPathParts> SplitMemberPath(std::string_view doc_path);

// The name of a member in document paths: without "." and empty components. Errors:
// InvalidArgument, with the reason, for a name that is not UTF-8, absolute, outside the archive
// (".."), too long or empty.
Result<std::string> NormalMemberName(std::string_view name);

}  // namespace recall
