// In place of terminal_screen.cc in a program that is built without ncursesw.

#include "cli/show/browse/terminal_screen.h"

namespace recall {

class TerminalScreen::Impl final {};

bool TerminalScreen::IsBuiltIn() { return false; }

Result<std::unique_ptr<TerminalScreen>> TerminalScreen::Open(const Options&) {
  return Fail(Status::Unsupported("this program was built without a terminal view"));
}

TerminalScreen::~TerminalScreen() = default;
WindowSize TerminalScreen::size() const { return {}; }
void TerminalScreen::Show(const Screen&) {}
std::optional<TerminalEvent> TerminalScreen::Wait(std::optional<int64_t>) { return Ended{}; }
void TerminalScreen::Wake() {}
void TerminalScreen::Copy(std::string_view) {}
void TerminalScreen::Leave() {}
void TerminalScreen::Enter() {}

}  // namespace recall
