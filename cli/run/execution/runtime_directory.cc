#include "cli/run/execution/runtime_directory.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

namespace recall {
namespace {

std::string Variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Anybody may make a directory of this name in a directory for temporary files, or a link.
bool IsPrivate(const std::string& directory) {
  struct stat info {};
  return ::lstat(directory.c_str(), &info) == 0 && S_ISDIR(info.st_mode) &&
         info.st_uid == ::geteuid() && (info.st_mode & 077) == 0;
}

}  // namespace

std::string RuntimeDirectory() {
  std::string directory = Variable("XDG_RUNTIME_DIR");
  if (directory.starts_with('/')) {
    directory += "/recall";
  } else {
    directory = Variable("TMPDIR");
    if (!directory.starts_with('/')) directory = "/tmp";
    directory += "/recall-" + std::to_string(::geteuid());
  }
  ::mkdir(directory.c_str(), 0700);
  return IsPrivate(directory) ? directory : "";
}

}  // namespace recall
