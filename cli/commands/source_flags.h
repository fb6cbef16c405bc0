#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/options/flags/flags.h"
#include "cli/run/command/command.h"
#include "cli/run/command/command_context.h"
#include "query/types/row_views.h"

namespace recall {

// The flags for the comparison of what is shown with its source, which search, similar, context,
// query and get share: --no-check and --fresh.
class SourceFlags final {
 public:
  void Declare(FlagSet& flags);
  // Errors: InvalidArgument for flags that exclude each other. `snapshot`: that of the command.
  Status Check(std::string_view snapshot) const;
  // What the command needs of the store.
  StoreAccess access() const { return fresh_ ? StoreAccess::kWrite : StoreAccess::kRead; }
  // What requests ask for: the setting `check_sources`, unless a flag says otherwise.
  SourceCheck CheckFor(const CommandContext& context) const;

  // With --fresh: brings the store up to date with the files of its documents. Call it before the
  // question is asked.
  Status Refresh(CommandContext& context) const;

 private:
  bool no_check_ = false;
  bool fresh_ = false;
};

// Warns of documents whose sources have changed or are gone, for forms of results that have no
// place for a mark: "the file of docs/a.md has changed since it was added". Names three documents
// of each state.
class StaleSources final {
 public:
  void Add(const DocView& doc);
  std::vector<std::string> Warnings() const;

 private:
  std::vector<std::string> changed_;
  std::vector<std::string> deleted_;
};

// The same for rows that have a `doc`.
template <typename Rows>
std::vector<std::string> WarningsOfStale(const Rows& rows) {
  StaleSources stale;
  for (const auto& row : rows) stale.Add(row.doc);
  return stale.Warnings();
}

}  // namespace recall
