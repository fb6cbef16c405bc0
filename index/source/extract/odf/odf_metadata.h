#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace recall {

// The facts of Extraction::meta, from the elements of office:meta and their texts, in the order of
// the file. Of those that mean the same, such as the first author and the last one, the better one
// counts. Keywords are several values. A date that is not one of ISO 8601 is left out, but for the
// form "2022-06-14 13:53:15 +0000".
std::map<std::string, std::vector<std::string>> OdfMetadata(
    const std::vector<std::pair<std::string, std::string>>& facts);

}  // namespace recall
