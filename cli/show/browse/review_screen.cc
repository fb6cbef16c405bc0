#include "cli/show/browse/review_screen.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "cli/show/browse/document_rows.h"
#include "cli/show/output/note_json.h"
#include "cli/show/output/payload.h"
#include "cli/show/output/review_text.h"

namespace recall {
namespace {

constexpr size_t kAiryRows = 10;  // a lower window has no empty rows

std::string CountOf(size_t count, std::string_view what) {
  return std::to_string(count) + " " + std::string(what);
}

// The longest of some texts that fits.
std::string_view Fitting(std::initializer_list<std::string_view> texts, size_t columns) {
  for (const std::string_view text : texts) {
    if (DisplayColumns(text) <= columns) return text;
  }
  return *(texts.end() - 1);
}

std::string_view KeysOf(const ReviewRound& round, size_t columns) {
  if (!round.document()) return "q leave";
  if (!round.text) {
    return Fitting({"Enter show the text   s skip   q leave   F1 help",
                    "Enter show   s skip   q leave", "Enter  s  q"},
                   columns);
  }
  static const std::string whole = std::string(kRatingScale) + "   s skip   q leave   F1 help";
  return Fitting({whole, "0..5 rate   s skip   q leave", "0..5  s  q"}, columns);
}

// Which of how many, where it is, and since when it is due.
ScreenRow HeadOf(const ReviewRound& round, const TextStyle& style) {
  const DueDocument& document = *round.document();
  const CardSummary card = CardOf(document.doc);
  ScreenRow row = {
      {CountOf(round.at + 1, "of ") + std::to_string(round.due.size()) + "  ", Paint::kDim},
      {style.DocPathText(document.doc.path), Paint::kPath}};
  std::string about = card.type ? "  " + EscapeLine(*card.type) : "";
  if (document.due) about += "  due since " + DayOf(document.due);
  row.push_back({std::move(about), Paint::kDim});
  return row;
}

std::vector<ScreenRow> EndRows(const ReviewRound& round) {
  if (round.due.empty()) return {{{"Nothing is due.", Paint::kStrong}}};
  std::string counts = CountOf(round.rated, "reviewed");
  if (round.skipped > 0) counts += ", " + CountOf(round.skipped, "skipped");
  return {{{round.skipped == 0 ? "All is reviewed." : "That was all.", Paint::kStrong}},
          {{std::move(counts), Paint::kDim}}};
}

}  // namespace

Screen DrawReview(const ReviewRound& round, const WindowSize& size, const TextStyle& style) {
  Screen screen;
  screen.view = round.view;
  std::vector<ScreenRow>& rows = screen.rows;
  const bool airy = size.rows >= kAiryRows;
  const size_t body = size.rows > 0 ? size.rows - 1 : 0;
  if (const DueDocument* document = round.document()) {
    rows.push_back(HeadOf(round, style));
    if (airy) rows.emplace_back();
    const std::string title = TitleOf(document->doc);
    std::vector<ScreenRow> heading =
        WrapText(title.empty() ? style.DocPathText(document->doc.path) : title, size.columns,
                 Paint::kStrong);
    heading.resize(std::min<size_t>(heading.size(), airy ? 3 : 1));
    std::ranges::move(heading, std::back_inserter(rows));
    if (airy) rows.emplace_back();
    // The line about the last rating is above the keys.
    const size_t said = airy && !round.said.empty() ? 2 : 0;
    const size_t place = body > rows.size() + said ? body - rows.size() - said : 0;
    if (round.text) {
      screen.view.rows = place;
      std::ranges::move(
          MovedRows(DocumentRows(round.text->chunk.text, size.columns), 0, place, &screen.view),
          std::back_inserter(rows));
    } else if (airy) {
      rows.push_back({{"Do you remember it? Enter shows the text.", Paint::kDim}});
    }
    rows.resize(std::min(rows.size(), body));
    if (said > 0) {
      rows.resize(body - 1);
      rows.push_back({{round.said, Paint::kDim}});
    }
  } else {
    rows = EndRows(round);
    if (!round.said.empty() && airy) {
      rows.emplace_back();
      rows.push_back({{round.said, Paint::kDim}});
    }
  }
  rows.resize(body);
  if (!round.error.empty()) {
    rows.push_back(
        {{EscapeLine(round.error), Paint::kError}, {"  " + EscapeLine(round.hint), Paint::kDim}});
  } else {
    rows.push_back({{std::string(KeysOf(round, size.columns)), Paint::kDim}});
  }
  rows.resize(size.rows);
  for (ScreenRow& row : rows) row = Cut(std::move(row), size.columns);
  screen.cursor_row = body;
  return screen;
}

}  // namespace recall
