// The screen from top to bottom: the question, the filter while it is edited, the body, the status.
// Each part is a list of rows that are cut to its width.

#include "cli/show/browse/browse_screen.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>
#include <utility>

#include "cli/show/browse/document_rows.h"
#include "cli/show/browse/hit_text.h"
#include "cli/show/browse/links_screen.h"
#include "cli/show/browse/review_screen.h"
#include "cli/show/browse/session_rows.h"
#include "cli/show/output/explain_text.h"
#include "cli/show/output/number_text.h"
#include "cli/show/output/payload.h"
#include "cli/show/output/text_output.h"

namespace recall {
namespace {

constexpr std::string_view kEnterOpens =
    "Enter              open the document in $VISUAL or $EDITOR, else in the pager";
constexpr std::string_view kEnterPrints =
    "Enter              leave, and print the citation of the chosen hit";
// Below the line of Enter.
constexpr std::string_view kHelp[] = {
    "Ctrl-G             leave, and print the citation of the chosen hit",
    "Esc, Ctrl-C        leave",
    "Up, Down           choose a hit; also Ctrl-P, Ctrl-N, PgUp, PgDn",
    "Shift-Up, -Down    move the preview; also Alt-P, Alt-N",
    "Shift-Left, -Right previous, next turn of a session; also Alt-K, Alt-J",
    "F2, Ctrl-X         why the hit has its rank",
    "F3, Ctrl-F         edit the filter; Enter applies it, Esc leaves it as it was",
    "F4, Ctrl-O         the links of the document",
    "F5, Ctrl-V         ask with the next view: `sessions`, `memory` ..., your own, none",
    "F6, Ctrl-T         review what is due",
    "Ctrl-R             earlier questions; also Up if there is none",
    "Ctrl-A, Ctrl-E     start and end of the line; also Home, End",
    "Ctrl-U, Ctrl-K     delete to the start, to the end of the line",
    "Ctrl-W             delete the word before the cursor",
    "",
    "\"a phrase\"  +must  -not  pre*",
    "",
    "Any key closes this page.",
};

constexpr std::string_view kLinksHelp[] = {
    "Up, Down           choose a document; also j, k, Ctrl-P, Ctrl-N, PgUp, PgDn",
    "Enter, Right       show the links of the chosen one",
    "Backspace, Left    back to the document before; also Esc",
    "o                  open the chosen one, as Enter does with the first",
    "Shift-Up, -Down    move the preview; also Alt-P, Alt-N",
    "q                  back to the results",
    "Ctrl-C             leave the program",
    "",
    "Any key closes this page.",
};

constexpr std::string_view kReviewHelp[] = {
    "Enter, Space       show the text; try to remember it first",
    "0 .. 5             rate it, and go on: 0 forgotten, 3 with effort, 5 at once",
    "s                  skip it; it stays due",
    "Up, Down           move the text; also PgUp, PgDn",
    "q, Esc             leave; what was rated is kept",
    "Ctrl-C             leave the program",
    "",
    "Any key closes this page.",
};

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
    const size_t used = screen_.rows.size() + 1;
    const size_t body = size_.rows > used ? size_.rows - used : 0;
    if (state_.helps) {
      DrawHelp();
    } else {
      DrawBody(body);
    }
    screen_.rows.resize(used - 1 + body);
    screen_.rows.push_back(StatusRow());
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
  }

  void DrawHelp() {
    AppendRows({{{std::string(state_.prints ? kEnterPrints : kEnterOpens), Paint::kPlain}}});
    for (const std::string_view line : kHelp) AppendRows({{{std::string(line), Paint::kPlain}}});
  }

  void DrawBody(size_t rows) {
    if (!state_.found || state_.found->hits.empty()) {
      screen_.rows.push_back({{EmptyText(), Paint::kDim}});
    } else {
      AppendRows(ListAndPreview(
          rows, size_.columns, state_.found->hits.size(), style_.utf8,
          [this](size_t place, size_t columns) { return HitRows(place, columns); },
          [this](size_t place, size_t columns) { return PreviewRows(place, columns); }));
    }
  }

  void AppendRows(std::vector<ScreenRow> rows) {
    std::ranges::move(rows, std::back_inserter(screen_.rows));
  }

  std::string EmptyText() const {
    if (state_.waits || state_.ask_at) return "";
    if (!state_.found) return "Type a question. F1 shows the keys.";
    return state_.found->store.chunks == 0 ? "The store is empty; add documents with `recall add`."
                                           : "No results.";
  }

  // The hits that are in view: the chosen one among them.
  std::vector<ScreenRow> HitRows(size_t rows, size_t columns) {
    const std::vector<SearchHit>& hits = state_.found->hits;
    KeepInView(hits.size(), state_.chosen, rows, &screen_.view);
    std::vector<ScreenRow> list;
    for (size_t i = screen_.view.first_row; i < hits.size() && list.size() < rows; ++i) {
      list.push_back(HitRow(i, columns));
    }
    return list;
  }

  std::string PlaceOf(const SearchHit& hit) const {
    if (hit.chunk.end_line == 0) return style_.DocPathText(hit.doc.path);
    return style_.DocPathText(hit.doc.path) + ":" + std::to_string(hit.chunk.start_line) + "-" +
           std::to_string(hit.chunk.end_line);
  }

