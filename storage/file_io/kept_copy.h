#pragma once

#include <string>

#include "storage/base/result.h"

namespace recall {

// The copy of a database. Without its WAL, commits that were not yet in the file are missing.
struct KeptCopy {
  std::string file;
  std::string wal;  // empty if the database had none
};

// Copies a database as it is, with its "-wal" if there is one, to a name beside it that no file
// has: "recall.db.before-fix", else "recall.db.before-fix-2" and so on. A copy
// appears under its name only when it is complete. Unfinished copies of killed processes are
// removed first (unfinished_file.h). `descriptor` is of the database, because closing another one
// would drop the locks that SQLite has on the file. Requires: nobody writes to it meanwhile.
// Errors: IoError; nothing is left then.
Result<KeptCopy> KeepCopyOf(const std::string& path, int descriptor);

}  // namespace recall
