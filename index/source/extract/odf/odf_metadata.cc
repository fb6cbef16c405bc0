#include "index/source/extract/odf/odf_metadata.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace recall {
namespace {

struct OdfFactKey {
  std::string_view element;
  std::string_view key;
};
// For several elements with the same key, the first row whose element is there decides.
constexpr std::array kOdfFactKeys = std::to_array<OdfFactKey>({
    {"dc:title", "title"},
    {"dc:subject", "subject"},
    {"dc:description", "description"},
    {"meta:initial-creator", "author"},
    {"dc:creator", "author"},
    {"meta:keyword", "keywords"},
    {"meta:creation-date", "created"},
    {"dc:date", "modified"},
    {"dc:language", "language"},
});

// Whether the text has the form, in which "0" stands for any digit and all else for itself.
bool FitsOdfForm(std::string_view text, std::string_view form) {
  return text.size() == form.size() && std::ranges::equal(text, form, [](char c, char f) {
           return f == '0' ? c >= '0' && c <= '9' : c == f;
         });
}

// Returns: the date as ISO 8601; "" if the text is no date.
std::string OdfIsoDate(std::string_view text) {
  if (FitsOdfForm(text, "0000-00-00")) return std::string(text);
  if (text.size() < 19 || !FitsOdfForm(text.substr(0, 10), "0000-00-00") ||
      !FitsOdfForm(text.substr(11, 8), "00:00:00") || (text[10] != 'T' && text[10] != ' ')) {
    return "";
  }
  std::string date = std::string(text.substr(0, 10)) + "T" + std::string(text.substr(11, 8));
  std::string_view rest = text.substr(19);
  if (rest.starts_with('.')) {  // parts of a second
    rest.remove_prefix(1);
    while (!rest.empty() && rest.front() >= '0' && rest.front() <= '9') rest.remove_prefix(1);
  }
  if (rest.starts_with(' ')) rest.remove_prefix(1);
  if (rest.empty() || rest == "Z") return date + std::string(rest);
  if (rest.front() != '+' && rest.front() != '-') return "";
  if (FitsOdfForm(rest.substr(1), "00:00")) return date + std::string(rest);
  if (!FitsOdfForm(rest.substr(1), "0000")) return "";
  return date + std::string(rest.substr(0, 3)) + ":" + std::string(rest.substr(3));
}

}  // namespace

std::map<std::string, std::vector<std::string>> OdfMetadata(
    const std::vector<std::pair<std::string, std::string>>& facts) {
  std::map<std::string, std::vector<std::string>> meta;
  for (const OdfFactKey& fact : kOdfFactKeys) {
    if (meta.contains(std::string(fact.key))) continue;
    std::vector<std::string> values;
    for (const auto& [element, text] : facts) {
      if (element != fact.element) continue;
      const bool is_date = fact.key == "created" || fact.key == "modified";
      std::string value = is_date ? OdfIsoDate(text) : text;
      if (!value.empty()) values.push_back(std::move(value));
      if (fact.key != "keywords" && !values.empty()) break;
    }
    if (!values.empty()) meta.emplace(fact.key, std::move(values));
  }
  return meta;
}

}  // namespace recall
