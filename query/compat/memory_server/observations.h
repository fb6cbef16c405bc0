#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace recall {

// A Markdown list with an item for each text: "- text". Further lines of a text are indented.
std::string ObservationList(const std::vector<std::string>& observations);

// The texts of a list as above. A text that is no list gives one for each of its paragraphs.
std::vector<std::string> ObservationsOf(std::string_view text);

// The texts as a JSON array.
std::string PrintTexts(const std::vector<std::string>& texts);

}  // namespace recall
