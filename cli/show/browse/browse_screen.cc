// The screen from top to bottom: the question, the filter while it is edited, the body, the status.
// Each part is a list of rows that are cut to its width.

#include "cli/show/browse/browse_screen.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <string_view>
#include <utility>

#include "cli/show/browse/document_rows.h"
#include "cli/show/browse/help_screen.h"
#include "cli/show/browse/hit_text.h"
#include "cli/show/browse/links_screen.h"
#include "cli/show/browse/list_rows.h"
#include "cli/show/browse/places_screen.h"
#include "cli/show/browse/review_screen.h"
#include "cli/show/browse/session_rows.h"
#include "cli/show/output/explain_text.h"
#include "cli/show/output/payload.h"
#include "cli/show/output/text_output.h"

namespace recall {
namespace {

constexpr std::string_view kPlaceholder = "Type a question. F1 shows the keys.";
constexpr size_t kHeaderRows = 8;  // a lower place does not name the store

// ---- Parts of the screen ------------------------------------------------------------------------

class Drawing final {
 public:
  Drawing(const BrowseState& state, const WindowSize& size, const TextStyle& style)
      : state_(state), size_(size), style_(style) {
    screen_.view = state.view;
  }

  Screen Finish() && {
    DrawPrompt("> ", state_.question, !state_.edits_filter);
    if (state_.edits_filter) DrawPrompt("filter> ", state_.filter, true);
    std::vector<ScreenRow> status = StatusRows();
    const size_t used = screen_.rows.size() + status.size();
    const size_t body = size_.rows > used ? size_.rows - used : 0;
    DrawBody(body);
    screen_.rows.resize(used - status.size() + body);
    AppendRows(std::move(status));
    screen_.rows.resize(size_.rows);
    for (ScreenRow& row : screen_.rows) row = Cut(std::move(row), size_.columns);
    return std::move(screen_);
  }

 private:
  void DrawPrompt(const std::string& prompt, const EditLine& line, bool active) {
    const size_t columns = size_.columns > prompt.size() ? size_.columns - prompt.size() : 0;
    const VisibleLine visible = VisiblePart(line, columns);
    if (active) {
      screen_.cursor_row = screen_.rows.size();
      screen_.cursor_column = prompt.size() + visible.cursor_column;
    }
    screen_.rows.push_back({{prompt, Paint::kStrong}, {visible.text, Paint::kPlain}});
    if (active && &line == &state_.question && line.text.empty()) {
      screen_.rows.back().push_back({CutToColumns(kPlaceholder, columns, false), Paint::kDim});
    }
  }

  void DrawBody(size_t rows) {
    if (!state_.found || state_.found->hits.empty()) {
      screen_.rows.push_back({{EmptyText(), Paint::kDim}});
      return;
    }
    const bool first_screen = !state_.sections.empty();
    if (first_screen && rows >= kHeaderRows) {
      screen_.rows.push_back(
          {{EscapeLine(state_.store_name) + "  ", Paint::kStrong}, {StoreText(), Paint::kDim}});
      --rows;
    }
    // What is listed there is read more than what is in it.
    AppendRows(ListAndPreview(
        rows, size_.columns, ListLength(state_), style_.utf8,
        [this](size_t place, size_t columns) {
          return ListRows(state_, place, columns, style_, &screen_.view);
        },
        [this](size_t place, size_t columns) { return PreviewRows(place, columns); },
        first_screen ? 3 : 2));
  }

  // "1204 documents, 5311 chunks, 3 due for review"
  std::string StoreText() const {
    const StoreSummary& store = state_.found->store;
    std::string text = Plural(store.docs, "document") + ", " + Plural(store.chunks, "chunk");
    if (state_.due > 0) text += ", " + std::to_string(state_.due) + " due for review";
    return text;
  }

  void AppendRows(std::vector<ScreenRow> rows) {
    std::ranges::move(rows, std::back_inserter(screen_.rows));
  }

