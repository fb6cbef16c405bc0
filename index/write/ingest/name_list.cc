#include "index/write/ingest/name_list.h"

#include <utility>

#include "storage/file_io/input_lines.h"

namespace recall {
namespace {

// Far more than the maximum of a path.
constexpr uint64_t kMaxListedNameBytes = 64 << 10;
// All names are kept in memory, each in a string of its own.
constexpr uint64_t kMaxListBytes = uint64_t{512} << 20;

Status NotAList(const InputFile& file, const std::string& why, bool null_ended) {
  return Status::InvalidArgument(
      file.name() + ": " + why + ", so the file is not a list of names",
      null_ended ? "without --null, each line is a name" : "with --null, names end with a NUL");
}

}  // namespace

Result<std::vector<std::string>> ReadNameList(const std::string& path, bool null_ended,
                                              const std::atomic<bool>* cancel) {
  RECALL_ASSIGN(auto file, InputFile::Open(path, cancel));
  InputLines lines(std::move(file), kMaxListedNameBytes, null_ended ? '\0' : '\n');
  std::vector<std::string> names;
  std::string name;
  uint64_t list_bytes = 0;
  for (;;) {
    const Result<bool> more = lines.Next(&name);
    if (!more && more.error().code() == StatusCode::kLimitExceeded) {
      return Fail(NotAList(lines.file(),
                           "name " + std::to_string(lines.line_number()) + " has more than " +
                               std::to_string(kMaxListedNameBytes) + " bytes",
                           null_ended));
    }
    if (!more) return Fail(more.error());
    if (!*more) return names;
    if (name.find('\0') != std::string::npos) {
      return Fail(NotAList(lines.file(),
                           "line " + std::to_string(lines.line_number()) + " contains a NUL",
                           null_ended));
    }
    if (name.empty()) continue;
    names.push_back(name);
    list_bytes += name.size() + sizeof(name);
    if (list_bytes > kMaxListBytes) {
      return Fail(Status::LimitExceeded(lines.file().name() + " lists more than 512 MiB of names",
                                        "divide it, and run the command for each part"));
    }
  }
}

}  // namespace recall
