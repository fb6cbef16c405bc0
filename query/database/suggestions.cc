// Suggestions: what is remembered of them, and what is done when one is accepted.
//
// A suggestion is found again by its id before it is settled, so that nothing is done that no
// longer follows from the store.

#include "query/database/database_state.h"
#include "query/memory/suggest/suggest.h"
#include "storage/tables/rejected_suggestions.h"

namespace recall {

Result<SuggestReport> DatabaseState::Suggest(const SuggestRequest& request) {
  std::set<std::string> rejected;
  {
    RECALL_ASSIGN(const auto transaction, store_->BeginRead());
    RECALL_ASSIGN(rejected, ReadRejectedSuggestions(transaction->connection()));
  }
  return Ask("", [&](const Moment& now) {
    return RunSuggest({now.snapshot, now.deps, now.token, root_}, request, rejected);
  });
}

Result<SettleReport> DatabaseState::Settle(const SettleRequest& request) {
  SuggestRequest wanted;
  wanted.scope = request.scope;
  if (!wanted.scope.as_of) wanted.scope.as_of = request.at;
  wanted.id = request.id;
  RECALL_ASSIGN(SuggestReport found, Suggest(wanted));
  if (request.id.empty() || found.suggestions.empty()) {
    return Fail(Status::NotFound("there is no suggestion '" + request.id + "'",
                                 "`recall suggest` lists what there is now"));
  }
  SettleReport report{.suggestion = std::move(found.suggestions.front()),
                      .accepted = request.accept};
  if (request.accept) {
    const auto carry_out = [&](const NoteDependencies& deps) {
      return CarryOut(deps, report.suggestion, request);
    };
    // A link needs no vectors; a note that is retired gets a new version.
    const bool is_link = report.suggestion.kind == SuggestionKind::kLink;
    RECALL_ASSIGN(report.done,
                  is_link ? carry_out(LinkDependencies()) : WriteNotes<bool>(carry_out));
  }
  // What is accepted is no longer rejected.
  const bool is_news = request.accept == report.suggestion.rejected;
  if (!request.accept) report.done = is_news;
  if (!is_news || request.dry_run) return report;
  RECALL_ASSIGN(const auto transaction, store_->BeginWrite());
  if (request.accept) {
    RECALL_TRY(DeleteRejectedSuggestion(transaction->connection(), request.id));
  } else {
    RECALL_TRY(WriteRejectedSuggestion(transaction->connection(), request.id,
                                       request.at.value_or(WallClockNanos())));
  }
  RECALL_TRY(transaction->Commit());
  return report;
}

}  // namespace recall