  std::string EmptyText() const {
    if (state_.waits || state_.ask_at || !state_.found) return "";
    return state_.found->store.chunks == 0 ? "The store is empty; add documents with `recall add`."
                                           : "No results.";
  }

  // The head stays; the text below it moves.
  std::vector<ScreenRow> PreviewRows(size_t rows, size_t columns) {
    const SearchHit& hit = *state_.hit();
    std::vector<ScreenRow> preview = {
        {{CutToColumns(ShownPlace(hit, style_), columns, true), Paint::kPath}}};
    if (IsSession(hit.doc)) {
      std::ranges::move(SessionCardRows(hit.doc, columns), std::back_inserter(preview));
    } else if (CardOf(hit.doc).kind == "note") {
      std::ranges::move(CardRows(hit.doc, state_.state_of(state_.chosen), columns),
                        std::back_inserter(preview));
    } else if (!hit.chunk.heading.empty()) {
      preview.push_back({{EscapeLine(hit.chunk.heading), Paint::kStrong}});
    }
    if (hit.identical > 0) {
      preview.push_back(
          {{"and " + std::to_string(hit.identical) + " more with the same text", Paint::kDim}});
    }
    if (hit.more_places > 0) preview.push_back({{MorePlacesText(hit), Paint::kDim}});
    if (state_.explains && hit.explain) AddExplanation(*hit.explain, preview);
    if (preview.size() + 1 < rows) preview.emplace_back();
    for (ScreenRow& row : preview) row = Cut(std::move(row), columns);
    const size_t left = rows > preview.size() ? rows - preview.size() : 0;
    std::ranges::move(IsSession(hit.doc) ? ConversationRows(hit, left, columns)
                                         : TextAroundHit(hit, left, columns),
                      std::back_inserter(preview));
    preview.resize(std::min(preview.size(), rows));
    return preview;
  }

  // The document of the hit, if it is known.
  const std::string* DocumentOf(const SearchHit& hit) const {
    const bool known = state_.document && state_.document->doc.hash == hit.doc.hash;
    return known ? &state_.document->chunk.text : nullptr;
  }

  // The row with most words of the question is in view.
  std::vector<ScreenRow> TextAroundHit(const SearchHit& hit, size_t rows, size_t columns) {
    const TextRows text =
        RowsOfText(TextAround(hit, DocumentOf(hit), std::nullopt), hit.chunk, columns);
    return MovedRows(text.rows, text.best > rows / 3 ? text.best - rows / 3 : 0, rows,
                     &screen_.view);
  }

  // From the turn on that was moved to, else from that of the hit, if this row is in view then.
  std::vector<ScreenRow> ConversationRows(const SearchHit& hit, size_t rows, size_t columns) {
    TurnRows text = RowsOfTurns(TextAround(hit, DocumentOf(hit), state_.turn_at), hit.chunk,
                                columns, style_.utf8);
    if (text.rows.empty() || rows == 0) return {};
    size_t start = text.best < text.turn + rows ? text.turn : text.best - rows / 3;
    if (state_.turn_at) {
      start = static_cast<size_t>(std::ranges::lower_bound(text.bytes, *state_.turn_at) -
                                  text.bytes.begin());
      // The last turn can be the first one in view, too.
      text.rows.resize(std::max(text.rows.size(), start + rows));
    }
    std::vector<ScreenRow> shown = MovedRows(text.rows, start, rows, &screen_.view);
    const auto first = static_cast<ptrdiff_t>(std::min(start, text.rows.size() - shown.size())) +
                       screen_.view.preview_offset;
    const auto last = static_cast<ptrdiff_t>(text.bytes.size()) - 1;
    screen_.view.top_byte = text.bytes[static_cast<size_t>(std::min(first, last))];
    return shown;
  }

