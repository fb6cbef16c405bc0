#include "index/source/extract/ooxml/docx_numbering.h"

#include <algorithm>

#include "index/source/extract/markdown/markdown_writer.h"
#include "index/source/extract/ooxml/ooxml_package.h"

namespace recall {
namespace {

// Styles inherit from styles, which may do so in a circle.
constexpr int kMostAncestors = 32;

// "heading 3" -> 3, "Title" -> 1. Names of built-in styles are English in every language of the
// program that wrote the file; ids are not.
int HeadingOfName(std::string_view name) {
  std::string lower = OneLine(name.substr(0, 64));
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  }
  if (lower == "title") return 1;
  if (!lower.starts_with("heading")) return -1;
  std::string_view rest = std::string_view(lower).substr(7);
  if (rest.starts_with(' ')) rest.remove_prefix(1);
  return rest.size() == 1 && rest[0] >= '1' && rest[0] <= '9' ? rest[0] - '0' : -1;
}

std::string RomanNumber(int64_t number) {
  struct Digit {
    int64_t value;
    std::string_view letters;
  };
  constexpr Digit kDigits[] = {{1000, "m"}, {900, "cm"}, {500, "d"}, {400, "cd"}, {100, "c"},
                               {90, "xc"},  {50, "l"},   {40, "xl"}, {10, "x"},   {9, "ix"},
                               {5, "v"},    {4, "iv"},   {1, "i"}};
  if (number < 1 || number > 3999) return std::to_string(number);
  std::string text;
  for (const Digit& digit : kDigits) {
    for (; number >= digit.value; number -= digit.value) text += digit.letters;
  }
  return text;
}

}  // namespace

std::string ListNumber(int64_t number, std::string_view format) {
  std::string text;
  if (format == "lowerRoman" || format == "upperRoman") {
    text = RomanNumber(number);
  } else if (format == "lowerLetter" || format == "upperLetter") {
    if (number < 1 || number > 26 * 20) return std::to_string(number);
    // After "z" come "aa", "bb".
    text.assign(static_cast<size_t>((number - 1) / 26 + 1),
                static_cast<char>('a' + (number - 1) % 26));
  } else if (format == "decimalZero" && number < 10) {
    return "0" + std::to_string(number);
  } else if (format == "none") {
    return {};
  } else {
    return std::to_string(number);
  }
  if (format.starts_with("upper")) {
    for (char& c : text) {
      if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 32);
    }
  }
  return text;
}

DocxStyles::DocxStyles(XmlNode styles) {
  for (const XmlNode node : styles.children()) {
    if (node.name() != "w:style") continue;
    Definition style;
    style.based_on = node.Child("w:basedOn").Attribute("w:val");
    style.heading = HeadingOfName(node.Child("w:name").Attribute("w:val"));
    const XmlNode properties = node.Child("w:pPr");
    if (const auto outline = ShortNumber(properties.Child("w:outlineLvl").Attribute("w:val"))) {
      style.heading = *outline < 9 ? static_cast<int>(*outline) + 1 : 0;
    }
    if (const XmlNode list = properties.Child("w:numPr")) {
      style.has_list = true;
      style.list = list.Child("w:numId").Attribute("w:val");
      style.list_level = static_cast<int>(
          std::min<int64_t>(ShortNumber(list.Child("w:ilvl").Attribute("w:val")).value_or(0), 8));
    }
    styles_.emplace(node.Attribute("w:styleId"), std::move(style));
  }
}

DocxStyle DocxStyles::Find(std::string_view id) const {
  DocxStyle found;
  if (id.empty()) return found;
  bool has_heading = false;
  bool has_list = false;
  std::string at(id);
  for (int i = 0; i < kMostAncestors && !at.empty(); ++i) {
    const auto style = styles_.find(at);
    if (style == styles_.end()) {
      if (!has_heading && i == 0) found.heading = std::max(HeadingOfName(at), 0);
      break;
    }
    if (!has_heading && style->second.heading >= 0) {
      has_heading = true;
      found.heading = style->second.heading;
    }
    if (!has_list && style->second.has_list) {
      has_list = true;
      found.list = style->second.list;
      found.list_level = style->second.list_level;
    }
    at = style->second.based_on;
  }
  return found;
}

