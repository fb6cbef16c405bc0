#pragma once

// Programs that get the terminal for a while: the editor and the pager, and the clipboard.

#include <functional>
#include <span>
#include <string>

#include "cli/show/browse/browser_options.h"
#include "cli/show/browse/marks.h"
#include "query/types/get_types.h"

namespace recall {

class OutsidePrograms final {
 public:
  // Both outlive the object.
  OutsidePrograms(TerminalScreen& screen, const BrowserOptions& options)
      : screen_(screen), options_(options) {}

  // Shows a document at a line: its file in the editor, else the text that `read` returns in the
  // pager. Errors: NotFound if neither can be run; IoError; those of `read`.
  Status Open(const std::string& path, uint32_t line,
              const std::function<Result<GetResponse>()>& read);
  // Opens the files of the marked documents in the editor, all at once. Returns: how many of the
  // documents have no file. Errors: NotFound if none has one, or there is no editor; IoError.
  Result<size_t> OpenAll(std::span<const MarkedPlace> marks);
  // Shows a line of a file in the editor, and waits for its end. Returns: its exit status. Errors:
  // NotFound if there is no editor; IoError.
  Result<int> Edit(const std::string& file, uint32_t line);
  // Puts a text into the clipboard of the terminal, and into the buffer of tmux within that.
  void Copy(const std::string& text);

 private:
  // The file of a document; "" if it has none of its own.
  std::string FileOf(const std::string& path) const;
  Result<int> RunEditor(const std::string& editor, const std::vector<std::string>& arguments);
  Result<int> Page(uint32_t line, const std::function<Result<GetResponse>()>& read);

  TerminalScreen& screen_;
  const BrowserOptions& options_;
};

}  // namespace recall
