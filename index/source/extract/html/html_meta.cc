#include "index/source/extract/html/html_meta.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "index/source/extract/html/html_white_space.h"

namespace recall {
namespace {

constexpr size_t kMaxMetaBytes = 2000;

std::string LowerMetaName(std::string_view name) {
  std::string lower(name.substr(0, 64));
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  }
  return lower;
}

std::string TidyMetaValue(std::string_view value) {
  std::string tidy;
  bool pending_space = false;
  AppendCollapsedHtml(value.substr(0, FloorToWord(value, kMaxMetaBytes)), &pending_space, &tidy);
  return tidy;
}

// Returns a date of ISO 8601, possibly with a time; "" for others. Also reads "2020/01/02".
std::string IsoDate(std::string_view value) {
  constexpr std::string_view kShape = "dddd-dd-dd";
  std::string date = TidyMetaValue(value);
  if (date.size() < 4 || date.size() > 40) return {};
  for (size_t i = 0; i < std::min(date.size(), kShape.size()); ++i) {
    if (kShape[i] == '-' && date[i] == '/') date[i] = '-';
    const bool is_digit = date[i] >= '0' && date[i] <= '9';
    if (kShape[i] == 'd' ? !is_digit : date[i] != '-') return {};
  }
  if (date.size() < kShape.size()) return date.size() == 4 || date.size() == 7 ? date : "";
  if (date.size() == kShape.size()) return date;
  if (date[kShape.size()] == ' ') date[kShape.size()] = 'T';
  if (date[kShape.size()] != 'T') return {};
  const auto is_time = [](char c) {
    return (c >= '0' && c <= '9') || c == ':' || c == '.' || c == '+' || c == '-' || c == 'Z';
  };
  if (!std::all_of(date.begin() + kShape.size() + 1, date.end(), is_time)) return {};
  return date;
}

bool IsAbsoluteTarget(std::string_view target) {
  return target.starts_with("http://") || target.starts_with("https://") ||
         target.starts_with("ftp://") || target.starts_with("mailto:");
}

// The names under which pages state the keys of `meta`; the first one with a value wins.
struct MetaSource {
  std::string_view key;
  std::vector<std::string_view> names;
  bool is_date;
};
const std::vector<MetaSource>& MetaSources() {
  static const std::vector<MetaSource> sources = {
      {"author", {"author", "dc.creator", "dcterms.creator", "article:author"}, false},
      {"description",
       {"description", "og:description", "dc.description", "dcterms.description"},
       false},
      {"published",
       {"article:published_time", "datepublished", "dc.date.issued", "dcterms.issued", "dc.date",
        "dcterms.created", "dc.date.created", "date"},
       true},
      {"modified",
       {"article:modified_time", "datemodified", "dcterms.modified", "dc.date.modified",
        "og:updated_time", "last-modified"},
       true}};
  return sources;
}

// What the elements of a page say about it.
struct StatedMeta {
  std::map<std::string, std::string> by_name;  // the first value of each name
  std::string title;
  std::string canonical;
  std::vector<std::string> links;
  std::unordered_set<std::string_view> known_links;

  void State(std::string_view name, std::string_view value) {
    constexpr size_t kMaxStated = 200;
    if (!name.empty() && !value.empty() && by_name.size() < kMaxStated) {
      by_name.emplace(LowerMetaName(name), value);
    }
  }
};

std::string TitleText(const HtmlTree& tree, size_t title) {
  std::string text;
  bool pending_space = false;
  const auto end = static_cast<size_t>(tree.nodes()[title].end);
  for (size_t t = title + 1; t < end; ++t) {
    AppendCollapsedHtml(tree.nodes()[t].text, &pending_space, &text);
  }
  return text;
}

void ReadElement(const HtmlTree& tree, size_t i, StatedMeta* stated) {
  const HtmlNode& node = tree.nodes()[i];
  switch (node.tag) {
    case GUMBO_TAG_META:
      for (const char* const name : {"name", "property", "itemprop"}) {
        stated->State(tree.Attribute(node, name), tree.Attribute(node, "content"));
      }
      break;
    case GUMBO_TAG_LINK:
      if (stated->canonical.empty() && LowerMetaName(tree.Attribute(node, "rel")) == "canonical") {
        stated->canonical = TidyMetaValue(tree.Attribute(node, "href"));
      }
      break;
    case GUMBO_TAG_TIME:
      stated->State(tree.Attribute(node, "itemprop"), tree.Attribute(node, "datetime"));
      break;
    case GUMBO_TAG_TITLE:
      if (stated->title.empty()) stated->title = TitleText(tree, i);
      break;
    case GUMBO_TAG_A: {
      const std::string_view target = tree.Attribute(node, "href");
      if (stated->links.size() < kMaxHtmlLinks && IsAbsoluteTarget(target) &&
          stated->known_links.insert(target).second) {
        stated->links.push_back(TidyMetaValue(target));
      }
      break;
    }
    default:
      break;
  }
}

}  // namespace

void ReadHtmlMeta(const HtmlTree& tree, std::map<std::string, std::vector<std::string>>* meta) {
  StatedMeta stated;
  const std::vector<HtmlNode>& nodes = tree.nodes();
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (!nodes[i].is_text()) ReadElement(tree, i, &stated);
  }
  const auto set = [meta](std::string_view key, std::string value) {
    if (!value.empty()) meta->try_emplace(std::string(key), std::vector{std::move(value)});
  };
  if (stated.title.empty() && stated.by_name.contains("og:title")) {
    stated.title = TidyMetaValue(stated.by_name["og:title"]);
  }
  set("title", std::move(stated.title));
  set("canonical", std::move(stated.canonical));
  if (!nodes.empty()) {
    std::string_view lang = tree.Attribute(nodes[0], "lang");
    if (lang.empty()) lang = tree.Attribute(nodes[0], "xml:lang");
    set("lang", TidyMetaValue(lang));
  }
  for (const MetaSource& source : MetaSources()) {
    for (const std::string_view name : source.names) {
      const auto found = stated.by_name.find(std::string(name));
      if (found == stated.by_name.end()) continue;
      if (source.key == "author" && IsAbsoluteTarget(found->second)) continue;
      set(source.key, source.is_date ? IsoDate(found->second) : TidyMetaValue(found->second));
    }
  }
  if (!stated.links.empty()) meta->try_emplace("links", std::move(stated.links));
}

}  // namespace recall
