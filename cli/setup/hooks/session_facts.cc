#include "cli/setup/hooks/session_facts.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <string_view>

#include "query/memory/git/work_tree.h"
#include "storage/file_io/file_descriptor.h"

namespace recall {
namespace {

constexpr off_t kMostTranscriptBytes = 4 << 20;
// The line of Claude Code from which on a conversation is known by its summary.
constexpr std::string_view kSummaryMark = "\"compact_boundary\"";

}  // namespace

std::string BranchOfDirectory(const std::string& directory) {
  const auto tree = FindWorkTree(directory);
  return tree ? BranchOfWorkTree(*tree) : "";
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
