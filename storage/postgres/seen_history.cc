#include "storage/postgres/seen_history.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <sstream>
#include <system_error>
#include <utility>

#include "storage/file_io/file_descriptor.h"

namespace recall {
namespace {

constexpr const char* kFirstLine = "recall history 1";
constexpr const char* kLastLine = "end";

// Returns a locked descriptor; -1 if the file cannot be opened. Closing it ends the lock.
FileDescriptor OpenLocked(const std::string& path, int flags, int lock) {
  FileDescriptor file(::open(path.c_str(), flags | O_CLOEXEC, 0600));
  if (file.get() >= 0 && ::flock(file.get(), lock) != 0) return FileDescriptor(-1);
  return file;
}

// Returns at most the bytes that Print can have written.
std::string ReadText(int file) {
  std::array<char, 16384> buffer;
  const ssize_t size = ::pread(file, buffer.data(), buffer.size(), 0);
  return {buffer.data(), size > 0 ? static_cast<size_t>(size) : 0};
}

}  // namespace

SeenHistory::SeenHistory(const std::string& directory)
    : directory_(directory), path_(directory + "/history") {
  Read();
}

PageEpoch SeenHistory::newest() const {
  if (commits_.empty()) return {};
  const auto& [number, id] = *commits_.rbegin();
  return {number, id, 0};
}

void SeenHistory::Add(const PageEpoch& epoch) {
  const auto seen = commits_.find(epoch.number);
  if (epoch.number == 0 || (seen != commits_.end() && seen->second == epoch.id)) return;
  Change([&] {
    commits_[epoch.number] = epoch.id;
    return true;
  });
}

Result<size_t> SeenHistory::ForgetUnknown(
    const std::function<Result<bool>(const PageEpoch&)>& is_known) {
  Read();
  size_t forgotten = 0;
  for (PageEpoch last = newest(); last.number != 0; last = newest()) {
    RECALL_ASSIGN(const bool known, is_known(last));
    if (known) break;
    Change([&] { return commits_.erase(last.number) > 0; });
    ++forgotten;
  }
  return forgotten;
}

std::optional<int64_t> SeenHistory::FindNewer(const ServerTimeline& now) {
  Read();
  const auto seen = timelines_.find(now.system);
  if (seen != timelines_.end() && seen->second >= now.number) {
    return seen->second > now.number ? std::optional(seen->second) : std::nullopt;
  }
  Change([&] {
    int64_t& number = timelines_[now.system];
    if (number >= now.number) return false;
    number = now.number;
    return true;
  });
  return std::nullopt;
}

void SeenHistory::Change(const std::function<bool()>& edit) {
  std::error_code ignored;
  std::filesystem::create_directories(directory_, ignored);
  const FileDescriptor file = OpenLocked(path_, O_RDWR | O_CREAT, LOCK_EX);
  if (file.get() >= 0) Parse(ReadText(file.get()));
  if (!edit()) return;
  while (commits_.size() > kMostCommits) commits_.erase(commits_.begin());
  if (file.get() < 0) return;
  const std::string text = Print();
  const ssize_t written = ::pwrite(file.get(), text.data(), text.size(), 0);
  if (written < 0 || ::ftruncate(file.get(), written) != 0) return;
}

void SeenHistory::Read() {
  const FileDescriptor file = OpenLocked(path_, O_RDONLY, LOCK_SH);
  if (file.get() >= 0) Parse(ReadText(file.get()));
}

void SeenHistory::Parse(const std::string& text) {
  timelines_.clear();
  commits_.clear();
  std::map<std::string, int64_t> timelines;
  std::map<int64_t, int64_t> commits;
  std::istringstream lines(text);
  std::string line;
  if (!std::getline(lines, line) || line != kFirstLine) return;
  while (std::getline(lines, line) && line != kLastLine) {
    std::istringstream words(line);
    std::string kind, key;
    int64_t value = 0;
    if (!(words >> kind >> key >> value)) return;
    if (kind == "timeline") timelines[key] = value;
    int64_t number = 0;
    if (kind == "commit" && std::istringstream(key) >> number && number > 0) {
      commits[number] = value;
    }
  }
  if (line != kLastLine) return;
  timelines_ = std::move(timelines);
  commits_ = std::move(commits);
}

std::string SeenHistory::Print() const {
  std::ostringstream text;
  text << kFirstLine << '\n';
  for (const auto& [system, number] : timelines_) {
    text << "timeline " << system << ' ' << number << '\n';
  }
  for (const auto& [number, id] : commits_) text << "commit " << number << ' ' << id << '\n';
  text << kLastLine << '\n';
  return text.str();
}

}  // namespace recall
