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

// The title that the navigation gives to a document, and to places in it.
struct EpubTitle {
  std::string text;                   // of the first entry
  int depth = 1;                      // from 1: an entry in no other entry
  std::vector<EpubSection> sections;  // the entries that name an element, in their order
};
// The key is the entry of the document in the container.
using EpubTitles = std::unordered_map<std::string, EpubTitle>;

// Reads the list of contents of a navigation document (XHTML), or an NCX, and adds the documents
// and places in it to `titles`. Errors: those of XmlTree::ReadEntry.
Status ReadEpubTitles(ZipContainer* container, std::string_view entry, int max_depth,
                      EpubTitles* titles);

}  // namespace recall