  void AddExplanation(const HitExplain& explain, std::vector<ScreenRow>& preview) const {
    const double calibration = state_.found->explain ? state_.found->explain->calibration : 1;
    const std::string text = FormatHitExplain(explain, calibration, {});
    for (size_t at = 0; at < text.size();) {
      const size_t end = std::min(text.find('\n', at), text.size());
      const size_t begin = std::min(text.find_first_not_of(' ', at), at + 4);
      preview.push_back({{text.substr(begin, end - begin), Paint::kDim}});
      at = end + 1;
    }
  }

  // A row, or, of an error that would be cut off in a window with room for it, a few.
  std::vector<ScreenRow> StatusRows() const {
    if (state_.error.empty()) return {StatusRow()};
    ScreenRow row = {{EscapeLine(state_.error), Paint::kError}};
    if (!state_.hint.empty()) row.push_back({"  " + EscapeLine(state_.hint), Paint::kDim});
    if (WidthOf(row) <= size_.columns || size_.rows < kHeaderRows) return {std::move(row)};
    std::vector<ScreenRow> rows = WrapText(state_.error, size_.columns, Paint::kError);
    std::ranges::move(WrapText(state_.hint, size_.columns, Paint::kDim), std::back_inserter(rows));
    rows.resize(std::min(rows.size(), size_.rows / 2));
    return rows;
  }

  ScreenRow StatusRow() const {
    if (!state_.said.empty()) return {{EscapeLine(state_.said), Paint::kStrong}};
    std::string text;
    const auto add = [&text](const std::string& part) {
      if (!part.empty()) text += (text.empty() ? "" : "  ") + part;
    };
    if (!state_.marks.empty()) add(std::to_string(state_.marks.size()) + " marked");
    if (state_.slow) {
      add("searching");
    } else if (state_.found) {
      add(CountText());
    }
    if (const std::string& view = state_.views[state_.preset]; !view.empty()) {
      add("view: " + EscapeLine(view));
    }
    if (!state_.applied_filter.empty()) add("filter: " + EscapeLine(state_.applied_filter));
    ScreenRow row = {{std::move(text), Paint::kDim}};
    if (state_.found && !state_.found->warnings.empty() && !state_.slow) {
      row.push_back({"  " + EscapeLine(state_.found->warnings[0]), Paint::kPlain});
    }
    return WithRight(std::move(row), "F1 help", size_.columns);
  }

  // Which of how many hits is chosen, and how long the answer took.
  std::string CountText() const {
    const SearchResponse& found = *state_.found;
    const size_t shown = found.hits.size();
    const std::string place =
        shown == 0 ? "" : std::to_string(state_.chosen + 1) + "/" + std::to_string(shown);
    if (!state_.sections.empty()) return place + "  " + StoreText();
    const auto total = static_cast<size_t>(std::max<int64_t>(found.total_hits, 0));
    return place + (place.empty() ? "" : " of ") + std::to_string(total) +
           (found.total_hits_is_lower_bound ? "+" : "") +
           (state_.listed ? " listed, the newest first"
            : total == 1  ? " hit"
                          : " hits") +
           "  " + std::to_string((state_.micros + 999) / 1000) + " ms";
  }

  const BrowseState& state_;
  const WindowSize& size_;
  const TextStyle& style_;
  Screen screen_;
};

HelpOf HelpOfShown(const BrowseState& state) {
  if (state.review) return HelpOf::kReviews;
  if (!state.places.empty()) return HelpOf::kPlaces;
  return state.links.empty() ? HelpOf::kResults : HelpOf::kLinks;
}

}  // namespace

Screen Draw(const BrowseState& state, const WindowSize& size, const TextStyle& style) {
  if (state.helps) return DrawHelp(HelpOfShown(state), state.prints, state.help_view, size);
  if (state.review) return DrawReview(*state.review, size, style);
  if (!state.places.empty()) {
    return DrawPlaces(state.places.back(), state.linked.get(), size, style);
  }
  if (!state.links.empty()) {
    return DrawLinks(state.links.back(), state.linked.get(), size, style);
  }
  return Drawing(state, size, style).Finish();
}

}  // namespace recall
