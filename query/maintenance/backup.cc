// Copies a store while other processes read and write it.
//
// SQLite's backup API copies page by page (https://www.sqlite.org/backup.html). The source
// connection opens a read transaction first, so in write-ahead mode it copies the pages of one
// commit, and writers continue. Because pages are copied without interpreting them, a damaged store
// can be copied as well, as far as SQLite can read it.
//
//   1. Open a read transaction; note page size, page count and commit token.
//   2. Create an empty file beside the target, with the permissions of the store.
//   3. Copy all pages into it, with progress and cancellation.
//   4. Reopen the copy and compare its page size, page count and token with those of step 1.
//   5. Rename it to the target name.
//
// Invariant: the target name never refers to an incomplete copy. If a step fails, the temporary
// file is deleted. With --force a regular file is replaced atomically; without it, step 5 fails if
// a file of that name appeared in the meantime. The target may not be a file of the store itself.
//
// A target on a server is made from a copy in the temporary directory, as a whole or not at all.
//
// Cost: one sequential read and write of the file.

#include "query/maintenance/backup.h"

#include <sys/stat.h>

#include <filesystem>
#include <memory>
#include <utility>

#include "query/add/records/transfer_dependencies.h"
#include "query/types/open_types.h"
#include "query/types/store_types.h"
#include "storage/base/clock.h"
#include "storage/file_io/new_file.h"
#include "storage/file_io/unfinished_file.h"
#include "storage/history/snapshot_token.h"
#include "storage/schema/schema.h"
#include "storage/sqlite/online_backup.h"
#include "storage/store/server_store.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kMebibyte = 1 << 20;

// Facts that identify the contents of a store. The token is empty if a damaged store does not
// contain it.
struct Contents {
  int64_t page_size = 0;
  int64_t pages = 0;
  std::string snapshot;

  bool operator==(const Contents&) const = default;
};

Result<Contents> ReadContents(Connection& connection) {
  Contents contents;
  RECALL_TRY(CheckSchema(connection));
  RECALL_ASSIGN(contents.page_size, connection.QueryInt("PRAGMA page_size"));
  RECALL_ASSIGN(contents.pages, connection.QueryInt("PRAGMA page_count"));
  RECALL_ASSIGN(contents.snapshot, PresentToken(connection));
  return contents;
}

Result<std::unique_ptr<Connection>> OpenForReading(const std::string& path, int busy_timeout_ms) {
  ConnectionOptions options;
  options.busy_timeout_ms = busy_timeout_ms;
  options.enable_mapping = false;
  return OpenStoreConnection(path, options);
}

// Returns: the path of the target without symbolic links. Errors: InvalidArgument or AlreadyExists
// if the target must not be written.
Result<std::string> CheckTarget(const BackupRequest& request) {
  if (request.to.empty()) {
    return Fail(
        Status::InvalidArgument("the file name of the copy is empty", "specify the file to write"));
  }
  std::error_code missing;
  const fs::path real = fs::canonical(request.to, missing);
  const std::string to = missing ? request.to : real.string();
  if (fs::is_directory(to, missing)) {
    return Fail(Status::InvalidArgument(to + ": it is a directory", "specify the file to write"));
  }
  if (IsFileOfStore(to, request.path)) {
    return Fail(Status::InvalidArgument(to + ": it is the store itself", "specify another file"));
  }
  struct stat there {};
  if (::lstat(to.c_str(), &there) != 0) return to;
  if (!request.force) {
    return Fail(Status::AlreadyExists(to + ": the file already exists",
                                      "specify another file, or replace it with --force"));
  }
  // A copy replaces a file by renaming, which would delete a device or a named pipe.
  if (S_ISREG(there.st_mode) || S_ISLNK(there.st_mode)) return to;
  return Fail(Status::InvalidArgument(to + ": it is not a regular file", "specify another file"));
}

mode_t PermissionsOf(const std::string& store) {
  struct stat info {};
  return ::stat(store.c_str(), &info) == 0 ? info.st_mode & 0777 : 0600;
}

BackupProgressFn Counting(const UpkeepProgressFn& say, int64_t page_size) {
  if (!say) return {};
  return [&say, page_size, last = int64_t{0}](int64_t done, int64_t pages) mutable {
    if (SteadyMicros() - last < kProgressMicros) return;
    last = SteadyMicros();
    say("copied " + std::to_string(done * page_size / kMebibyte) + " of " +
        std::to_string(pages * page_size / kMebibyte) + " MiB");
  };
}

// The file to write first, and what comes of it: a copy of that name, or a store on a server.
struct BackupPlace {
  std::string file;
  bool uploaded = false;
};

Result<BackupPlace> PlaceOf(const BackupRequest& request) {
  if (!IsServerAddress(request.to)) {
    RECALL_ASSIGN(std::string file, CheckTarget(request));
    return BackupPlace{.file = std::move(file)};
  }
  if (request.force) {
    return Fail(Status::InvalidArgument("--force replaces files, not stores on servers",
                                        "specify another store, or delete it on the server"));
  }
  return BackupPlace{.file = PlaceForUpload(), .uploaded = true};
}

Status Finish(const BackupRequest& request, const BackupPlace& place, const std::string& copy) {
  if (place.uploaded) return UploadStore(copy, request.to);
  return request.force ? ReplaceFile(copy, place.file) : MoveIntoPlace(copy, place.file);
}

}  // namespace

Result<BackupReport> RunBackup(const BackupRequest& request, const UpkeepProgressFn& progress,
                               const std::atomic<bool>* cancel) {
  RECALL_ASSIGN(const BackupPlace place, PlaceOf(request));
  RECALL_ASSIGN(const auto source, OpenForReading(request.path, request.busy_timeout_ms));
  RECALL_TRY(source->Execute("BEGIN"));
  RECALL_ASSIGN(const Contents contents, ReadContents(*source));
  RECALL_ASSIGN(
      const auto unfinished,
      UnfinishedFile::Create(place.file, place.uploaded ? 0600 : PermissionsOf(request.path)));
  RECALL_TRY(
      CopyDatabase(*source, unfinished->path(), Counting(progress, contents.page_size), cancel));
  {
    RECALL_ASSIGN(const auto copy, OpenForReading(unfinished->path(), request.busy_timeout_ms));
    RECALL_ASSIGN(const Contents copied, ReadContents(*copy));
    if (copied != contents) {
      return Fail(Status::IoError(place.file + ": the copy differs from the store", "try again"));
    }
  }
  RECALL_TRY(Finish(request, place, unfinished->path()));
  return BackupReport{.to = place.uploaded ? request.to : place.file,
                      .bytes = contents.pages * contents.page_size,
                      .snapshot = contents.snapshot};
}

}  // namespace recall
