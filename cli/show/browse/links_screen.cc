#include "cli/show/browse/links_screen.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "cli/show/browse/document_rows.h"
#include "cli/show/output/number_text.h"

namespace recall {
namespace {

constexpr size_t kMostRelationColumns = 14;

std::string NameOf(const LinkedDocument& document, const TextStyle& style) {
  return document.title.empty() ? style.DocPathText(document.path) : EscapeLine(document.title);
}

std::string_view ArrowOf(LinkItem::Way way, bool utf8) {
  if (way == LinkItem::Way::kSelf) return utf8 ? "●" : "*";
  if (way == LinkItem::Way::kOut) return utf8 ? "→" : ">";
  return utf8 ? "←" : "<";
}

class LinksDrawing final {
 public:
  LinksDrawing(const LinksPage& page, const GetResponse* document, const WindowSize& size,
               const TextStyle& style)
      : page_(page), document_(document), size_(size), style_(style) {
    screen_.view = page.view;
    for (const LinkItem& row : page.rows) {
      relation_columns_ = std::max(relation_columns_, DisplayColumns(row.relation));
    }
    relation_columns_ = std::min(relation_columns_, kMostRelationColumns);
  }

  Screen Finish() && {
    const size_t body = size_.rows > 0 ? size_.rows - 1 : 0;
    screen_.rows = ListAndPreview(
        body, size_.columns, page_.rows.size(), style_.utf8,
        [this](size_t rows, size_t columns) { return List(rows, columns); },
        [this](size_t rows, size_t columns) { return Preview(rows, columns); });
    screen_.rows.resize(body);
    screen_.rows.push_back(StatusRow());
    screen_.rows.resize(size_.rows);
    for (ScreenRow& row : screen_.rows) row = Cut(std::move(row), size_.columns);
    screen_.cursor_row = body;
    return std::move(screen_);
  }

 private:
  std::vector<ScreenRow> List(size_t rows, size_t columns) {
    KeepInView(page_.rows.size(), page_.chosen, rows, &screen_.view);
    std::vector<ScreenRow> list;
    for (size_t i = screen_.view.first_row; i < page_.rows.size() && list.size() < rows; ++i) {
      ScreenRow row = RowOf(page_.rows[i]);
      list.push_back(i == page_.chosen ? Chosen(std::move(row), columns)
                                       : Cut(std::move(row), columns));
    }
    return list;
  }

  ScreenRow RowOf(const LinkItem& row) const {
    ScreenRow shown = {{std::string(ArrowOf(row.way, style_.utf8)) + " ", Paint::kScore}};
    if (row.way != LinkItem::Way::kSelf) {
      std::string relation = CutToColumns(row.relation, relation_columns_, false);
      relation += std::string(relation_columns_ + 2 - DisplayColumns(relation), ' ');
      shown.push_back({std::move(relation), Paint::kDim});
    }
    shown.push_back({NameOf(row.document, style_), Paint::kPath});
    Append(shown, NoteText(row.document.type, row.document.state), Paint::kDim);
    if (row.weight != 1) Append(shown, FormatNumber("  %.2f", row.weight), Paint::kDim);
    if (row.document.missing) shown.push_back({"  missing", Paint::kError});
    return shown;
  }

  // The head stays; the text below it moves.
  std::vector<ScreenRow> Preview(size_t rows, size_t columns) {
    const LinkItem& row = page_.row();
    std::vector<ScreenRow> preview = {
        {{CutToColumns(style_.DocPathText(row.document.path), columns, true), Paint::kPath}}};
    if (row.document.missing) {
      preview.push_back({{"There is no such document.", Paint::kDim}});
      return preview;
    }
    if (!document_ || document_->doc.path != row.document.path) return preview;
    std::ranges::move(CardRows(document_->doc, row.document.state, columns),
                      std::back_inserter(preview));
    if (preview.size() + 1 < rows) preview.emplace_back();
    preview.resize(std::min(preview.size(), rows));
    std::ranges::move(MovedRows(DocumentRows(document_->chunk.text, columns), 0,
                                rows - preview.size(), &screen_.view),
                      std::back_inserter(preview));
    return preview;
  }

  ScreenRow StatusRow() const {
    if (!page_.error.empty()) {
      return {{EscapeLine(page_.error), Paint::kError},
              {"  " + EscapeLine(page_.hint), Paint::kDim}};
    }
    const auto count = [this](LinkItem::Way way) {
      return std::to_string(std::ranges::count(page_.rows, way, &LinkItem::way));
    };
    const bool links = page_.rows.size() > 1;
    ScreenRow row = {
        {links ? count(LinkItem::Way::kOut) + " out, " + count(LinkItem::Way::kIn) + " in"
               : "no links",
         Paint::kDim}};
    for (const std::string_view keys : {"Enter go there   Backspace back   q results   F1 help",
                                        "Backspace back   F1 help", "F1 help"}) {
      if (WidthOf(row) + keys.size() + 2 <= size_.columns) {
        return WithRight(std::move(row), keys, size_.columns);
      }
    }
    return row;
  }

  const LinksPage& page_;
  const GetResponse* const document_;
  const WindowSize& size_;
  const TextStyle& style_;
  size_t relation_columns_ = 0;
  Screen screen_;
};

}  // namespace

Screen DrawLinks(const LinksPage& page, const GetResponse* document, const WindowSize& size,
                 const TextStyle& style) {
  return LinksDrawing(page, document, size, style).Finish();
}

}  // namespace recall
