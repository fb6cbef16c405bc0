#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "index/extract/container/zip_container.h"
#include "storage/base/status.h"

namespace recall {

struct EpubTitle {
  std::string text;
  int depth = 1;  // from 1: an entry in no other entry
};
// The first title of each document, by its entry in the container.
using EpubTitles = std::unordered_map<std::string, EpubTitle>;

// Reads a navigation document (XHTML, its list of contents) or an NCX. Adds what it names to
// `titles`. Errors: those of XmlTree::ReadEntry.
Status ReadEpubTitles(ZipContainer* container, std::string_view entry, int max_depth,
                      EpubTitles* titles);

}  // namespace recall
