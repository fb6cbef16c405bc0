#pragma once

#include <string>
#include <vector>

#include "index/source/extract/container/xml_tree.h"
#include "index/source/extract/ooxml/ooxml_package.h"

namespace recall {

// Texts of DrawingML (ECMA-376 part 1, chapters 20 and 21), which all kinds of documents contain.

// The text of one paragraph, a:p; its line breaks are "\n".
std::string DrawingParagraph(XmlNode paragraph);

// The paragraphs in `root` that are not empty, in the order of the document.
std::vector<std::string> DrawingParagraphs(XmlNode root);

// The texts of a chart part: titles, then the names of the series, then the categories of the first
// series; each once.
std::vector<std::string> ChartTexts(XmlNode chart);

// The texts of the chart or diagram that a graphic refers to, if it does: `graphic` contains a
// c:chart or a dgm:relIds. Errors: LimitExceeded.
Result<std::vector<std::string>> GraphicTexts(OoxmlPackage* package, XmlNode graphic,
                                              const OoxmlRelations& relations);

}  // namespace recall
