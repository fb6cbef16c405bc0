#include "index/source/extract/epub/epub_metadata.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "index/source/extract/epub/epub_names.h"
#include "index/source/extract/markdown/markdown_writer.h"

namespace recall {
namespace {

struct EpubFact {
  std::string_view element;  // of Dublin Core
  std::string_view key;
  bool several;
};
constexpr std::array kEpubFacts = std::to_array<EpubFact>({
    {"dc:title", "title", false},
    {"dc:creator", "author", true},
    {"dc:language", "language", false},
    {"dc:publisher", "publisher", false},
    {"dc:date", "date", false},
    {"dc:identifier", "identifier", true},
    {"dc:subject", "keywords", true},
    {"dc:description", "description", false},
});
constexpr size_t kMostEpubValues = 1000;

// Whether the text is a year, a month, a day, or a day with a time.
bool IsEpubDate(std::string_view text) {
  constexpr std::string_view kForm = "0000-00-00";
  const std::string_view day = text.substr(0, kForm.size());
  if (day.size() != 4 && day.size() != 7 && day.size() != kForm.size()) return false;
  for (size_t i = 0; i < day.size(); ++i) {
    const bool digit = day[i] >= '0' && day[i] <= '9';
    if (kForm[i] == '0' ? !digit : day[i] != kForm[i]) return false;
  }
  const std::string_view time = text.substr(day.size());
  if (time.empty()) return true;
  return time.size() >= 6 && time.front() == 'T' &&
         time.find_first_not_of("0123456789:.+-Z", 1) == time.npos;
}

// Whether the date is that of the file, of its creation or a change, and not of the publication.
bool IsEpubChange(XmlNode date) {
  const std::string_view event = date.Attribute("opf:event");
  return event == "modification" || event == "creation";
}

}  // namespace

std::map<std::string, std::vector<std::string>> EpubMetadata(XmlNode package) {
  std::map<std::string, std::vector<std::string>> meta;
  const std::string_view own_identifier = package.Attribute("unique-identifier");
  // EPUB 2 permits "dc-metadata" in "metadata".
  XmlNode metadata;
  for (const XmlNode child : package.children()) {
    if (LocalXmlName(child.name()) == "metadata") metadata = child;
  }
  if (!metadata) return meta;
  for (XmlNode node = metadata.NextInDocument(metadata); node;
       node = node.NextInDocument(metadata)) {
    if (!node.IsElement()) continue;
    if (LocalXmlName(node.name()) == "meta" && node.Attribute("property") == "dcterms:modified") {
      std::string value = OneLine(node.TextContent());
      if (IsEpubDate(value)) meta["modified"] = {std::move(value)};
      continue;
    }
    const auto* const fact = std::ranges::find(kEpubFacts, node.name(), &EpubFact::element);
    if (fact == kEpubFacts.end()) continue;
    std::string value = OneLine(node.TextContent());
    const bool is_date = fact->key == "date";
    if (value.empty() || (is_date && !IsEpubDate(value))) continue;
    if (is_date && IsEpubChange(node)) {
      if (node.Attribute("opf:event") == "modification") meta["modified"] = {std::move(value)};
      continue;
    }
    std::vector<std::string>& values = meta[std::string(fact->key)];
    if (fact->key == "identifier" && !own_identifier.empty() &&
        node.Attribute("id") == own_identifier) {
      values.insert(values.begin(), std::move(value));
    } else if (values.empty() || (fact->several && values.size() < kMostEpubValues)) {
      values.push_back(std::move(value));
    }
  }
  return meta;
}

}  // namespace recall
