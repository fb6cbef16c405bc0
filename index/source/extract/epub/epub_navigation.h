#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "index/source/extract/container/zip_container.h"
#include "storage/base/status.h"

namespace recall {

// A place in a document that the navigation names.
struct EpubSection {
  std::string text;
  int depth = 1;
};

// What the navigation calls a document, and places in it.
struct EpubTitle {
  std::string text;                   // of the first entry
  int depth = 1;                      // from 1: an entry in no other entry
  std::vector<EpubSection> sections;  // the entries that name an element, in their order
};
// By the entry of the document in the container.
using EpubTitles = std::unordered_map<std::string, EpubTitle>;

// Reads a navigation document (XHTML, its list of contents) or an NCX. Adds what it names to
// `titles`. Errors: those of XmlTree::ReadEntry.
Status ReadEpubTitles(ZipContainer* container, std::string_view entry, int max_depth,
                      EpubTitles* titles);

}  // namespace recall
