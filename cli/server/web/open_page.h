#pragma once

// Opens the page in the user's browser.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "storage/base/result.h"

namespace recall {

// The address of the page, with the token in the fragment, which browsers send to nobody.
std::string PageUrl(uint16_t port, std::string_view token);

// The command lines that may show `target`, the best first: those of the variable BROWSER, as
// `browser` (several, separated by colons; %s stands for the target), then xdg-open.
std::vector<std::vector<std::string>> BrowserCommands(const std::string& browser,
                                                      const std::string& target);

// A browser that was asked to show a page. It lives on when the object is destroyed.
class OpenedPage final {
 public:
  // Starts the browser. It gets the name of a file that only this user can read and that leads to
  // `url`, because any user of the machine can read the arguments of a program, and `url` may hold
  // a token. The file is removed with the object. `failed` is called once, on another thread, if
  // the program that was started ends with an error. Errors: NotFound if no program could be
  // started, IoError.
  static Result<std::unique_ptr<OpenedPage>> Open(const std::string& url,
                                                  std::function<void(const std::string&)> failed);
  // Afterwards `failed` is not called any more.
  ~OpenedPage();
  OpenedPage(const OpenedPage&) = delete;
  OpenedPage& operator=(const OpenedPage&) = delete;

 private:
  class Impl;
  explicit OpenedPage(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace recall
