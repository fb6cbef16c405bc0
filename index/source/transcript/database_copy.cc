#include "index/source/transcript/database_copy.h"

#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "storage/base/file_times.h"

namespace recall {
namespace {

constexpr int kCopyAttempts = 3;
constexpr const char* kCopyName = "/copy.db";

// The properties of a file that change when it is written.
struct FileState {
  bool exists = false;
  int64_t size = 0;
  int64_t seconds = 0;
  int64_t nanos = 0;

  bool operator==(const FileState&) const = default;
};

FileState StateOf(const std::string& path) {
  struct stat found = {};
  if (::stat(path.c_str(), &found) != 0 || !S_ISREG(found.st_mode)) return {};
  const timespec& modified = ModifiedTime(found);
  return {true, found.st_size, modified.tv_sec, modified.tv_nsec};
}

Status CopyOne(const std::string& from, const std::string& to) {
  std::error_code error;
  std::filesystem::copy_file(from, to, std::filesystem::copy_options::overwrite_existing, error);
  if (error) return Status::IoError("cannot copy " + from + ": " + error.message());
  return Status::Ok();
}

bool BeginsLikeDatabase(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  char head[16] = {};
  file.read(head, sizeof(head));
  return file.gcount() == sizeof(head) && std::string_view(head, 15) == "SQLite format 3";
}

}  // namespace

Result<std::unique_ptr<DatabaseCopy>> DatabaseCopy::Open(const std::string& path,
                                                         const TranscriptLimits& limits) {
  std::error_code error;
  std::string directory =
      (std::filesystem::temp_directory_path(error) / "recall-transcript-XXXXXX").string();
  if (error || ::mkdtemp(directory.data()) == nullptr) {
    return Fail(Status::IoError("cannot make a temporary directory for a copy of " + path));
  }
  std::unique_ptr<DatabaseCopy> copy(new DatabaseCopy(directory));
  RECALL_TRY(copy->CopyFrom(path, limits));
  const std::string name = directory + kCopyName;
  if (!BeginsLikeDatabase(name)) {
    return Fail(Status::Corruption(path + " is not an SQLite database"));
  }
  auto connection = Connection::Open(
      name, {.mode = ConnectionMode::kReadOnly, .enable_mapping = false, .virtual_tables = false});
  if (!connection) return Fail(ForeignDatabaseError(path, connection.error()));
  copy->connection_ = *std::move(connection);
  return copy;
}

DatabaseCopy::~DatabaseCopy() {
  connection_.reset();
  std::error_code ignored;
  std::filesystem::remove_all(directory_, ignored);
}

// The copy is of one moment if the files were the same before and after.
Status DatabaseCopy::CopyFrom(const std::string& path, const TranscriptLimits& limits) {
  const std::string wal = path + "-wal";
  const std::string copy = directory_ + kCopyName;
  for (int attempt = 0; attempt < kCopyAttempts; ++attempt) {
    if (limits.cancel && limits.cancel->load(std::memory_order_relaxed)) {
      return Status::Cancelled("cancelled");
    }
    const FileState file_before = StateOf(path);
    const FileState wal_before = StateOf(wal);
    if (!file_before.exists) return Status::NotFound("no file " + path);
    const auto bytes = static_cast<uint64_t>(file_before.size + wal_before.size);
    if (bytes > limits.max_file_bytes) {
      return Status::LimitExceeded(path + " has more than " +
                                   std::to_string(limits.max_file_bytes) + " bytes");
    }
    RECALL_TRY(CopyOne(path, copy));
    std::error_code ignored;
    std::filesystem::remove(copy + "-wal", ignored);
    if (wal_before.exists && wal_before.size > 0) RECALL_TRY(CopyOne(wal, copy + "-wal"));
    if (StateOf(path) == file_before && StateOf(wal) == wal_before) return Status::Ok();
  }
  return Status::Busy("another program is writing to " + path, "try again later");
}

Result<bool> DatabaseCopy::HasTable(std::string_view name) {
  RECALL_ASSIGN(
      Statement find,
      connection_->Prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?"));
  find.BindText(1, name);
  return find.Step();
}

Result<bool> DatabaseCopy::HasColumn(std::string_view table, std::string_view column) {
  RECALL_ASSIGN(Statement find,
                connection_->Prepare("SELECT 1 FROM pragma_table_info(?) WHERE name = ?"));
  find.BindText(1, table);
  find.BindText(2, column);
  return find.Step();
}

Status ForeignDatabaseError(const std::string& path, const Status& error) {
  if (error.code() == StatusCode::kCancelled || error.code() == StatusCode::kIoError) return error;
  return Status::Corruption("cannot read " + path + ": " + std::string(error.message()));
}

}  // namespace recall
