#include "cli/show/browse/places_state.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "cli/show/output/text_output.h"

namespace recall {
namespace {

void ChoosePlace(PlacesPage& page, ptrdiff_t by) {
  const auto last = static_cast<ptrdiff_t>(page.rows.size()) - 1;
  page.chosen =
      static_cast<size_t>(std::clamp<ptrdiff_t>(static_cast<ptrdiff_t>(page.chosen) + by, 0, last));
  page.view.preview_offset = 0;
}

// In how many scopes a definition is: "db > Store" are two.
size_t ScopesOf(std::string_view scope) {
  size_t scopes = scope.empty() ? 0 : 1;
  for (size_t at = scope.find(" > "); at != scope.npos; at = scope.find(" > ", at + 3)) ++scopes;
  return scopes;
}

PlacesActions ShowUses(const PlacesPage& page, PlacesOf of) {
  const PlaceItem& row = page.row();
  if (row.kind.empty()) return {};  // a use: its own definition need not be known
  return {.show = PlacesWish{of, row.path, "", row.first_line, row.name}};
}

PlacesActions ShowFile(const PlacesPage& page) {
  const PlaceItem& row = page.row();
  return {.show = PlacesWish{PlacesOf::kDefinitions, row.path, row.doc_id, row.first_line}};
}

PlacesActions OnTypedInPlaces(PlacesPage& page, const std::string& text) {
  if (text == "q") return {.leave = true};
  if (text == "r") return ShowUses(page, PlacesOf::kReferences);
  if (text == "c") return ShowUses(page, PlacesOf::kCallers);
  if (text == "e") return ShowUses(page, PlacesOf::kCallees);
  if (text == "f") return ShowFile(page);
  if (text == "j") ChoosePlace(page, 1);
  if (text == "k") ChoosePlace(page, -1);
  return {};
}

PlaceItem ItemOf(const SymbolRow& symbol) {
  return {.path = symbol.doc.path,
          .doc_id = symbol.doc.id,
          .first_line = symbol.start_line,
          .last_line = symbol.end_line,
          .name = symbol.name,
          .kind = symbol.kind};
}

}  // namespace

PlacesPage OutlineOf(const SymbolsResponse& found, uint32_t line) {
  PlacesPage page;
  page.title = found.rows[0].doc.path;
  size_t least = std::numeric_limits<size_t>::max();
  for (const SymbolRow& symbol : found.rows) {
    PlaceItem& item = page.rows.emplace_back(ItemOf(symbol));
    item.depth = ScopesOf(symbol.scope);
    least = std::min(least, item.depth);
  }
  for (PlaceItem& item : page.rows) item.depth -= least;
  std::ranges::stable_sort(page.rows, [](const PlaceItem& a, const PlaceItem& b) {
    return std::tie(a.first_line, b.last_line, a.name) <
           std::tie(b.first_line, a.last_line, b.name);
  });
  bool is_inside = false;
  for (size_t i = 0; i < page.rows.size() && page.rows[i].first_line <= line; ++i) {
    const bool contains = page.rows[i].last_line >= line;
    if (contains || !is_inside) page.chosen = i;
    is_inside |= contains;
  }
  return page;
}

PlacesPage UsesOf(const ReferencesResponse& found, const PlacesWish& wish) {
  PlacesPage page;
  page.of = wish.of;
  page.title = wish.name;
  for (const ReferenceRow& row : found.rows) {
    if (wish.of != PlacesOf::kReferences && row.symbol) {
      PlaceItem& item = page.rows.emplace_back(ItemOf(*row.symbol));
      item.text = row.text;
      continue;
    }
    page.rows.push_back({.path = row.doc.path,
                         .doc_id = row.doc.id,
                         .first_line = row.line,
                         .last_line = row.line,
                         .name = row.symbol ? QualifiedName(*row.symbol) : "",
                         .text = row.text});
  }
  return page;
}

std::string CitationOf(const PlaceItem& place) {
  SearchHit hit;
  hit.doc.path = place.path;
  hit.chunk.start_line = place.first_line;
  hit.chunk.end_line = place.last_line;
  if (EscapeLine(place.path) != place.path) return "id:" + place.doc_id;
  return TargetOf(hit);
}

PlacesActions OnPlacesKey(PlacesPage& page, const KeyPress& press) {
  const auto rows = static_cast<ptrdiff_t>(std::max<size_t>(page.view.rows, 2)) - 1;
  page.error.clear();
  page.hint.clear();
  page.said.clear();
  switch (press.key) {
    case Key::kEnter:
      return {.open = true};
    case Key::kCite:
      return {.cite = true};
    case Key::kCopy:
      return {.copy = true};
    case Key::kRight:
      return page.of == PlacesOf::kDefinitions ? ShowUses(page, PlacesOf::kReferences)
                                               : ShowFile(page);
    case Key::kBackspace:
    case Key::kLeft:
    case Key::kEscape:
    case Key::kOutline:
      return {.back = true};
    case Key::kUp:
    case Key::kPreviousHit:
      ChoosePlace(page, -1);
      return {};
    case Key::kDown:
    case Key::kNextHit:
      ChoosePlace(page, 1);
      return {};
    case Key::kPageUp:
      ChoosePlace(page, -rows);
      return {};
    case Key::kPageDown:
      ChoosePlace(page, rows);
      return {};
    case Key::kHome:
      ChoosePlace(page, -static_cast<ptrdiff_t>(page.chosen));
      return {};
    case Key::kEnd:
      ChoosePlace(page, static_cast<ptrdiff_t>(page.rows.size()));
      return {};
    case Key::kPreviewUp:
      --page.view.preview_offset;
      return {};
    case Key::kPreviewDown:
      ++page.view.preview_offset;
      return {};
    case Key::kText:
      return OnTypedInPlaces(page, press.text);
    default:
      return {};
  }
}

}  // namespace recall
