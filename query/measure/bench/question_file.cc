#include "query/measure/bench/question_file.h"

#include <utility>

#include "index/base/text/utf8.h"
#include "storage/base/trim.h"
#include "storage/file_io/input_lines.h"

namespace recall {
namespace {

constexpr uint64_t kMaxQuestionBytes = 1 << 20;
// All questions are kept in memory, each in a string of its own.
constexpr uint64_t kMaxQuestionsBytes = 64 << 20;

}  // namespace

Result<std::vector<std::string>> ReadQuestionFile(const std::string& path,
                                                  const std::atomic<bool>& cancel) {
  RECALL_ASSIGN(auto file, InputFile::Open(path, &cancel));
  const std::string name = file->name();
  InputLines lines(std::move(file), kMaxQuestionBytes);
  std::vector<std::string> questions;
  std::string line;
  uint64_t total_bytes = 0;
  for (;;) {
    RECALL_ASSIGN(const bool more, lines.Next(&line));
    if (!more) break;
    if (!IsValidUtf8(line) || line.find('\0') != std::string::npos) {
      return Fail(Status::InvalidArgument(name + ": the line is not UTF-8",
                                          "write one query per line, in UTF-8")
                      .WithPosition({lines.line_number(), 0, ""}));
    }
    std::string_view text = line;
    if (lines.line_number() == 1 && text.starts_with(kByteOrderMark)) text.remove_prefix(3);
    text = Trim(text);
    if (text.empty()) continue;
    questions.emplace_back(text);
    total_bytes += text.size() + sizeof(std::string);
    if (total_bytes > kMaxQuestionsBytes) {
      return Fail(Status::LimitExceeded(name + " has more than 64 MiB of queries",
                                        "use fewer queries; a sample measures as well"));
    }
  }
  if (!questions.empty()) return questions;
  return Fail(Status::InvalidArgument(name + " has no queries", "write one per line"));
}

}  // namespace recall
