#include "cli/commands/view_flag.h"

#include <utility>

#include "query/ask/stages/stage_list.h"
#include "query/rql/rql.h"

namespace recall {
namespace {

// The error of a value of a view: it must name the view, because the user has not typed the value.
Status ErrorIn(const View& view, std::string_view key, const Status& error) {
  return Status::InvalidArgument(view.origin + ": view." + view.name + ": " + std::string(key) +
                                     ": " + std::string(error.message()),
                                 std::string(error.hint()));
}

// Returns: the filter that is satisfied if both are. `given` may be empty.
Result<std::string> BothFilters(const View& view, const std::string& given) {
  const Result<FilterExpr> own = ParseFilter(*view.filter);
  if (!own) return Fail(ErrorIn(view, "filter", own.error()));
  if (given.empty()) return *view.filter;
  // An error in the filter of the user has its position in what was typed.
  RECALL_ASSIGN(const FilterExpr typed, ParseFilter(given));
  return "(" + PrintFilter(*own) + ") AND (" + PrintFilter(typed) + ")";
}

}  // namespace

void ViewFlag::Declare(FlagSet& flags) {
  flags.Text("--view", &name_, "NAME",
             "filter, ranking, payload: `memory`, `entries`, `sessions` or your own");
  flags.Suggest({"entries", "memory", "sessions"});
}

Result<AskedView> AskWithView(const Config& config, const std::optional<std::string>& name,
                              Scope scope) {
  AskedView asked{nullptr, config, std::move(scope)};
  if (!name) return asked;
  RECALL_ASSIGN(asked.view, FindView(config, *name));
  const View& view = *asked.view;
  RECALL_ASSIGN(asked.config, WithView(config, view));
  if (asked.config.stages != config.stages) {
    const Result<StageList> stages = StageList::Parse(asked.config.stages);
    if (!stages) return Fail(ErrorIn(view, "stages", stages.error()));
  }
  if (view.filter) {
    RECALL_ASSIGN(asked.scope.filter, BothFilters(view, asked.scope.filter));
  }
  return asked;
}

}  // namespace recall
