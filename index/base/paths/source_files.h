#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "storage/tables/source_roots.h"

namespace recall {

// Whether a path is that of the directory or below it. Both are as of AbsoluteLexicalPath.
bool IsAtOrBelow(std::string_view absolute_path, std::string_view absolute_directory);

// The absolute directory of a root. `store_root` is absolute.
std::string DirectoryOf(const SourceRoot& root, std::string_view store_root);

// The document path of a file below the absolute directory of a root. Requires: IsAtOrBelow.
std::string NameBelow(const SourceRoot& root, std::string_view absolute_directory,
                      std::string_view absolute_path);

// Returns 16 hexadecimal digits of a hash of the path and the inode of a directory, which identify
// it on this machine and do not reveal the path; "" if it cannot be examined. `directory` is
// absolute.
std::string IdentityOfDirectory(const std::string& directory);

// A file that a document may have been added from.
struct SourceCandidate {
  std::string path;         // absolute
  std::string directory;    // of its root; "": it is the file that the document path names
  size_t prefix_bytes = 0;  // of the prefix of its root
};

// The files that a document may have been added from, the most likely first: those of roots with
// the longest prefix, and last the file that its path names.
std::vector<SourceCandidate> CandidatesOf(std::string_view doc_path, std::string_view store_root,
                                          std::span<const SourceRoot> roots);

}  // namespace recall
