#include "storage/file_io/unfinished_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <set>
#include <string_view>

#include "storage/file_io/file_claim.h"
#include "storage/file_io/new_file.h"

namespace recall {
namespace {

// A maker creates the file, claims it, and then checks that it still has its name. A remover opens
// a file, proves that it is unused by locking it as a whole, and then removes its name. Whoever
// locks first wins:
//
//   maker first      the remover cannot lock the file and leaves it alone
//   remover first    the maker cannot claim the file, or finds it without a name, and makes another
//
// Names are random and never used again, so a name always means the file of its maker.

namespace fs = std::filesystem;

constexpr std::string_view kBesideSuffixes[] = {"-wal", "-shm", "-journal"};
constexpr int kMostAttempts = 100;

// The names, without directory, of the unfinished files of this process. They must not even be
// opened, because closing a descriptor would drop the locks of SQLite on the file.
struct OwnNames {
  std::mutex mutex;
  std::set<std::string> names;
};

// Leaked on purpose: a file may be finished while the process exits.
OwnNames& TheOwnNames() {
  static OwnNames& names = *new OwnNames;
  return names;
}

std::string NameOf(const std::string& path) { return fs::path(path).filename().string(); }

void RemoveWithBeside(const std::string& path) {
  for (const std::string_view suffix : kBesideSuffixes) {
    ::unlink((path + std::string(suffix)).c_str());
  }
  ::unlink(path.c_str());
}

bool HasName(int descriptor) {
  struct stat info {};
  return ::fstat(descriptor, &info) == 0 && info.st_nlink > 0;
}

// Takes ".new-" and eight hexadecimal digits from the start of `rest`.
bool TakeRandomPart(std::string_view* rest) {
  constexpr std::string_view kMark = ".new-";
  constexpr size_t kDigits = 8;
  if (!rest->starts_with(kMark) || rest->size() < kMark.size() + kDigits) return false;
  const std::string_view digits = rest->substr(kMark.size(), kDigits);
  if (digits.find_first_not_of("0123456789abcdef") != digits.npos) return false;
  rest->remove_prefix(kMark.size() + kDigits);
  return true;
}

// The name of the unfinished file to which a file belongs, itself or as "-wal" and the like; "" if
// it is no such file of `target`. Earlier versions made a store under a random name beside that of
// an unfinished migration.
std::string UnfinishedNameOf(std::string_view name, std::string_view target) {
  std::string_view rest = name;
  if (target.empty() || !rest.starts_with(target)) return "";
  rest.remove_prefix(target.size());
  if (!TakeRandomPart(&rest)) return "";
  TakeRandomPart(&rest);
  const std::string stem(name.substr(0, name.size() - rest.size()));
  if (rest.empty()) return stem;
  for (const std::string_view suffix : kBesideSuffixes) {
    if (rest == suffix) return stem;
  }
  return "";
}

// The names of the unfinished files of `target`, also of those of which only a "-wal" or the like
// is left.
std::set<std::string> UnfinishedNamesBeside(const std::string& target) {
  std::set<std::string> names;
  fs::path directory = fs::path(target).parent_path();
  if (directory.empty()) directory = ".";
  const std::string name_of_target = NameOf(target);
  std::error_code error;
  for (fs::directory_iterator at(directory, error), end; !error && at != end; at.increment(error)) {
    std::string name = UnfinishedNameOf(at->path().filename().string(), name_of_target);
    if (!name.empty()) names.insert(std::move(name));
  }
  OwnNames& own = TheOwnNames();
  const std::lock_guard lock(own.mutex);
  for (const std::string& name : own.names) names.erase(name);
  return names;
}

// Whether an open file is empty, begins like a database, or was not written at its beginning yet.
bool MayBeDatabase(int descriptor) {
  char head[16] = {};
  const ssize_t count = ::pread(descriptor, head, sizeof(head), 0);
  if (count == 0) return true;
  const std::string_view bytes(head, sizeof(head));
  constexpr std::string_view kMagic("SQLite format 3\0", sizeof(head));
  return count == sizeof(head) && (bytes == kMagic || bytes == std::string(sizeof(head), '\0'));
}

bool IsOwnRegularFile(const struct stat& info) {
  return S_ISREG(info.st_mode) && info.st_uid == ::geteuid();
}

// Removes what belongs to an unfinished file that has no name any more: its maker is gone, or is
// just removing the rest.
void RemoveRemains(const std::string& path) {
  for (const std::string_view suffix : kBesideSuffixes) {
    const std::string beside = path + std::string(suffix);
    struct stat info {};
    if (::lstat(beside.c_str(), &info) == 0 && IsOwnRegularFile(info)) ::unlink(beside.c_str());
  }
}

void RemoveIfAbandoned(const std::string& path, UnfinishedContent content) {
  struct stat info {};
  if (::lstat(path.c_str(), &info) != 0) {
    if (errno == ENOENT) RemoveRemains(path);
    return;
  }
  if (!IsOwnRegularFile(info)) return;
  const int descriptor =
      ::open(path.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (descriptor < 0) return;
  struct stat opened {};
  const bool same = ::fstat(descriptor, &opened) == 0 && opened.st_dev == info.st_dev &&
                    opened.st_ino == info.st_ino;
  const bool expected = content == UnfinishedContent::kAny || MayBeDatabase(descriptor);
  if (same && expected && IsUnused(descriptor)) RemoveWithBeside(path);
  ::close(descriptor);
}

Status CannotCreateUnfinished(const std::string& path, int error) {
  return Status::IoError(path + ": cannot create it: " + std::strerror(error),
                         "check that the directory exists and that you may write to it");
}

}  // namespace

Result<std::unique_ptr<UnfinishedFile>> UnfinishedFile::Create(const std::string& target,
                                                               mode_t mode) {
  RemoveAbandonedFiles(target);
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    std::unique_ptr<UnfinishedFile> file(new UnfinishedFile(NameBeside(target)));
    const int descriptor =
        ::open(file->path().c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (descriptor < 0 && errno == EEXIST) continue;
    if (descriptor < 0) return Fail(CannotCreateUnfinished(file->path(), errno));
    file->descriptor_ = descriptor;
    if (ClaimFile(descriptor) != ClaimOutcome::kTaken && HasName(descriptor)) return file;
  }
  return Fail(CannotCreateUnfinished(target, EBUSY));
}

// The name is known from before the file exists until after it is gone, so that no thread of this
// process takes it for abandoned.
UnfinishedFile::UnfinishedFile(std::string path) : path_(std::move(path)) {
  OwnNames& own = TheOwnNames();
  const std::lock_guard lock(own.mutex);
  own.names.insert(NameOf(path_));
}

UnfinishedFile::~UnfinishedFile() {
  if (descriptor_ >= 0) {
    RemoveWithBeside(path_);
    ::close(descriptor_);
  }
  OwnNames& own = TheOwnNames();
  const std::lock_guard lock(own.mutex);
  own.names.erase(NameOf(path_));
}

void RemoveAbandonedFiles(const std::string& target, UnfinishedContent content) {
  const fs::path directory = fs::path(target).parent_path();
  for (const std::string& name : UnfinishedNamesBeside(target)) {
    RemoveIfAbandoned((directory / name).string(), content);
  }
}

}  // namespace recall
