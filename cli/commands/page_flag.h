#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "cli/options/flags/flags.h"
#include "storage/base/result.h"
#include "storage/file_io/output_file.h"

namespace recall {

// The option --html FILE: also write the answer as a page, whole or not at all.
class PageFlag final {
 public:
  void Declare(FlagSet& flags);
  // Errors: InvalidArgument for an empty name.
  Status Check() const;
  // Begins the file, so that a measurement does not end with a file that cannot be written. Does
  // nothing without the option. Errors: those of OutputFile. `cancel` must outlive the object.
  Status Begin(const std::atomic<bool>* cancel);
  // Writes what `page()` returns and gives the file its name. Errors: those of OutputFile.
  Status Finish(const std::function<std::string()>& page);

 private:
  std::optional<std::string> path_;
  std::unique_ptr<OutputFile> file_;
};

}  // namespace recall
