#pragma once

// A store whose documents are the rows of a table of documents.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/library/library_store.h"
#include "cli/run/execution/command_call.h"
#include "cli/sqlite/shadow_rows.h"
#include "storage/base/result.h"

namespace recall {

// The document of a store that says which entry of the log it has come to. It is empty, so nothing
// finds it. No row may have its path.
inline constexpr std::string_view kPositionPath = ".recall-position";

// A directory with a store. Belongs to a connection, whose thread calls it.
class FollowedStore final {
 public:
  // `embedding`: as the setting.
  FollowedStore(std::string directory, std::string embedding)
      : directory_(std::move(directory)), embedding_(std::move(embedding)) {}

  const std::string& directory() const { return directory_; }
  std::string file() const { return directory_ + "/recall.db"; }

  // Opens the store, or makes one in the directory, if it is not open. Errors: StoreNotFound, only
  // if it is not to be made; those of opening one.
  Status Open(bool create);
  void Close();
  // Whether it was at this entry when it was last asked.
  bool WasAt(const LogPosition& position) const { return position_ == position; }
  // The entry that it has come to; nullopt if it is none, as after a crash. Errors: StoreNotFound
  // if its file is gone, in which case it is closed.
  Result<std::optional<LogPosition>> Position();
  // Makes its documents the rows, as the present statement sees them. Requires: nobody else does
  // this to the store.
  Status Follow(ShadowRows& rows);
  // Runs a command that reads. Returns: its answer; nullopt if the store was written since
  // Position or Follow, or its file is gone.
  Result<std::optional<CallAnswer>> Read(const LibraryRequest& request);

  // Deletes the files and the directory, if nothing else is in it.
  void RemoveFiles();

 private:
  // Runs a command. Errors: those of the command; StoreNotFound closes the store.
  Result<CallAnswer> Call(const LibraryRequest& request);
  // The paths of rows that are missing from the store or differ there, and of documents without a
  // row.
  Result<std::vector<std::string>> Differences(ShadowRows& rows);
  Status Apply(const std::vector<std::string>& paths, ShadowRows& rows, const LogPosition& end);
  Status Add(const std::string& lines);
  Status Remove(const std::vector<std::string>& paths);

  const std::string directory_;
  const std::string embedding_;
  std::unique_ptr<LibraryStore> store_;
  std::optional<LogPosition> position_;
  std::string snapshot_;  // of the store when it was at position_
};

}  // namespace recall
