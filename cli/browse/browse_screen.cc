// The screen from top to bottom: the question, the filter while it is edited, the body, the status.
// Each part is a list of rows that are cut to its width.

#include "cli/browse/browse_screen.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>
#include <utility>

#include "cli/browse/document_rows.h"
#include "cli/browse/links_screen.h"
#include "cli/browse/review_screen.h"
#include "cli/output/explain_text.h"
#include "cli/output/number_text.h"
#include "cli/output/payload.h"
#include "cli/output/text_output.h"

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
    "F2, Ctrl-X         why the hit has its rank",
    "F3, Ctrl-F         edit the filter; Enter applies it, Esc leaves it as it was",
    "F4, Ctrl-O         the links of the document",
    "F5, Ctrl-V         ask with the next view: `memory`, `entries`, your own, none",
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

// ---- The text of a hit --------------------------------------------------------------------------

// Of a document, so much before and after the chunk can be looked at.
constexpr size_t kContextBytes = 32'768;
constexpr size_t kMostChunkBytes = 65'536;

struct MarkedText {
  std::string_view text;
  uint32_t first_line = 1;
  std::vector<ByteRange> marks = {};  // ascending, disjoint
};

// The text around a hit, with the words of the question that its snippet shows. `document`: the
// text of its document, or null.
MarkedText TextOf(const SearchHit& hit, const std::string* document) {
  const ChunkView& chunk = hit.chunk;
  MarkedText marked{std::string_view(chunk.text).substr(0, kMostChunkBytes), chunk.start_line};
  uint64_t text_start = chunk.start_byte;
  if (document != nullptr && chunk.end_byte <= document->size()) {
    const std::string_view whole = *document;
    // Whole lines, or all of a long one that there is.
    size_t begin = chunk.start_byte > kContextBytes ? chunk.start_byte - kContextBytes : 0;
    if (begin > 0) begin = std::min<size_t>(whole.find('\n', begin) + 1, chunk.start_byte);
    if (begin == 0 && chunk.start_byte > kContextBytes) begin = chunk.start_byte;
    const std::string_view before = whole.substr(begin, chunk.start_byte - begin);
    marked.first_line -= static_cast<uint32_t>(std::ranges::count(before, '\n'));
    const size_t end = chunk.start_byte + marked.text.size() + kContextBytes;
    marked.text = whole.substr(begin, end - begin);
    text_start = begin;
  }
  if (!hit.snippet || hit.snippet->start_byte < text_start) return marked;
  const uint64_t shift = hit.snippet->start_byte - text_start;
  for (const ByteRange& range : hit.snippet->highlights) {
    marked.marks.push_back({range.start + shift, range.end + shift});
  }
  return marked;
}

struct TextRows {
  std::vector<ScreenRow> rows;
  size_t best = 0;  // index of the row with most marked characters; without any, of the first line
  uint32_t best_line = 0;  // its line
};

// Lines in rows of at most so many columns, with their numbers before them: those of `chunk` stand
// out.
TextRows RowsOfText(const MarkedText& marked, const ChunkView& chunk, size_t columns) {
  TextRows out;
  out.best_line = chunk.start_line;
  size_t most_marked = 0;
  const size_t lines = static_cast<size_t>(std::ranges::count(marked.text, '\n'));
  const size_t digits = std::to_string(marked.first_line + lines).size();
  const size_t gutter = columns > digits + 20 ? digits + 1 : 0;
  uint32_t line = marked.first_line;
  for (size_t begin = 0; begin < marked.text.size(); ++line) {
    const size_t newline = std::min(marked.text.find('\n', begin), marked.text.size());
    const size_t end = newline > begin && marked.text[newline - 1] == '\r' ? newline - 1 : newline;
    const std::vector<Glyph> glyphs = GlyphsOf(marked.text, marked.marks, begin, end);
    const bool in_chunk = line >= chunk.start_line && line <= chunk.end_line;
    if (line == chunk.start_line) out.best = out.rows.size();
    std::span<const Glyph> rest = glyphs;
    for (bool first = true; first || !rest.empty(); first = false) {
      ScreenRow row;
      if (gutter > 0) {
        const std::string number = first ? std::to_string(line) : "";
        Append(row, std::string(digits - number.size(), ' ') + number + " ",
               in_chunk ? Paint::kScore : Paint::kDim);
      }
      const size_t fitting = FittingGlyphs(rest, std::max<size_t>(columns - gutter, 1));
      size_t marked_glyphs = 0;
      for (const Glyph& glyph : rest.first(fitting)) {
        Append(row, glyph.text, glyph.paint);
        marked_glyphs += glyph.paint == Paint::kMatch ? 1 : 0;
      }
      rest = rest.subspan(fitting);
      if (marked_glyphs > most_marked) {
        most_marked = marked_glyphs;
        out.best = out.rows.size();
        out.best_line = line;
      }
      out.rows.push_back(std::move(row));
    }
    begin = newline + 1;
  }
  return out;
}

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
    if (card.kind == "note" && card.title) {
      row.push_back({EscapeLine(*card.title), Paint::kPath});
      Append(row, NoteText(card.type.value_or(""), state_.state_of(index)), Paint::kDim);
      if (card.summary) Append(row, "  " + EscapeLine(*card.summary), Paint::kPlain);
    } else {
      const size_t left = columns > 6 ? columns - 6 : 0;
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
    if (CardOf(hit.doc).kind == "note") {
      std::ranges::move(CardRows(hit.doc, state_.state_of(state_.chosen), columns),
                        std::back_inserter(preview));
    } else if (!hit.chunk.heading.empty()) {
      preview.push_back({{EscapeLine(hit.chunk.heading), Paint::kStrong}});
    }
    if (hit.identical > 0) {
      preview.push_back(
          {{"and " + std::to_string(hit.identical) + " more with the same text", Paint::kDim}});
    }
    if (state_.explains && hit.explain) AddExplanation(*hit.explain, preview);
    if (preview.size() + 1 < rows) preview.emplace_back();
    for (ScreenRow& row : preview) row = Cut(std::move(row), columns);
    const bool has_document = state_.document && state_.document->doc.hash == hit.doc.hash;
    const TextRows text = RowsOfText(
        TextOf(hit, has_document ? &state_.document->chunk.text : nullptr), hit.chunk, columns);
    const size_t left = rows > preview.size() ? rows - preview.size() : 0;
    // The row with most words of the question is in view.
    const size_t start = text.best > left / 3 ? text.best - left / 3 : 0;
    std::ranges::move(MovedRows(text.rows, start, left, &screen_.view),
                      std::back_inserter(preview));
    preview.resize(std::min(preview.size(), rows));
    return preview;
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
  return RowsOfText(TextOf(hit, nullptr), hit.chunk, kUnbroken).best_line;
}

}  // namespace recall
