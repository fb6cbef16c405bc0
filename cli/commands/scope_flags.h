#pragma once

#include <optional>
#include <string>

#include "cli/options/flags/flags.h"
#include "query/rql/time_text.h"
#include "query/types/document_scope.h"
#include "storage/base/result.h"

namespace recall {

// Reads a time as filters do; a length without a sign, as in "7d", is counted in this direction.
// `flag` is used in errors.
Result<UnixNanos> ReadTimeFlag(const std::string& text, std::string_view flag,
                               TimeDirection direction = TimeDirection::kPast);

// The flags that select the documents of a command. A command declares the flags that it supports.
class ScopeFlags final {
 public:
  void DeclareFilter(FlagSet& flags);    // --filter EXPR|@FILE
  void DeclareSnapshot(FlagSet& flags);  // --snapshot TIME|TOKEN
  void DeclareAsOf(FlagSet& flags);      // --as-of TIME

  // Reads the file of the filter and the times. Call it once, before the other functions.
  // Errors: InvalidArgument for an unreadable file, an empty value or an invalid time. The filter
  // itself is parsed where it is used.
  Status Read();

  bool has_filter() const { return filter_.has_value(); }
  const Scope& scope() const { return scope_; }

 private:
  bool literal_ = false;
  std::optional<std::string> filter_;
  std::optional<std::string> snapshot_;
  std::optional<std::string> as_of_;
  Scope scope_;
};

}  // namespace recall
