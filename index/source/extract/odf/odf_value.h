#pragma once

#include <span>
#include <string>

#include "index/source/extract/container/xml_events.h"

namespace recall {

// What to show for a cell of a sheet that has a value but no text, by its attributes: "12.5", "7%",
// "3.20 EUR", "2024-02-29", "13:05:00", "TRUE". A spreadsheet program stores the shown text beside
// the value; other writers often leave it out, and then it is computed here.
std::string OdfShownValue(std::span<const XmlAttribute> attributes);

}  // namespace recall
