#pragma once

// The links of a document in the terminal view. As with BrowseState, nothing here knows a terminal,
// a store or a clock.

#include <cstddef>
#include <string>
#include <vector>

#include "cli/show/browse/key_press.h"
#include "cli/show/browse/list_view.h"
#include "query/types/note_types.h"

namespace recall {

// A row of the list: the document itself, or one at the other end of a link.
struct LinkItem {
  enum class Way { kSelf, kOut, kIn };
  Way way = Way::kSelf;
  LinkedDocument document;
  std::string relation = {};
  double weight = 1;
};

struct LinksPage {
  std::vector<LinkItem> rows;  // the document, links that leave it, links that arrive
  size_t chosen = 0;
  ListView view = {};
  std::string error = {};  // of the last action; "" if none
  std::string hint = {};

  const LinkItem& row() const { return rows[chosen]; }
};

// The page of the target of a report of depth 1.
LinksPage PageOf(const LinksReport& report);

// What a key asks the shell to do.
struct LinksActions {
  bool go = false;     // show the links of the chosen document
  bool open = false;   // open the chosen document
  bool back = false;   // to the page before
  bool leave = false;  // to the results

  bool operator==(const LinksActions&) const = default;
};

LinksActions OnLinksKey(LinksPage& page, const KeyPress& press);

}  // namespace recall
