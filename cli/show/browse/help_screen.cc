#include "cli/show/browse/help_screen.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>
#include <utility>

namespace recall {
namespace {

constexpr size_t kKeyColumns = 20;
constexpr size_t kTwoColumns = 50;  // in a narrower window, what keys do stands below them

struct HelpLine {
  std::string_view keys;  // "": a heading
  std::string_view does;
  std::optional<HelpOf> begins = {};
};

constexpr std::string_view kEnterOpens =
    "open the document in $VISUAL or $EDITOR, else in the pager; with marks, print them";
constexpr std::string_view kEnterPrints =
    "leave, and print the citation of the chosen result, or of all that are marked";

constexpr HelpLine kHelpLines[] = {
    {"", "Results", HelpOf::kResults},
    {"Enter", kEnterOpens},
    {"Ctrl-G", kEnterPrints},
    {"Esc, Ctrl-C", "leave"},
    {"Up, Down", "choose a result; also Ctrl-P, Ctrl-N, PgUp, PgDn"},
    {"Tab, Shift-Tab", "mark it, and go to the next, the previous one"},
    {"Alt-A", "mark all results, or none"},
    {"Ctrl-S", "open all that are marked in the editor"},
    {"Ctrl-Y", "copy the citations of all that are marked, or of the chosen one"},
    {"Shift-Up, -Down", "move the preview; also Alt-P, Alt-N"},
    {"Shift-Left, -Right", "previous, next turn of a session; also Alt-K, Alt-J"},
    {"F2, Ctrl-X", "why the result has its rank"},
    {"F3, Ctrl-F", "edit the filter; Enter applies it, Esc leaves it as it was"},
    {"F4, Ctrl-O", "the links of the document"},
    {"F5, Ctrl-V", "ask with the next view: `sessions`, `memory` ..., your own, none"},
    {"F6, Ctrl-T", "review what is due"},
    {"F7, Alt-O", "the definitions of a file of source code, and what uses them"},
    {"F8, Alt-E", "edit the note in $VISUAL or $EDITOR"},
    {"F9, Alt-I", "write a new note there"},
    {"Ctrl-L", "draw the screen anew"},
    {"Ctrl-Z", "stop, as other programs"},
    {"", "The question"},
    {"words", "\"a phrase\"  +must  -not  pre*"},
    {"Ctrl-R", "earlier questions; also Up if there is none"},
    {"Left, Right", "move the cursor; also Ctrl-B"},
    {"Ctrl-A, Ctrl-E", "start and end of the line; also Home, End"},
    {"Ctrl-U, Ctrl-K", "delete to the start, to the end of the line"},
    {"Ctrl-W", "delete the word before the cursor"},
    {"Backspace, Delete", "delete a character; also Ctrl-H, Ctrl-D"},
    {"", "Definitions", HelpOf::kPlaces},
    {"Up, Down", "choose a place; also j, k, Ctrl-P, Ctrl-N, PgUp, PgDn, Home, End"},
    {"Enter", "open the place in the editor; with --print, print it"},
    {"r, Right", "the places that use the definition"},
    {"c", "the definitions that call it"},
    {"e", "the definitions that it calls"},
    {"f", "the definitions of the file of a place; also Right on a use"},
    {"Ctrl-G", "leave, and print the citation of the place"},
    {"Ctrl-Y", "copy that citation"},
    {"Shift-Up, -Down", "move the preview; also Alt-P, Alt-N"},
    {"Backspace, Left", "back; also Esc"},
    {"q", "back to the results"},
    {"", "Links", HelpOf::kLinks},
    {"Up, Down", "choose a document; also j, k, Ctrl-P, Ctrl-N, PgUp, PgDn"},
    {"Enter, Right", "show the links of the chosen one"},
    {"o", "open the chosen one, as Enter does with the first"},
    {"Shift-Up, -Down", "move the preview; also Alt-P, Alt-N"},
    {"Backspace, Left", "back to the document before; also Esc"},
    {"q", "back to the results"},
    {"", "Reviews", HelpOf::kReviews},
    {"Enter, Space", "show the text; try to remember it first"},
    {"0 .. 5", "rate it, and go on: 0 forgotten, 3 with effort, 5 at once"},
    {"s", "skip it; it stays due"},
    {"Up, Down", "move the text; also PgUp, PgDn"},
    {"q, Esc", "leave; what was rated is kept"},
};

// The rows of a key: beside what it does, or above it.
std::vector<ScreenRow> RowsOfKey(const HelpLine& line, std::string_view does, size_t columns) {
  if (columns < kTwoColumns) {
    std::vector<ScreenRow> rows = WrapText(line.keys, columns, Paint::kStrong);
    for (ScreenRow& row : WrapText(does, columns > 4 ? columns - 2 : columns, Paint::kPlain)) {
      row.insert(row.begin(), Span{"  ", Paint::kPlain});
      rows.push_back(std::move(row));
    }
    return rows;
  }
  std::vector<ScreenRow> rows;
  for (ScreenRow& row : WrapText(does, columns - kKeyColumns, Paint::kPlain)) {
    std::string keys(rows.empty() ? line.keys : "");
    keys.resize(kKeyColumns, ' ');
    row.insert(row.begin(), Span{std::move(keys), Paint::kStrong});
    rows.push_back(std::move(row));
  }
  return rows;
}

struct HelpRows {
  std::vector<ScreenRow> rows;
  size_t start = 0;  // of the section of the screen
};

HelpRows RowsOfHelp(HelpOf screen, bool prints, size_t columns) {
  HelpRows help;
  for (const HelpLine& line : kHelpLines) {
    if (line.begins == screen) help.start = help.rows.empty() ? 0 : help.rows.size() + 1;
    if (line.keys.empty()) {
      if (!help.rows.empty()) help.rows.emplace_back();
      help.rows.push_back({{std::string(line.does), Paint::kPath}});
      continue;
    }
    const bool is_enter = prints && line.does == kEnterOpens;
    std::ranges::move(RowsOfKey(line, is_enter ? kEnterPrints : line.does, columns),
                      std::back_inserter(help.rows));
  }
  return help;
}

}  // namespace

Screen DrawHelp(HelpOf screen, bool prints, const ListView& view, const WindowSize& size) {
  Screen shown;
  shown.view = view;
  const HelpRows help = RowsOfHelp(screen, prints, size.columns);
  const size_t place = size.rows > 0 ? size.rows - 1 : 0;
  shown.view.rows = place;
  shown.rows = MovedRows(help.rows, help.start, place, &shown.view);
  const size_t last = std::min(help.rows.size(), place);
  const size_t start = std::min(help.start, help.rows.size() - last);
  const auto first = static_cast<size_t>(static_cast<ptrdiff_t>(start) + shown.view.preview_offset);
  shown.rows.resize(place);
  const std::string where = std::to_string(first + 1) + "-" + std::to_string(first + last) +
                            " of " + std::to_string(help.rows.size());
  shown.rows.push_back(
      WithRight({{size.columns < kTwoColumns ? "Up, Down move"
                                             : "Up, Down move this page; any other key closes it",
                  Paint::kDim}},
                where, size.columns));
  shown.rows.resize(size.rows);
  for (ScreenRow& row : shown.rows) row = Cut(std::move(row), size.columns);
  shown.cursor_row = place;
  return shown;
}

}  // namespace recall
