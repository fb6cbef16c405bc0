#include "cli/show/browse/outside_programs.h"

#include <fcntl.h>

#include <cstdlib>
#include <filesystem>
#include <utility>

#include "cli/show/browse/editor.h"
#include "cli/show/terminal/pager.h"
#include "storage/file_io/file_descriptor.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

Status NoEditor() { return Status::NotFound("there is no editor", "set VISUAL or EDITOR to one"); }

// What the exit status of a command of the shell says of the program.
Status CheckRan(int exit, const std::string& command) {
  if (exit != 126 && exit != 127) return {};
  return Status::NotFound("cannot run '" + command + "'", "set VISUAL or EDITOR to an editor");
}

}  // namespace

std::string OutsidePrograms::FileOf(const std::string& path) const {
  const fs::path file = fs::path(options_.store_directory) / path;
  std::error_code error;
  return fs::is_regular_file(file, error) ? file.string() : "";
}

Status OutsidePrograms::Open(const std::string& path, uint32_t line,
                             const std::function<Result<GetResponse>()>& read) {
  const std::string editor = EditorCommand();
  const std::string file = FileOf(path);
  if (editor.empty() || file.empty()) {
    RECALL_ASSIGN(const int ended, Page(line, read));
    return CheckRan(ended, Pager::Command());
  }
  RECALL_ASSIGN(const int ended, RunEditor(editor, EditorArguments(editor, file, line)));
  return CheckRan(ended, editor);
}

Result<size_t> OutsidePrograms::OpenAll(std::span<const MarkedPlace> marks) {
  const std::string editor = EditorCommand();
  if (editor.empty()) return Fail(NoEditor());
  std::vector<FilePlace> places;
  for (const MarkedPlace& mark : marks) {
    if (const std::string file = FileOf(mark.path); !file.empty()) {
      places.push_back({file, mark.line});
    }
  }
  if (places.empty()) {
    return Fail(Status::NotFound("none of the marked documents is a file in its place",
                                 "without marks, Enter shows the text of one"));
  }
  RECALL_ASSIGN(const int ended, RunEditor(editor, EditorArguments(editor, places)));
  RECALL_TRY(CheckRan(ended, editor));
  return marks.size() - places.size();
}

Result<int> OutsidePrograms::Edit(const std::string& file, uint32_t line) {
  const std::string editor = EditorCommand();
  if (editor.empty()) return Fail(NoEditor());
  RECALL_ASSIGN(const int ended, RunEditor(editor, WaitingEditorArguments(editor, file, line)));
  RECALL_TRY(CheckRan(ended, editor));
  return ended;
}

void OutsidePrograms::Copy(const std::string& text) {
  screen_.Copy(text);
  const char* const tmux = std::getenv("TMUX");
  if (tmux == nullptr || *tmux == '\0') return;
  // By default tmux does not pass the sequence on.
  const Result<int> input = TextDescriptor(text);
  const FileDescriptor nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
  if (!input || nothing.get() < 0) return;
  const FileDescriptor owned(*input);
  (void)RunOnTerminal("tmux load-buffer -w -", {}, owned.get(), nothing.get());
}

Result<int> OutsidePrograms::RunEditor(const std::string& editor,
                                       const std::vector<std::string>& arguments) {
  return screen_.RunOutside([&] {
    return RunOnTerminal(editor, arguments, options_.terminal.input, options_.terminal.output);
  });
}

// Shows the text that the store has of the document.
Result<int> OutsidePrograms::Page(uint32_t line, const std::function<Result<GetResponse>()>& read) {
  const std::string pager = Pager::Command();
  if (pager.empty()) {
    return Fail(Status::NotFound("there is neither an editor nor a pager to show the document",
                                 "set VISUAL or EDITOR, or install less"));
  }
  RECALL_ASSIGN(const GetResponse found, read());
  RECALL_ASSIGN(const int descriptor, TextDescriptor(EscapeControls(found.chunk.text)));
  const FileDescriptor text(descriptor);
  // Pager::Start makes less quit if one screen is enough; here the screen would vanish at once.
  const std::string command = "LESS=R " + pager;
  return screen_.RunOutside([&] {
    return RunOnTerminal(command, PagerArguments(pager, line), text.get(),
                         options_.terminal.output);
  });
}

}  // namespace recall