  ScreenRow HitRow(size_t index, size_t columns) const {
    const SearchHit& hit = state_.found->hits[index];
    ScreenRow row;
    if (!state_.listed) row.push_back({FormatNumber("%.3f", hit.score) + " ", Paint::kScore});
    const CardSummary card = CardOf(hit.doc);
    const size_t left = columns > 6 ? columns - 6 : 0;
    if (IsSession(hit.doc)) {
      const SessionMeta meta = SessionMetaOf(hit.doc);
      const std::string label = SessionLabel(meta);
      const bool fits = !label.empty() && DisplayColumns(label) <= left;
      row.push_back({fits ? label : CutToColumns(PlaceOf(hit), left, true), Paint::kPath});
      if (const auto turn = TurnOfHeading(hit.chunk.heading)) {
        row.push_back({"  " + turn->role + " " + std::to_string(turn->turn), Paint::kDim});
      }
      Append(row, "  " + EscapeLine(meta.title), Paint::kPlain);
    } else if (card.kind == "note" && card.title) {
      row.push_back({EscapeLine(*card.title), Paint::kPath});
      Append(row, NoteText(card.type.value_or(""), state_.state_of(index)), Paint::kDim);
      if (card.summary) Append(row, "  " + EscapeLine(*card.summary), Paint::kPlain);
    } else {
      row.push_back({CutToColumns(PlaceOf(hit), left, true), Paint::kPath});
      if (!hit.chunk.heading.empty()) {
        row.push_back({"  " + EscapeLine(hit.chunk.heading), Paint::kPlain});
      }
    }
    const bool chosen = index == state_.chosen;
    return chosen ? Chosen(std::move(row), columns) : Cut(std::move(row), columns);
  }

  // The head stays; the text below it moves.
  std::vector<ScreenRow> PreviewRows(size_t rows, size_t columns) {
    const SearchHit& hit = *state_.hit();
    std::vector<ScreenRow> preview = {{{CutToColumns(PlaceOf(hit), columns, true), Paint::kPath}}};
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

  ScreenRow StatusRow() const {
    if (!state_.error.empty()) {
      ScreenRow row = {{EscapeLine(state_.error), Paint::kError}};
      if (!state_.hint.empty()) row.push_back({"  " + EscapeLine(state_.hint), Paint::kDim});
      return row;
    }
    std::string text;
    if (state_.slow) {
      text = "searching";
    } else if (state_.found) {
      const SearchResponse& found = *state_.found;
      const size_t shown = found.hits.size();
      const auto total = static_cast<size_t>(std::max<int64_t>(found.total_hits, 0));
      text = shown == 0 ? "" : std::to_string(state_.chosen + 1) + "/" + std::to_string(shown);
      text += (text.empty() ? "" : " of ") + std::to_string(total) +
              (found.total_hits_is_lower_bound ? "+" : "") +
              (state_.listed ? " listed, the newest first"
               : total == 1  ? " hit"
                             : " hits");
      text += "  " + std::to_string((state_.micros + 999) / 1000) + " ms";
    }
    if (const std::string& view = state_.views[state_.preset]; !view.empty()) {
      text += (text.empty() ? "" : "  ") + std::string("view: ") + EscapeLine(view);
    }
    if (!state_.applied_filter.empty()) {
      text +=
          (text.empty() ? "" : "  ") + std::string("filter: ") + EscapeLine(state_.applied_filter);
    }
    ScreenRow row = {{std::move(text), Paint::kDim}};
    if (state_.found && !state_.found->warnings.empty() && !state_.slow) {
      row.push_back({"  " + EscapeLine(state_.found->warnings[0]), Paint::kPlain});
    }
    return WithRight(std::move(row), "F1 help", size_.columns);
  }

  const BrowseState& state_;
  const WindowSize& size_;
  const TextStyle& style_;
  Screen screen_;
};

// `view`: of the screen that the help hides for a while.
Screen DrawHelpPage(std::span<const std::string_view> lines, const ListView& view,
                    const WindowSize& size) {
  Screen screen;
  screen.view = view;
  for (const std::string_view line : lines) {
    screen.rows.push_back(Cut({{std::string(line), Paint::kPlain}}, size.columns));
  }
  screen.rows.resize(size.rows);
  screen.cursor_row = size.rows > 0 ? size.rows - 1 : 0;
  return screen;
}

}  // namespace

Screen Draw(const BrowseState& state, const WindowSize& size, const TextStyle& style) {
  if (state.review) {
    if (state.helps) return DrawHelpPage(kReviewHelp, state.review->view, size);
    return DrawReview(*state.review, size, style);
  }
  if (!state.links.empty()) {
    if (state.helps) return DrawHelpPage(kLinksHelp, state.links.back().view, size);
    return DrawLinks(state.links.back(), state.linked.get(), size, style);
  }
  return Drawing(state, size, style).Finish();
}

uint32_t BestLine(const SearchHit& hit) {
  constexpr size_t kUnbroken = SIZE_MAX / 2;
  return RowsOfText(TextAround(hit, nullptr, std::nullopt), hit.chunk, kUnbroken).best_line;
}

}  // namespace recall
