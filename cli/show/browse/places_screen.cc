#include "cli/show/browse/places_screen.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "cli/show/browse/hit_text.h"

namespace recall {
namespace {

std::string PlaceLines(const PlaceItem& row) {
  std::string lines = std::to_string(row.first_line);
  if (row.last_line != row.first_line) lines += "-" + std::to_string(row.last_line);
  return lines;
}

std::string_view HeadingOf(PlacesOf of) {
  switch (of) {
    case PlacesOf::kReferences:
      return "uses of ";
    case PlacesOf::kCallers:
      return "callers of ";
    case PlacesOf::kCallees:
      return "called by ";
    default:
      return "definitions of ";
  }
}

class PlacesDrawing final {
 public:
  PlacesDrawing(const PlacesPage& page, const GetResponse* document, const WindowSize& size,
                const TextStyle& style)
      : page_(page), document_(document), size_(size), style_(style) {
    screen_.view = page.view;
    for (const PlaceItem& row : page.rows) {
      digits_ = std::max(digits_, std::to_string(row.first_line).size());
    }
  }

  Screen Finish() && {
    const size_t used = size_.rows > 2 ? 2 : size_.rows;  // the heading and the last row
    const size_t body = size_.rows - used;
    if (used == 2) screen_.rows.push_back(Heading());
    std::ranges::move(ListAndPreview(
                          body, size_.columns, page_.rows.size(), style_.utf8,
                          [this](size_t rows, size_t columns) { return List(rows, columns); },
                          [this](size_t rows, size_t columns) { return Preview(rows, columns); }),
                      std::back_inserter(screen_.rows));
    screen_.rows.resize(used == 2 ? body + 1 : 0);
    screen_.rows.push_back(StatusRow());
    screen_.rows.resize(size_.rows);
    for (ScreenRow& row : screen_.rows) row = Cut(std::move(row), size_.columns);
    screen_.cursor_row = size_.rows > 0 ? size_.rows - 1 : 0;
    return std::move(screen_);
  }

 private:
  ScreenRow Heading() const {
    const bool is_file = page_.of == PlacesOf::kDefinitions;
    return {{std::string(HeadingOf(page_.of)), Paint::kDim},
            {is_file ? style_.DocPathText(page_.title) : EscapeLine(page_.title), Paint::kStrong}};
  }

  std::vector<ScreenRow> List(size_t rows, size_t columns) {
    KeepInView(page_.rows.size(), page_.chosen, rows, &screen_.view);
    std::vector<ScreenRow> list;
    for (size_t i = screen_.view.first_row; i < page_.rows.size() && list.size() < rows; ++i) {
      ScreenRow row = page_.of == PlacesOf::kDefinitions ? DefinitionRow(page_.rows[i])
                                                         : UseRow(page_.rows[i], columns);
      list.push_back(i == page_.chosen ? Chosen(std::move(row), columns)
                                       : Cut(std::move(row), columns));
    }
    return list;
  }

  // " 40   Commit  method"
  ScreenRow DefinitionRow(const PlaceItem& row) const {
    const std::string line = std::to_string(row.first_line);
    ScreenRow shown = {{std::string(digits_ - line.size(), ' ') + line + " ", Paint::kScore}};
    const size_t indent = std::min<size_t>(2 * row.depth, 12);
    shown.push_back({std::string(indent, ' ') + EscapeLine(row.name), Paint::kPath});
    shown.push_back({"  " + EscapeLine(row.kind), Paint::kDim});
    return shown;
  }

  // "src/a.cc:40  Store > Commit  the line"
  ScreenRow UseRow(const PlaceItem& row, size_t columns) const {
    const std::string place = style_.DocPathText(row.path) + ":" + PlaceLines(row);
    ScreenRow shown = {
        {CutToColumns(place, std::max<size_t>(columns * 2 / 3, 12), true), Paint::kPath}};
    if (!row.name.empty()) Append(shown, "  " + EscapeLine(row.name), Paint::kStrong);
    if (!row.kind.empty()) Append(shown, "  " + EscapeLine(row.kind), Paint::kDim);
    Append(shown, "  " + EscapeLine(row.text), Paint::kPlain);
    return shown;
  }

  // The head stays; the text below it moves.
  std::vector<ScreenRow> Preview(size_t rows, size_t columns) {
    const PlaceItem& row = page_.row();
    const std::string place = style_.DocPathText(row.path) + ":" + PlaceLines(row);
    std::vector<ScreenRow> preview = {{{CutToColumns(place, columns, true), Paint::kPath}}};
    preview.resize(std::min(preview.size(), rows));
    if (!document_ || document_->doc.path != row.path) return preview;
    if (rows > 3) preview.emplace_back();
    const size_t left = rows - preview.size();
    const TextRows text =
        RowsAroundLines(document_->chunk.text, row.path, row.first_line, row.last_line, columns);
    std::ranges::move(
        MovedRows(text.rows, text.best > left / 6 ? text.best - left / 6 : 0, left, &screen_.view),
        std::back_inserter(preview));
    return preview;
  }

  ScreenRow StatusRow() const {
    if (!page_.error.empty()) {
      return {{EscapeLine(page_.error), Paint::kError},
              {"  " + EscapeLine(page_.hint), Paint::kDim}};
    }
    const std::string place =
        std::to_string(page_.chosen + 1) + "/" + std::to_string(page_.rows.size());
    ScreenRow row = {{page_.said.empty() ? place : EscapeLine(page_.said), Paint::kDim}};
    const bool is_definition = !page_.row().kind.empty();
    for (const std::string_view keys :
         {is_definition ? "Enter open   r uses   c callers   e callees   F1 help"
                        : "Enter open   f its file   Backspace back   F1 help",
          is_definition ? "r uses   c callers   F1 help" : "Backspace back   F1 help", "F1 help"}) {
      if (WidthOf(row) + keys.size() + 2 <= size_.columns) {
        return WithRight(std::move(row), keys, size_.columns);
      }
    }
    return row;
  }

  const PlacesPage& page_;
  const GetResponse* const document_;
  const WindowSize& size_;
  const TextStyle& style_;
  size_t digits_ = 1;
  Screen screen_;
};

}  // namespace

Screen DrawPlaces(const PlacesPage& page, const GetResponse* document, const WindowSize& size,
                  const TextStyle& style) {
  return PlacesDrawing(page, document, size, style).Finish();
}

}  // namespace recall
