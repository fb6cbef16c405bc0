#pragma once

#include <map>
#include <string>
#include <vector>

#include "index/source/extract/container/zip_container.h"
#include "index/source/extract/epub/epub_navigation.h"
#include "index/source/extract/types/extraction.h"
#include "storage/base/result.h"

namespace recall {

// A document of the spine, which is the reading order.
struct EpubChapter {
  int64_t number = 0;  // its place in the spine, from 1
  std::string entry;   // in the container; "" if the package does not say what it is
  // Whether it can be read: it is XHTML, HTML or DTBook.
  bool is_markup = false;
  bool is_svg = false;
  bool is_navigation = false;  // it is the navigation document
  // The title in the navigation, "" if it has none, and the depth of its entry there, from 1.
  std::string title;
  int title_depth = 1;
  std::vector<EpubSection> sections;  // places in it that the navigation names
};

// The contents of a package document (OPF 2 and 3).
struct EpubPackage {
  // Each document is here once: later references to it in the spine, also with another fragment,
  // are left out.
  std::vector<EpubChapter> chapters;
  std::map<std::string, std::vector<std::string>> meta;
  std::vector<std::string> warnings;  // "damaged_navigation"
};

// Reads META-INF/container.xml, the first package that it names, and its navigation: the
// navigation document (EPUB 3), else the NCX (EPUB 2). Errors: NotFound for a book without
// container.xml or package; those of XmlTree::ReadEntry.
Result<EpubPackage> ReadEpubPackage(ZipContainer* container, const ExtractLimits& limits);

}  // namespace recall
