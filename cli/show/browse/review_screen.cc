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

// The document under review in at most `most` rows. Sets the view of the screen if its text is
// shown.
std::vector<ScreenRow> DocumentUnderReview(const ReviewRound& round, const WindowSize& size,
                                           size_t most, const TextStyle& style, ListView* view) {
  const bool airy = size.rows >= kAiryRows;
  const DueDocument& document = *round.document();
  std::vector<ScreenRow> rows = {HeadOf(round, style)};
  if (airy) rows.emplace_back();
  const std::string title = TitleOf(document.doc);
  std::vector<ScreenRow> heading = WrapText(
      title.empty() ? style.DocPathText(document.doc.path) : title, size.columns, Paint::kStrong);
  heading.resize(std::min<size_t>(heading.size(), airy ? 3 : 1));
  std::ranges::move(heading, std::back_inserter(rows));
  if (airy) rows.emplace_back();
  const size_t said = airy && !round.said.empty() ? 2 : 0;  // rows for the last rating
  const size_t place = most > rows.size() + said ? most - rows.size() - said : 0;
  if (round.text) {
    view->rows = place;
    std::ranges::move(MovedRows(DocumentRows(round.text->chunk.text, size.columns), 0, place, view),
                      std::back_inserter(rows));
  } else if (airy) {
    rows.push_back({{"Do you remember it? Enter shows the text.", Paint::kDim}});
  }
  rows.resize(std::min(rows.size(), most));
  if (said > 0) {
    rows.resize(most - 1);
    rows.push_back({{round.said, Paint::kDim}});
  }
  return rows;
}

// The error of the last action, or else the keys.
ScreenRow LastRow(const ReviewRound& round, size_t columns) {
  if (round.error.empty()) return {{std::string(KeysOf(round, columns)), Paint::kDim}};
  return {{EscapeLine(round.error), Paint::kError}, {"  " + EscapeLine(round.hint), Paint::kDim}};
}

}  // namespace

Screen DrawReview(const ReviewRound& round, const WindowSize& size, const TextStyle& style) {
  Screen screen;
  screen.view = round.view;
  const size_t body = size.rows > 0 ? size.rows - 1 : 0;
  if (round.document() != nullptr) {
    screen.rows = DocumentUnderReview(round, size, body, style, &screen.view);
  } else {
    screen.rows = EndRows(round);
    if (!round.said.empty() && size.rows >= kAiryRows) {
      screen.rows.emplace_back();
      screen.rows.push_back({{round.said, Paint::kDim}});
    }
  }
  screen.rows.resize(body);
  screen.rows.push_back(LastRow(round, size.columns));
  screen.rows.resize(size.rows);
  for (ScreenRow& row : screen.rows) row = Cut(std::move(row), size.columns);
  screen.cursor_row = body;
  return screen;
}

}  // namespace recall
