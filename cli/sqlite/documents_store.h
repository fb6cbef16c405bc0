#pragma once

// The stores in which the rows of a table of documents are searched.

#include <memory>
#include <optional>
#include <string>

#include "cli/sqlite/followed_store.h"
#include "cli/sqlite/shadow_rows.h"
#include "storage/base/result.h"

namespace recall {

// Belongs to a connection, whose thread calls it.
class DocumentsStore final {
 public:
  // `database`: the file of the rows; "" if there is none. `writable`: whether a store may be
  // written beside it.
  DocumentsStore(sqlite3* connection, std::string database, bool writable, std::string embedding)
      : connection_(connection),
        database_(std::move(database)),
        writable_(writable),
        embedding_(std::move(embedding)) {}
  ~DocumentsStore();
  DocumentsStore(const DocumentsStore&) = delete;
  DocumentsStore& operator=(const DocumentsStore&) = delete;

  // Runs a command that reads over exactly the rows that the present statement sees. Errors: Busy
  // if another connection brings the store up to date and does not end; those of the stores and the
  // command.
  Result<CallAnswer> Read(ShadowRows& rows, const LibraryRequest& request);
  // Deletes the store beside the database.
  void RemoveFiles(ShadowRows& rows);

 private:
  Status FindShared(ShadowRows& rows);
  Result<std::optional<CallAnswer>> ReadShared(ShadowRows& rows, const LibraryRequest& request);
  // Returns: whether the shared store is now at the end of the log.
  Result<bool> BringShared(ShadowRows& rows, const LogPosition& end);
  // Returns: false if the shared store must not be written.
  Result<bool> FollowShared(ShadowRows& rows);
  Result<CallAnswer> ReadOwn(ShadowRows& rows, const LibraryRequest& request);
  Status MakeOwn();

  sqlite3* const connection_;
  const std::string database_;
  const bool writable_;
  const std::string embedding_;
  std::unique_ptr<FollowedStore> shared_;  // beside the database
  std::unique_ptr<FollowedStore> own_;     // of the connection, in the directory of temporary files
};

}  // namespace recall
