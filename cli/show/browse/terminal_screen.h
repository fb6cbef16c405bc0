#pragma once

// The terminal while `recall browse` has it: the only source with curses.

#include <memory>
#include <optional>
#include <string_view>
#include <variant>

#include "cli/show/browse/browse_screen.h"
#include "cli/show/browse/browse_state.h"
#include "storage/base/result.h"

namespace recall {

// The window has another size, was given back to us, or Wake was called.
struct Woken {};
// A signal that ends the program arrived, or the terminal is gone.
struct Ended {};
using TerminalEvent = std::variant<KeyPress, Woken, Ended>;

// Takes the terminal over: its modes, its alternate screen, and the signals SIGINT, SIGTERM,
// SIGHUP, SIGQUIT, SIGTSTP, SIGCONT and SIGWINCH. It is as before after the object is gone, while
// the process is stopped, while RunOutside runs, and after a crash. Only one may exist at a time.
class TerminalScreen final {
 public:
  struct Options {
    int input = 0;  // descriptors of terminals
    int output = 1;
    bool color = true;
  };
  // False if the program was built without ncursesw; then Open fails.
  static bool IsBuiltIn();
  // Errors: IoError if the terminal cannot show screens (TERM); Unsupported.
  static Result<std::unique_ptr<TerminalScreen>> Open(const Options& options);
  ~TerminalScreen();
  TerminalScreen(const TerminalScreen&) = delete;
  TerminalScreen& operator=(const TerminalScreen&) = delete;

  WindowSize size() const;
  void Show(const Screen& screen);
  // Waits for the next event, at most so long; without a limit if `micros` is unset. Stops the
  // process on Ctrl-Z. Returns: nothing if nothing happened.
  std::optional<TerminalEvent> Wait(std::optional<int64_t> micros);
  // Ends a Wait of another thread, or the next one. Thread-safe.
  void Wake();
  // Asks the terminal to put a text into the clipboard. Many do, and none says whether it did.
  void Copy(std::string_view text);
  // Gives the terminal back, runs `program`, and takes it again.
  template <typename Program>
  auto RunOutside(Program program) {
    Leave();
    auto result = program();
    Enter();
    return result;
  }

 private:
  class Impl;
  explicit TerminalScreen(std::unique_ptr<Impl> impl);
  void Leave();
  void Enter();
  std::unique_ptr<Impl> impl_;
};

}  // namespace recall
