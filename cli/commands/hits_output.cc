#include "cli/commands/hits_output.h"

#include <utility>

#include "cli/commands/result_flags.h"
#include "cli/commands/source_flags.h"
#include "cli/show/output/text_output.h"

namespace recall {
namespace {

void RemarkOn(const CommandContext& context, const SearchResponse& found) {
  if (found.hits.empty()) {
    context.Remark(found.store.chunks == 0 ? "the store is empty; add documents with `recall add`"
                                           : "no results");
  } else if (found.next_offset) {
    context.Remark(std::to_string(found.hits.size()) + " of " + std::to_string(found.total_hits) +
                   (found.total_hits_is_lower_bound ? " or more" : "") + " results; --offset " +
                   std::to_string(*found.next_offset) + " shows more");
  }
}

}  // namespace

Status SendHits(CommandContext& context, const Question& question, const SearchResponse& found,
                const HitsForm& form, int64_t micros, std::string_view own_key, JsonFields own) {
  const ResultForm wanted = context.lean() ? ResultForm::kLean : ResultForm::kFull;
  const LeanForm lean = context.lean() ? LeanForm::kLine : LeanForm::kResult;
  const Bands bands = BandsOf(question.view);
  const JsonItems results = {found.hits.size(), [&](size_t place, JsonWriter& json) {
                               const SearchHit& hit = found.hits[place];
                               if (form.payload == Payload::kLean)
                                 return WriteLeanHit(hit, bands, lean, json);
                               if (form.fields) {
                                 form.fields->Write(ViewOf(hit), wanted, json);
                                 if (hit.reply && !form.named)
                                   WriteLeanReply(*hit.reply, lean, json);
                                 return;
                               }
                               form.payload == Payload::kFull ? WriteFullHit(hit, bands, json)
                                                              : WriteFields(hit, json);
                             }};
  if (context.lean()) {
    SendLean(context, results, found.warnings,
             [&](JsonWriter& json) { WriteLeanTotals(found, json); });
    return {};
  }
  RECALL_ASSIGN(JsonResponse response, BeginAnswer(context, question, found, form.explain, micros));
  response.results = results;
  if (found.related && form.payload == Payload::kLean) {
    response.related = {found.related->size(), [&](size_t place, JsonWriter& json) {
                          const RelatedDoc& related = (*found.related)[place];
                          WriteRelated(
                              related,
                              [&](JsonWriter& object) { WriteLeanDoc(related.doc, object); }, json);
                        }};
  }
  response.own_key = own_key;
  response.own = std::move(own);
  context.Send(std::move(response));
  return {};
}

Status PrintHits(CommandContext& context, const Question& question, const SearchResponse& found,
                 const HitsForm& form) {
  context.PrintWarnings(found.warnings);
  if (form.fields && form.payload != Payload::kLean) {
    context.PrintWarnings(WarningsOfStale(found.hits));
  }
  const Bands bands = BandsOf(question.view);
  const double calibration = found.explain ? found.explain->calibration : 1;
  bool first = true;
  for (const SearchHit& hit : found.hits) {
    if (form.fzf) {
      context.out->Write(FormatFzfLine(hit));
      continue;
    }
    if (form.fields && form.payload != Payload::kLean) {
      const std::string row = form.fields->Row(ViewOf(hit));
      context.out->Write(context.out_style.escape ? EscapeControls(row) : row);
      continue;
    }
    const std::string block = form.payload == Payload::kLean
                                  ? FormatLeanHit(hit, bands, context.out_style, calibration)
                                  : FormatHit(hit, context.out_style, calibration);
    const std::string below =
        FormatReply(hit, context.out_style) + FormatToolUses(hit, context.out_style);
    context.out->Write((first ? "" : "\n") + block + below);
    first = false;
  }
  if (found.related && !form.fields && !form.fzf) {
    if (!first && !found.related->empty()) context.out->Write("\n");
    for (const RelatedDoc& related : *found.related) {
      context.out->Write(FormatRelated(related, context.out_style));
      first = false;
    }
  }
  if (form.explain) {
    RECALL_ASSIGN(const std::string lines, ExplainText(context, question, found));
    context.out->Write((first ? "" : "\n") + lines);
  }
  RemarkOn(context, found);
  return {};
}

}  // namespace recall
