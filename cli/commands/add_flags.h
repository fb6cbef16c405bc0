#pragma once

#include <optional>
#include <string>

#include "cli/options/flags/flags.h"
#include "cli/options/settings/config.h"
#include "query/types/add_types.h"

namespace recall {

// The flags of `add` and `watch` about files and their documents.
class AddFlags final {
 public:
  // Which files, and what their documents are called and tagged.
  void DeclareDocuments(FlagSet& flags, AddRequest* request);
  // What is left out, and limits.
  void DeclareFiles(FlagSet& flags, AddRequest* request);
  // Completes the request. Call it after the flags are parsed.
  // `program`: as CommandContext::program.
  void Apply(const Config& config, const std::string& program, AddRequest* request) const;

  bool no_ignore_files() const { return no_ignore_files_; }
  bool no_extract() const { return no_extract_; }

 private:
  std::string parser_ = "auto";
  bool no_ignore_files_ = false;
  bool no_extract_ = false;
  std::string html_ = "main";
  std::optional<std::string> password_file_;
};

// Declares the flag for credentials in texts.
void DeclareSecrets(FlagSet& flags);

// Returns: what the value of --secrets means.
SecretPolicy PolicyFromName(std::string_view name);

}  // namespace recall
