#include "cli/setup/hooks/session_facts.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>

#include "storage/file_io/file_descriptor.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

constexpr off_t kMostTranscriptBytes = 4 << 20;
// The line of Claude Code from which on a conversation is known by its summary.
constexpr std::string_view kSummaryMark = "\"compact_boundary\"";

// The first line of a small file; "" if there is none.
std::string FirstLine(const fs::path& path) {
  constexpr std::streamsize kLongest = 4096;
  std::ifstream file(path, std::ios::binary);
  std::string line(kLongest, '\0');
  file.read(line.data(), kLongest);
  line.resize(static_cast<size_t>(file.gcount()));
  line.resize(std::min(line.find('\n'), line.size()));
  if (line.ends_with('\r')) line.pop_back();
  return line;
}

// The directory of git of a work tree; empty if `directory` is the top of none. A linked work tree
// has a file there, which names it.
fs::path GitDirectoryAt(const fs::path& directory) {
  constexpr std::string_view kLink = "gitdir: ";
  std::error_code error;
  const fs::path git = directory / ".git";
  if (fs::is_directory(git, error)) return git;
  if (!fs::is_regular_file(git, error)) return {};
  const std::string line = FirstLine(git);
  return line.starts_with(kLink) ? directory / line.substr(kLink.size()) : fs::path();
}

}  // namespace

std::string BranchOfDirectory(const std::string& directory) {
  constexpr std::string_view kHead = "ref: refs/heads/";
  if (!directory.starts_with('/')) return "";
  for (fs::path at = directory;; at = at.parent_path()) {
    const fs::path git = GitDirectoryAt(at);
    if (!git.empty()) {
      const std::string head = FirstLine(git / "HEAD");
      return head.starts_with(kHead) ? head.substr(kHead.size()) : "";
    }
    if (at == at.parent_path()) return "";
  }
}

std::string TextOfConversation(const std::string& transcript) {
  if (transcript.empty()) return "";
  // Without O_NONBLOCK the open of a pipe would wait for its other end.
  const FileDescriptor file(::open(transcript.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat info {};
  if (file.get() < 0 || ::fstat(file.get(), &info) != 0 || !S_ISREG(info.st_mode)) return "";
  const off_t size = std::min(info.st_size, kMostTranscriptBytes);
  std::string text(static_cast<size_t>(size), '\0');
  size_t have = 0;
  while (have < text.size()) {
    const ssize_t count = ::pread(file.get(), text.data() + have, text.size() - have,
                                  info.st_size - size + static_cast<off_t>(have));
    if (count <= 0) break;
    have += static_cast<size_t>(count);
  }
  text.resize(have);
  const size_t summary = text.rfind(kSummaryMark);
  return summary == text.npos ? text : text.substr(summary);
}

}  // namespace recall
