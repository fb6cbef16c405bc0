#pragma once

#include <span>
#include <string>

#include "index/source/extract/container/xml_events.h"

namespace recall {

// Returns the text to show for a cell, from the value in its attributes: "12.5", "7%", "3.20 EUR",
// "2024-02-29", "13:05:00", "TRUE"; "" if it has none. Spreadsheet programs store the shown text
// beside the value, but other writers often leave it out.
std::string OdfShownValue(std::span<const XmlAttribute> attributes);

}  // namespace recall