void DocxNumbering::ReadLevel(XmlNode node, Level* level) {
  level->format = node.Child("w:numFmt").Attribute("w:val");
  level->text = std::string(node.Child("w:lvlText").Attribute("w:val").substr(0, 64));
  level->style = node.Child("w:pStyle").Attribute("w:val");
  level->start = ShortNumber(node.Child("w:start").Attribute("w:val")).value_or(1);
}

DocxNumbering::DocxNumbering(XmlNode numbering) {
  for (const XmlNode node : numbering.children()) {
    if (node.name() == "w:abstractNum") {
      Abstract abstract;
      for (const XmlNode child : node.children()) {
        const auto level = ShortNumber(child.Attribute("w:ilvl"));
        if (child.name() == "w:lvl" && level && *level < kLevels) {
          ReadLevel(child, &abstract.levels[static_cast<size_t>(*level)]);
        }
      }
      abstracts_.emplace(node.Attribute("w:abstractNumId"), std::move(abstract));
    } else if (node.name() == "w:num") {
      List list;
      list.abstract = node.Child("w:abstractNumId").Attribute("w:val");
      list.starts.fill(-1);
      for (const XmlNode child : node.children()) {
        const auto level = ShortNumber(child.Attribute("w:ilvl"));
        if (child.name() != "w:lvlOverride" || !level || *level >= kLevels) continue;
        const auto start = ShortNumber(child.Child("w:startOverride").Attribute("w:val"));
        if (start) list.starts[static_cast<size_t>(*level)] = *start;
      }
      lists_.emplace(node.Attribute("w:numId"), std::move(list));
    }
  }
}

int DocxNumbering::LevelOfStyle(std::string_view list, std::string_view style) const {
  const auto found = lists_.find(std::string(list));
  if (found == lists_.end() || style.empty()) return -1;
  const auto abstract = abstracts_.find(found->second.abstract);
  if (abstract == abstracts_.end()) return -1;
  for (int level = 0; level < kLevels; ++level) {
    if (abstract->second.levels[static_cast<size_t>(level)].style == style) return level;
  }
  return -1;
}

std::string DocxNumbering::Next(std::string_view list, int level) {
  const auto found = lists_.find(std::string(list));
  if (found == lists_.end()) return "-";
  const auto abstract = abstracts_.find(found->second.abstract);
  if (abstract == abstracts_.end()) return "-";
  Abstract& counted = abstract->second;
  const auto at = static_cast<size_t>(std::clamp(level, 0, kLevels - 1));
  if (!found->second.used) {
    found->second.used = true;
    for (size_t i = 0; i < kLevels; ++i) {
      if (found->second.starts[i] < 0) continue;
      counted.levels[i].start = found->second.starts[i];
      counted.counting[i] = false;
    }
  }
  // This level, and outer levels without an item so far, start to count here.
  for (size_t i = 0; i <= at; ++i) {
    if (!counted.counting[i]) {
      counted.counting[i] = true;
      counted.counts[i] = counted.levels[i].start;
    } else if (i == at) {
      ++counted.counts[i];
    }
  }
  for (size_t i = at + 1; i < kLevels; ++i) counted.counting[i] = false;
  return MarkerOf(counted, counted.levels[at]);
}

std::string DocxNumbering::MarkerOf(const Abstract& counted, const Level& form) {
  if (form.format == "bullet" || form.format == "none") return "-";
  std::string marker;
  for (size_t i = 0; i < form.text.size(); ++i) {
    const bool is_place = form.text[i] == '%' && i + 1 < form.text.size() &&
                          form.text[i + 1] >= '1' && form.text[i + 1] <= '9';
    if (!is_place) {
      marker += form.text[i];
      continue;
    }
    const auto place = static_cast<size_t>(form.text[++i] - '1');
    marker += ListNumber(counted.counts[place], counted.levels[place].format);
  }
  marker = OneLine(marker);
  return marker.empty() ? "-" : marker;
}

}  // namespace recall
