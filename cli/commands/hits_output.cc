#include "cli/commands/hits_output.h"

#include <utility>

#include "cli/output/text_output.h"

namespace recall {
namespace {

void RemarkOn(const Session& session, const SearchResponse& found) {
  if (found.hits.empty()) {
    session.Remark(found.store.chunks == 0 ? "the store is empty; add documents with `recall add`"
                                           : "no results");
  } else if (found.next_offset) {
    session.Remark(std::to_string(found.hits.size()) + " of " + std::to_string(found.total_hits) +
                   (found.total_hits_is_lower_bound ? " or more" : "") + " results; --offset " +
                   std::to_string(*found.next_offset) + " shows more");
  }
}

}  // namespace

Status SendHits(Session& session, const Question& question, const SearchResponse& found,
                bool explain, int64_t micros, std::string_view own_key, JsonFields own) {
  RECALL_ASSIGN(JsonResponse response, BeginAnswer(session, question, found, explain, micros));
  response.results = {found.hits.size(),
                      [&](size_t hit, JsonWriter& json) { WriteFields(found.hits[hit], json); }};
  response.own_key = own_key;
  response.own = std::move(own);
  session.Send(std::move(response));
  return {};
}

Status PrintHits(Session& session, const Question& question, const SearchResponse& found,
                 bool explain) {
  session.PrintWarnings(found.warnings);
  const double calibration = found.explain ? found.explain->calibration : 1;
  bool first = true;
  for (const SearchHit& hit : found.hits) {
    session.out->Write((first ? "" : "\n") + FormatHit(hit, session.out_style, calibration));
    first = false;
  }
  if (explain) {
    RECALL_ASSIGN(const std::string lines, ExplainText(session, question, found));
    session.out->Write((first ? "" : "\n") + lines);
  }
  RemarkOn(session, found);
  return {};
}

}  // namespace recall
