#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "storage/base/result.h"

namespace recall {

class Connection;

// Where files were added from under names of their own (`add --root`, `--as`): the file
// `directory`/x is the document `prefix`/x.
struct SourceRoot {
  std::string prefix;     // a normal relative path; "": none
  std::string directory;  // absolute, or relative to the directory of the store

  bool operator==(const SourceRoot&) const = default;
};

// The recorded roots, by prefix and directory: rows of the table `meta` that older programs ignore.
Result<std::vector<SourceRoot>> ReadSourceRoots(Connection& connection);
// Records (forgets) a root, in the open write transaction.
Status WriteSourceRoot(Connection& connection, const SourceRoot& root);
Status DeleteSourceRoot(Connection& connection, const SourceRoot& root);

// The directory of the store, beside which files were added: a row of `meta`, too.
struct StoreHome {
  std::string identity;  // IdentityOfDirectory, index/base/paths/source_files.h; "": unknown
  int64_t since = 0;     // the first commit of files that were added there, without others since
};

Result<StoreHome> ReadHome(Connection& connection);
// Records it, in the open write transaction, unless the recorded one has this identity.
Status WriteHome(Connection& connection, const StoreHome& home);

}  // namespace recall
