#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace recall {

// What a reader of XML finds in a page.
struct XmlContent {
  std::string fault;                    // "" if the page is well-formed
  std::vector<std::string> elements;    // names, in the order of the start tags
  std::vector<std::string> attributes;  // "name=value", with the references resolved
  std::string text;                     // all text, with the references resolved
};

// Reads an XML document after an HTML doctype: elements are nested and closed, attributes are
// quoted and unique, references are the five of XML, and every byte is UTF-8 without controls.
XmlContent ReadXml(std::string_view page);

}  // namespace recall
