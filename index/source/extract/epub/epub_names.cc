#include "index/source/extract/epub/epub_names.h"

#include <array>

namespace recall {
namespace {

constexpr std::array kEpubNamespaces = std::to_array<XmlNamespace>({
    {"urn:oasis:names:tc:opendocument:xmlns:container", "container"},
    {"http://www.idpf.org/2007/opf", "opf"},
    {"http://www.idpf.org/2007/ops", "epub"},
    {"http://openebook.org/namespaces/oeb-package/1.0/", "opf"},
    {"http://purl.org/dc/elements/1.1/", "dc"},
    {"http://purl.org/dc/elements/1.0/", "dc"},
    {"http://www.daisy.org/z3986/2005/ncx/", "ncx"},
    {"http://www.w3.org/1999/xhtml", "h"},
    {"http://www.w3.org/2001/04/xmlenc#", "enc"},
});

}  // namespace

std::span<const XmlNamespace> EpubNamespaces() { return kEpubNamespaces; }

std::string_view LocalXmlName(std::string_view name) { return name.substr(name.find(':') + 1); }

}  // namespace recall
