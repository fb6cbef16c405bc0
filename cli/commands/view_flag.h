#pragma once

#include <optional>
#include <string>

#include "cli/flags/flags.h"
#include "cli/settings/config.h"
#include "query/types/search_types.h"
#include "storage/base/result.h"

namespace recall {

// What a question is asked with, once its view is known.
struct AskedView {
  const View* view = nullptr;  // null without --view; one of the views of the settings
  Config config;               // the settings, with the values of the view
  Scope scope;                 // with the filter of the view
};

// The option --view NAME.
class ViewFlag final {
 public:
  void Declare(FlagSet& flags);
  bool given() const { return name_.has_value(); }
  // Applies the view: its filter and that of `scope` must both hold, and its other values stand in
  // place of settings that no flag made. `config` must outlive the result. Errors: InvalidArgument
  // for an unknown view, with the names of all, and for a filter, a fusion or stages of a view that
  // are not valid, with its origin.
  Result<AskedView> Ask(const Config& config, Scope scope) const;

 private:
  std::optional<std::string> name_;
};

}  // namespace recall
