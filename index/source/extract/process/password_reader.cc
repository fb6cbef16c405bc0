#include "index/source/extract/process/password_reader.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>

#include "index/base/program/child_program.h"

namespace recall {
namespace {

constexpr size_t kMostPasswordBytes = size_t{1} << 20;
constexpr size_t kMostPasswords = 1000;
constexpr std::chrono::seconds kPasswordTimeout(60);  // a person may have to unlock something

Result<std::vector<std::string>> CheckedPasswords(const std::string& text,
                                                  const std::string& origin) {
  std::vector<std::string> passwords = PasswordLines(text);
  if (text.size() > kMostPasswordBytes || passwords.size() > kMostPasswords) {
    return Fail(Status::InvalidArgument(origin + " has more than 1,000 lines or 1 MiB",
                                        "it must have one password a line"));
  }
  if (passwords.empty()) {
    return Fail(
        Status::InvalidArgument(origin + " has no password", "it must have one password a line"));
  }
  return passwords;
}

Result<std::vector<std::string>> PasswordsOfProgram(const std::vector<std::string>& command) {
  using Event = ChildProgram::Event;
  RECALL_ASSIGN(const auto program, ChildProgram::Start(command));
  program->CloseInput();
  std::string_view input;
  std::string output;
  for (;;) {
    RECALL_ASSIGN(const Event event, program->Exchange(&input, &output, kPasswordTimeout));
    if (event == Event::kTimeout || output.size() > kMostPasswordBytes) {
      program->Kill();
      return Fail(Status::IoError("the command of the passwords took longer than 60 s"));
    }
    if (event == Event::kEnded) break;
  }
  if (!program->Succeeded()) return Fail(Status::IoError("the command of the passwords failed"));
  return CheckedPasswords(output, "the output of the command of the passwords");
}

}  // namespace

Result<std::vector<std::string>> ReadPasswordFile(const std::string& path) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rbe"),
                                                             &std::fclose);
  if (file == nullptr) {
    const int error = errno;
    const std::string what = "cannot read the passwords of " + path + ": " + SystemErrorText(error);
    return Fail(error == ENOENT ? Status::NotFound(what) : Status::IoError(what));
  }
  std::string text(kMostPasswordBytes + 1, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file.get()));
  if (std::ferror(file.get()) != 0) {
    return Fail(Status::IoError("cannot read the passwords of " + path));
  }
  return CheckedPasswords(text, path);
}

Result<std::vector<std::string>> ReadPasswords(const PasswordSource& source) {
  std::vector<std::string> passwords = source.given;
  if (!source.file.empty()) {
    RECALL_ASSIGN(const auto more, ReadPasswordFile(source.file));
    passwords.insert(passwords.end(), more.begin(), more.end());
  }
  if (!source.command.empty()) {
    RECALL_ASSIGN(const auto more, PasswordsOfProgram(source.command));
    passwords.insert(passwords.end(), more.begin(), more.end());
  }
  return passwords;
}

}  // namespace recall
