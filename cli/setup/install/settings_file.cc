#include "cli/setup/install/settings_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <filesystem>

#include "storage/base/ids.h"
#include "storage/file_io/new_file.h"
#include "storage/file_io/output_file.h"
#include "storage/file_io/user_file.h"

namespace recall {
namespace {

constexpr size_t kMaxSettingsBytes = size_t{64} << 20;
constexpr size_t kBackupDigits = 8;

// The edits are short; a signal ends the process between two of them.
const std::atomic<bool> kEditNeverCancelled = false;

}  // namespace

Result<std::string> ResolvedPath(const std::string& path) {
  struct stat info {};
  const bool link = ::lstat(path.c_str(), &info) == 0 && S_ISLNK(info.st_mode);
  std::error_code error;
  if (link && !std::filesystem::exists(path, error)) {
    return Fail(Status::InvalidArgument(path + " is a link to a file that does not exist",
                                        "create that file, or remove the link"));
  }
  const std::filesystem::path resolved = std::filesystem::weakly_canonical(path, error);
  return error ? path : resolved.string();
}

Result<std::optional<std::string>> ReadSettings(const std::string& path) {
  const Result<FileDescriptor> file = OpenUserFile(path, FileKind::kRegular);
  if (!file && file.error().code() == StatusCode::kNotFound) return std::optional<std::string>();
  if (!file) return Fail(file.error());
  std::string text;
  std::string buffer(size_t{1} << 16, '\0');
  for (;;) {
    const ssize_t count = ::read(file->get(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      return Fail(Status::IoError(path + ": cannot read it: " + SystemErrorText(errno),
                                  "check the permissions of the file and of its directory"));
    }
    if (count == 0) return std::optional(std::move(text));
    text.append(buffer, 0, static_cast<size_t>(count));
    if (text.size() > kMaxSettingsBytes) {
      return Fail(Status::InvalidArgument(path + ": the file is larger than 64 MiB",
                                          "check whether it is a settings file"));
    }
  }
}

Status WriteSettings(const std::string& path, const std::string& text, const std::string& like) {
  RECALL_ASSIGN(const auto file, OutputFile::Create(path, &kEditNeverCancelled, like));
  RECALL_TRY(file->Write(text));
  return file->Finish();
}

Status WritePrivate(const std::string& path, const std::string& text) {
  // A replacement keeps the permissions of an empty file.
  const FileDescriptor made(::open(path.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600));
  const Status written = WriteSettings(path, text, "");
  if (!written.ok() && made.get() >= 0) ::unlink(path.c_str());
  return written;
}

Status RemoveSettings(const std::string& path) {
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) {
    return Status::IoError(path + ": cannot remove it: " + SystemErrorText(errno),
                           "check that you may write to its directory");
  }
  SyncDirectoryOf(path);
  return {};
}

Result<std::vector<std::string>> MakeDirectories(const std::string& path) {
  std::vector<std::string> missing;
  std::error_code error;
  std::filesystem::path directory = path;
  while (directory.has_relative_path() && !std::filesystem::exists(directory, error)) {
    missing.insert(missing.begin(), directory.string());
    directory = directory.parent_path();
  }
  std::filesystem::create_directories(path, error);
  if (!error) return missing;
  RemoveEmptyDirectories(missing);
  return Fail(Status::IoError("cannot create the directory " + path + ": " + error.message(),
                              "check that you may write to its parent directory"));
}

void RemoveEmptyDirectories(const std::vector<std::string>& directories) {
  for (auto directory = directories.rbegin(); directory != directories.rend(); ++directory) {
    if (::rmdir(directory->c_str()) != 0 && errno != ENOENT) return;
  }
}

std::string BackupName(const std::string& path, const std::string& text) {
  return path + ".recall-backup-" + HashOf(text).substr(0, kBackupDigits);
}

std::string HashOf(std::string_view text) { return ToHex(Sha256(text)); }

}  // namespace recall
