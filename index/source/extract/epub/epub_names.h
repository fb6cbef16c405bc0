#pragma once

#include <span>
#include <string_view>

#include "index/source/extract/container/xml_events.h"

namespace recall {

// The namespaces of the XML in an EPUB file, all but XHTML itself: container, OPF, Dublin Core, NCX
// (which has the prefix "ncx"), encryption, and XHTML for the navigation document ("h").
std::span<const XmlNamespace> EpubNamespaces();

// "opf:item" -> "item". Books mix up the namespaces of their packages.
std::string_view LocalXmlName(std::string_view name);

}  // namespace recall
