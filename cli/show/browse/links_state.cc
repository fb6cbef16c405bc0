#include "cli/show/browse/links_state.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace recall {
namespace {

void Choose(LinksPage& page, ptrdiff_t by) {
  const auto last = static_cast<ptrdiff_t>(page.rows.size()) - 1;
  page.chosen =
      static_cast<size_t>(std::clamp<ptrdiff_t>(static_cast<ptrdiff_t>(page.chosen) + by, 0, last));
  page.view.preview_offset = 0;
}

// The action, unless the chosen document is missing.
LinksActions IfThere(LinksPage& page, const LinksActions& actions) {
  const LinkedDocument& document = page.row().document;
  if (!document.missing) return actions;
  page.error = document.path + " is missing";
  page.hint = "the link waits for a document at this path";
  return {};
}

LinksActions OnTyped(LinksPage& page, const std::string& text) {
  if (text == "q") return {.leave = true};
  if (text == "o") return IfThere(page, {.open = true});
  if (text == "j") Choose(page, 1);
  if (text == "k") Choose(page, -1);
  return {};
}

}  // namespace

LinksPage PageOf(const LinksReport& report) {
  LinksPage page;
  std::map<std::string_view, size_t> places;
  for (size_t i = 0; i < report.documents.size(); ++i) places[report.documents[i].path] = i;
  page.rows.push_back({LinkItem::Way::kSelf, report.documents[0]});
  for (const LinkRecord& link : report.links) {
    const bool out = link.source == report.documents[0].path;
    const size_t other = places.at(out ? link.target : link.source);
    page.rows.push_back({out ? LinkItem::Way::kOut : LinkItem::Way::kIn, report.documents[other],
                         link.relation, link.weight});
  }
  std::ranges::sort(page.rows, [](const LinkItem& a, const LinkItem& b) {
    return std::tie(a.way, a.relation, a.document.path) <
           std::tie(b.way, b.relation, b.document.path);
  });
  return page;
}

LinksActions OnLinksKey(LinksPage& page, const KeyPress& press) {
  const auto rows = static_cast<ptrdiff_t>(std::max<size_t>(page.view.rows, 2)) - 1;
  page.error.clear();
  page.hint.clear();
  switch (press.key) {
    case Key::kEnter:
    case Key::kRight:
      if (page.row().way != LinkItem::Way::kSelf) return IfThere(page, {.go = true});
      return press.key == Key::kEnter ? LinksActions{.open = true} : LinksActions{};
    case Key::kBackspace:
    case Key::kLeft:
    case Key::kEscape:
      return {.back = true};
    case Key::kUp:
    case Key::kPreviousHit:
      Choose(page, -1);
      return {};
    case Key::kDown:
    case Key::kNextHit:
      Choose(page, 1);
      return {};
    case Key::kPageUp:
      Choose(page, -rows);
      return {};
    case Key::kPageDown:
      Choose(page, rows);
      return {};
    case Key::kPreviewUp:
      --page.view.preview_offset;
      return {};
    case Key::kPreviewDown:
      ++page.view.preview_offset;
      return {};
    case Key::kText:
      return OnTyped(page, press.text);
    default:
      return {};
  }
}

}  // namespace recall
