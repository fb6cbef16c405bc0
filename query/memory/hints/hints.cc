// Says unasked what a store knows, while an assistant works.
//
// Each occasion has sources of its own (hint_sources.h), which offer hints to a packer until the
// budget is used up. What the session knows already is not offered again. That is read from what it
// was told so far, so nothing has to be stored.

#include "query/memory/hints/hints.h"

#include "index/source/transcript/hint_trail.h"
#include "query/memory/hints/asked_words.h"
#include "query/memory/hints/hint_sources.h"

namespace recall {
namespace {

constexpr size_t kFewestSubjectWords = 2;

// Kinds of notes that tell what went wrong before.
constexpr char kLearntFromFailure[] = "doc.type IN ('bug', 'lesson', 'pitfall')";

std::string HeadOf(HintOccasion occasion) {
  std::string_view what;
  switch (occasion) {
    case HintOccasion::kBegin:
      what = "Recall: notes of this project and its last sessions.";
      break;
    case HintOccasion::kPrompt:
      what = "Recall: notes and passages that may bear on this prompt.";
      break;
    case HintOccasion::kEdit:
      what = "Recall: what is known of this file.";
      break;
    case HintOccasion::kFailure:
      what = "Recall: what was learnt of such a failure before.";
      break;
  }
  return std::string(what) + " " + std::string(kHintNotice);
}

HintQuestion AskedOn(const HintRequest& request) {
  const std::string tellable = kTellableNote;
  if (request.occasion == HintOccasion::kFailure) {
    return {ErrorLinesOf(request.text), "(" + tellable + " AND " + kLearntFromFailure +
                                            ") OR (doc.kind = 'session' AND chunk.role = "
                                            "'assistant')"};
  }
  return {SearchedPart(request.text), "doc.kind != 'note' OR " + tellable};
}

Result<std::string> OfferOn(const HintTools& tools, const HintRequest& request, HintPacker& packer,
                            HintResponse& response) {
  if (request.occasion == HintOccasion::kBegin) return OfferBeginning(tools, request, packer);
  if (request.occasion == HintOccasion::kEdit) return OfferNotesOfFile(tools, request, packer);
  if (request.occasion == HintOccasion::kPrompt && IsCommandOfAssistant(request.text)) {
    return "the prompt is a command of the assistant";
  }
  const HintQuestion question = AskedOn(request);
  if (CountSubjectWords(question.text) < kFewestSubjectWords) {
    return "fewer than two words say what it is about";
  }
  return OfferAnswers(tools, request, question, packer, response);
}

}  // namespace

Result<HintResponse> RunHints(const HintTools& tools, const HintRequest& request) {
  HintResponse response;
  if (request.budget_tokens < 1) {
    return Fail(Status::InvalidArgument("the token budget must be at least 1",
                                        "set --budget-tokens to a positive number"));
  }
  if (tools.snapshot.counts().docs == 0) {
    response.silence = "the store is empty";
    return response;
  }
  RECALL_ASSIGN(HintPacker packer,
                HintPacker::Make(HeadOf(request.occasion), request.budget_tokens));
  packer.LeaveOutCited(request.told);
  RECALL_ASSIGN(response.silence, OfferOn(tools, request, packer, response));
  response.text = packer.Text();
  response.used_tokens = packer.used_tokens();
  for (const Hint& hint : packer.hints()) {
    if (!hint.path.empty()) response.paths.push_back(hint.path);
  }
  return response;
}

}  // namespace recall
