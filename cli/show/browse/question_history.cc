#include "cli/show/browse/question_history.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "storage/base/trim.h"
#include "storage/file_io/file_descriptor.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

Status CannotWrite(const std::string& path, int error) {
  return Status::IoError("cannot write the history '" + path + "': " + std::strerror(error),
                         "--no-history keeps none");
}

Status WriteAll(int fd, std::string_view text, const std::string& path) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return CannotWrite(path, errno);
    text.remove_prefix(static_cast<size_t>(written));
  }
  return {};
}

Status MakeDirectories(const fs::path& directory, const std::string& path) {
  std::error_code error;
  if (directory.empty() || fs::is_directory(directory, error)) return {};
  if (Status made = MakeDirectories(directory.parent_path(), path); !made.ok()) return made;
  if (::mkdir(directory.c_str(), 0700) == 0 || errno == EEXIST) return {};
  return CannotWrite(path, errno);
}

}  // namespace

std::string HistoryPath() {
  const char* const state = std::getenv("XDG_STATE_HOME");
  // A relative path is to be ignored (XDG base directory specification).
  if (state != nullptr && *state == '/') return std::string(state) + "/recall/history";
  const char* const home = std::getenv("HOME");
  if (home == nullptr || *home != '/') return "";
  return std::string(home) + "/.local/state/recall/history";
}

std::vector<std::string> ReadHistory(const std::string& path) {
  std::vector<std::string> questions;
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return questions;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!Trim(line).empty()) questions.push_back(std::move(line));
  }
  if (questions.size() > kMostQuestions) {
    questions.erase(questions.begin(), questions.end() - kMostQuestions);
  }
  return questions;
}

Status AddToHistory(const std::string& path, std::string_view question) {
  std::vector<std::string> questions = ReadHistory(path);
  std::erase(questions, question);
  questions.emplace_back(question);
  const size_t first = questions.size() > kMostQuestions ? questions.size() - kMostQuestions : 0;
  std::string text;
  for (size_t i = first; i < questions.size(); ++i) text += questions[i] + "\n";

  if (Status made = MakeDirectories(fs::path(path).parent_path(), path); !made.ok()) return made;
  const std::string unfinished = path + ".new-" + std::to_string(::getpid());
  const FileDescriptor file(
      ::open(unfinished.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (file.get() < 0) return CannotWrite(path, errno);
  Status written = WriteAll(file.get(), text, path);
  if (written.ok() && ::rename(unfinished.c_str(), path.c_str()) != 0) {
    written = CannotWrite(path, errno);
  }
  if (!written.ok()) ::unlink(unfinished.c_str());
  return written;
}

}  // namespace recall
