#include "cli/options/flags/text_argument.h"

#include <atomic>
#include <vector>

#include "storage/file_io/input_file.h"

namespace recall {
namespace {

constexpr size_t kMaxBytes = 1 << 20;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// No operation has begun, so a signal ends the program while it waits
// (cli/show/terminal/signals.h).
constexpr std::atomic<bool> kNeverCancelled = false;

thread_local std::vector<TextRead> texts_read;

// The text of a file, or of standard input ("-").
Result<std::string> ReadFileOrInput(const std::string& path, std::string_view name) {
  const auto refused = [&](const Status& reason) {
    const std::string message = std::string(name) + ": " + std::string(reason.message());
    const std::string hint(reason.hint());
    return Fail(reason.code() == StatusCode::kNotFound ? Status::NotFound(message, hint)
                                                       : Status::InvalidArgument(message, hint));
  };
  const auto file = InputFile::Open(path, &kNeverCancelled);
  if (!file) return refused(file.error());
  Result<std::string> text = ReadAll(**file, kMaxBytes);
  if (!text && text.error().code() == StatusCode::kLimitExceeded) {
    return Fail(Status::InvalidArgument(std::string(name) + " in " + (*file)->name() +
                                        " is longer than 1 MiB"));
  }
  if (!text) return refused(text.error());
  if (text->starts_with(kByteOrderMark)) text->erase(0, kByteOrderMark.size());
  return text;
}

Result<std::string> ReadText(const std::string& path, std::string_view name) {
  RECALL_ASSIGN(std::string text, ReadFileOrInput(path, name));
  texts_read.push_back({"@" + path, text});
  return text;
}

}  // namespace

std::span<const TextRead> TextsRead() { return texts_read; }

Result<std::string> ReadStandardInput(std::string_view name) { return ReadText("-", name); }

Result<std::string> ReadTextArgument(const std::string& argument, std::string_view name) {
  if (!argument.starts_with('@')) return argument;
  if (argument == "@") {
    return Fail(Status::InvalidArgument(std::string(name) + ": a file name is missing after '@'"));
  }
  return ReadText(argument.substr(1), name);
}

}  // namespace recall
