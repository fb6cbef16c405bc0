#pragma once

#include <optional>
#include <string>

#include "cli/flags/flags.h"
#include "query/types/search_types.h"
#include "storage/base/result.h"

namespace recall {

// The flags that say which documents a command is about. A command declares those it has.
class ScopeFlags final {
 public:
  void DeclareFilter(FlagSet& flags);    // --filter EXPR|@FILE
  void DeclareSnapshot(FlagSet& flags);  // --snapshot TIME|TOKEN
  void DeclareAsOf(FlagSet& flags);      // --as-of TIME

  // Reads the filter's file and the times. To be called once, before the rest.
  // Errors: InvalidArgument for a file that cannot be read, for empty values, for a time that is
  // none. What the filter says is checked where it is used.
  Status Read();

  bool has_filter() const { return filter_.has_value(); }
  const Scope& scope() const { return scope_; }

 private:
  std::optional<std::string> filter_;
  std::optional<std::string> snapshot_;
  std::optional<std::string> as_of_;
  Scope scope_;
};

}  // namespace recall
