#pragma once

#include <optional>
#include <string>
#include <utility>

#include "cli/options/flags/flags.h"
#include "cli/options/settings/config.h"
#include "storage/base/result.h"

namespace recall {

// What a question is asked with, once its view is known.
struct AskedView {
  const View* view = nullptr;  // null without --view; one of the views of the settings
  Config config;               // the settings, with the values of the view
  Scope scope;                 // with the filter of the view
};

// Applies a view, none if there is no name: its filter and that of `scope` must both hold, and its
// other values stand in place of settings that no flag made. `config` must outlive the result.
// Errors: InvalidArgument for an unknown view, with the names of all, and for a filter, a fusion or
// stages of a view that are not valid, with its origin.
Result<AskedView> AskWithView(const Config& config, const std::optional<std::string>& name,
                              Scope scope);

// The option --view NAME.
class ViewFlag final {
 public:
  void Declare(FlagSet& flags);
  bool given() const { return name_.has_value(); }
  const std::optional<std::string>& name() const { return name_; }
  // As AskWithView.
  Result<AskedView> Ask(const Config& config, Scope scope) const {
    return AskWithView(config, name_, std::move(scope));
  }

 private:
  std::optional<std::string> name_;
};

}  // namespace recall
