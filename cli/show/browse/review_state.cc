#include "cli/show/browse/review_state.h"

#include <algorithm>
#include <utility>

#include "cli/show/output/review_text.h"

namespace recall {
namespace {

void Next(ReviewRound& round) {
  ++round.at;
  round.text.reset();
  round.view = {};
}

void SetError(ReviewRound& round, const Status& status) {
  round.error = status.message();
  round.hint = status.hint();
}

ReviewActions OnTyped(ReviewRound& round, const std::string& text) {
  if (text == "q") return {.leave = true};
  if (!round.document()) return {};
  if (text == "s") {
    ++round.skipped;
    Next(round);
  } else if (text == " " && !round.text) {
    return {.show = true};
  } else if (text.size() == 1 && text[0] >= '0' && text[0] <= '5') {
    if (round.text) return {.rate = text[0] - '0'};
    round.error = "try to remember it, and compare";
    round.hint = "Enter shows the text";
  }
  return {};
}

}  // namespace

ReviewActions OnReviewKey(ReviewRound& round, const KeyPress& press) {
  const auto page = static_cast<ptrdiff_t>(std::max<size_t>(round.view.rows, 2)) - 1;
  round.error.clear();
  round.hint.clear();
  switch (press.key) {
    case Key::kEscape:
      return {.leave = true};
    case Key::kEnter:
      return {.show = round.document() && !round.text};
    case Key::kUp:
    case Key::kPreviewUp:
    case Key::kPreviousHit:
      --round.view.preview_offset;
      return {};
    case Key::kDown:
    case Key::kPreviewDown:
    case Key::kNextHit:
      ++round.view.preview_offset;
      return {};
    case Key::kPageUp:
      round.view.preview_offset -= page;
      return {};
    case Key::kPageDown:
      round.view.preview_offset += page;
      return {};
    case Key::kText:
      return OnTyped(round, press.text);
    default:
      return {};
  }
}

void OnReviewText(ReviewRound& round, Result<GetResponse> text) {
  if (!text) return SetError(round, text.error());
  round.text = std::make_shared<const GetResponse>(*std::move(text));
}

void OnReviewed(ReviewRound& round, const Result<ReviewReport>& report) {
  if (!report) return SetError(round, report.error());
  round.said = ReviewedText(*report);
  ++round.rated;
  Next(round);
}

}  // namespace recall
