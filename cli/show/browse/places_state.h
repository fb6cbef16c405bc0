#pragma once

// Places of source code in the terminal view: the definitions of a file, and the places that use
// one of them. As with BrowseState, nothing here knows a terminal, a store or a clock.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/show/browse/key_press.h"
#include "cli/show/browse/list_view.h"
#include "query/types/reference_types.h"

namespace recall {

enum class PlacesOf {
  kDefinitions,  // of a file: its outline
  kReferences,   // the places that use a definition
  kCallers,      // the definitions that call it
  kCallees,      // the definitions that it calls
};

// Which places are to be shown.
struct PlacesWish {
  PlacesOf of = PlacesOf::kDefinitions;
  std::string path;    // of a document
  std::string doc_id;  // of it; "" with other places than definitions
  uint32_t line = 1;   // that the outline begins at; the line of the definition
  std::string name = {};

  bool operator==(const PlacesWish&) const = default;
};

struct PlaceItem {
  std::string path = {};
  std::string doc_id = {};
  uint32_t first_line = 1;
  uint32_t last_line = 1;
  std::string name = {};  // of the definition; of a use, that of the definition around it
  std::string kind = {};  // "method"; "" of a use
  std::string text = {};  // the line of a use
  size_t depth = 0;       // of a definition: in how many others it is
};

struct PlacesPage {
  PlacesOf of = PlacesOf::kDefinitions;
  std::string title;            // the file, or the definition
  std::vector<PlaceItem> rows;  // at least one
  size_t chosen = 0;
  ListView view = {};
  std::string error = {};  // of the last action; "" if none
  std::string hint = {};
  std::string said = {};

  const PlaceItem& row() const { return rows[chosen]; }
};

// The definitions of a file, in the order of their lines; the innermost one around `line` is
// chosen, else the last one before. Requires: there is one.
PlacesPage OutlineOf(const SymbolsResponse& found, uint32_t line);
// The places that a wish for others than definitions has found. Requires: there is one.
PlacesPage UsesOf(const ReferencesResponse& found, const PlacesWish& wish);

// "path:first-last", as it is printed.
std::string CitationOf(const PlaceItem& place);

// What a key asks the shell to do.
struct PlacesActions {
  std::optional<PlacesWish> show = {};
  bool open = false;  // the chosen place
  bool cite = false;  // leave the program and print the place
  bool copy = false;
  bool back = false;   // to the page before
  bool leave = false;  // to the results

  bool operator==(const PlacesActions&) const = default;
};

PlacesActions OnPlacesKey(PlacesPage& page, const KeyPress& press);

}  // namespace recall
