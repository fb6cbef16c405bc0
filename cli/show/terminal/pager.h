#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <string_view>

namespace recall {

// A pager that shows what is written to standard output, and to standard error if this is a
// terminal, too. Ctrl-C is its own business while it runs.
class Pager final {
 public:
  // The command of the user's pager, from RECALL_PAGER or PAGER, by default `less`; "" if none is
  // wanted (an empty value, `cat`) or the terminal cannot show one (TERM).
  static std::string Command();

  // Starts it by `sh -c`. Returns: null if it cannot be started.
  static std::unique_ptr<Pager> Start(const std::string& command);
  // Ends the output and waits until the user leaves the pager.
  ~Pager();
  Pager(const Pager&) = delete;
  Pager& operator=(const Pager&) = delete;

 private:
  Pager() = default;

  pid_t child_ = -1;
  int saved_out_ = -1;
  int saved_error_ = -1;  // -1: standard error is not redirected
};

// Returns: the number of rows that a text takes in a window with `columns`. Escape sequences take
// no room.
size_t RowsOf(std::string_view text, size_t columns);

}  // namespace recall
