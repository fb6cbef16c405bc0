// Suggests what could be done with the notes of a store, and does it if it is accepted.
//
// Suggestions are not stored: they follow from the notes, their links, uses and reviews at a time,
// so they vanish when what they say is done. Stored is only what was rejected, by the id of the
// suggestion, which follows from its kind, its cause and what it is about.
//
// Invariant: same store, same request, same time, same suggestions.

#include "query/memory/suggest/suggest.h"

#include "query/memory/notes/links.h"
#include "query/memory/notes/save.h"

namespace recall {

Result<SuggestReport> RunSuggest(const SuggestTools& tools, const SuggestRequest& request,
                                 const std::set<std::string>& rejected) {
  SuggestReport report;
  RECALL_ASSIGN(const SuggestableNotes all,
                ReadSuggestableNotes(tools.snapshot, request.scope, tools.commit_token, &report));
  SuggestionList list(request, rejected, &report);
  const UnixNanos as_of = *report.as_of;
  Contradictions contradictions;
  if (list.Wants(SuggestionKind::kRetire) || list.Wants(SuggestionKind::kLink)) {
    contradictions = FindContradictions(all);
  }
  if (list.Wants(SuggestionKind::kRetire)) OfferRetirements(all, contradictions, as_of, list);
  if (list.Wants(SuggestionKind::kPattern)) OfferPatterns(all, list);
  if (list.Wants(SuggestionKind::kLink)) {
    RECALL_TRY(OfferLinks(tools, all, contradictions, list));
  }
  if (list.Wants(SuggestionKind::kReview)) OfferReviews(all, as_of, list);
  return report;
}

Result<bool> CarryOut(const NoteDependencies& deps, const Suggestion& suggestion,
                      const SettleRequest& request) {
  if (suggestion.kind == SuggestionKind::kLink) {
    LinkRequest link;
    link.source = suggestion.notes.at(0).path;
    link.target = suggestion.notes.at(1).path;
    link.reason = suggestion.reason;
    link.at = request.at;
    link.dry_run = request.dry_run;
    RECALL_ASSIGN(const LinkReport report, RunLink(deps, link));
    return !report.links.empty();
  }
  if (suggestion.kind == SuggestionKind::kRetire) {
    RetireRequest retire;
    retire.target = suggestion.notes.at(0).path;
    if (suggestion.notes.size() > 1) retire.by = suggestion.notes[1].path;
    retire.at = request.at;
    retire.dry_run = request.dry_run;
    RECALL_ASSIGN(const RetireReport report, RunRetire(deps, retire));
    return !report.unchanged;
  }
  return false;
}

}  // namespace recall
