#pragma once

#include <span>
#include <string_view>

#include "index/source/extract/container/xml_events.h"

namespace recall {

// The namespaces of the XML in an EPUB file, all but XHTML itself: container, OPF, Dublin Core, NCX
// (which has the prefix "ncx"), encryption, and XHTML for the navigation document ("h").
std::span<const XmlNamespace> EpubNamespaces();

// Returns the name without its prefix: "item" for "opf:item". Many books use wrong namespaces in
// their packages, so names are compared without them.
std::string_view LocalXmlName(std::string_view name);

}  // namespace recall
