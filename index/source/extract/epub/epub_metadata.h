#pragma once

#include <map>
#include <string>
#include <vector>

#include "index/source/extract/container/xml_tree.h"

namespace recall {

// The facts of Extraction::meta from a package document: title, author (several), language,
// publisher, date, modified, identifier (several; the one that the package calls its own is the
// first), keywords (its subjects), description. A date that is not one of ISO 8601 is left out.
std::map<std::string, std::vector<std::string>> EpubMetadata(XmlNode package);

}  // namespace recall
