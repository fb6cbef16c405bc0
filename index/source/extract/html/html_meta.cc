#include "index/source/extract/html/html_meta.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "index/source/extract/html/html_writer.h"

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
  AppendCollapsedHtml(value.substr(0, kMaxMetaBytes), &pending_space, &tidy);
  return tidy;
}

// A date of ISO 8601, possibly with a time; "" for others. "2020/01/02" is taken as well.
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

// What the keys of `meta` may be called in a page; the first that is there wins.
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

}  // namespace

void ReadHtmlMeta(const HtmlTree& tree, std::map<std::string, std::vector<std::string>>* meta) {
  std::map<std::string, std::string> stated;  // by name, the first of each
  std::vector<std::string> links;
  std::unordered_set<std::string_view> known_links;
  std::string title;
  std::string heading_title;
  std::string canonical;
  const std::vector<HtmlNode>& nodes = tree.nodes();
  constexpr size_t kMaxStated = 200;
  const auto state = [&](std::string_view name, std::string_view value) {
    if (!name.empty() && !value.empty() && stated.size() < kMaxStated) {
      stated.emplace(LowerMetaName(name), value);
    }
  };
  for (size_t i = 0; i < nodes.size(); ++i) {
    const HtmlNode& node = nodes[i];
    if (node.is_text()) continue;
    switch (node.tag) {
      case GUMBO_TAG_META: {
        const std::string_view content = tree.Attribute(node, "content");
        state(tree.Attribute(node, "name"), content);
        state(tree.Attribute(node, "property"), content);
        state(tree.Attribute(node, "itemprop"), content);
        break;
      }
      case GUMBO_TAG_LINK:
        if (canonical.empty() && LowerMetaName(tree.Attribute(node, "rel")) == "canonical") {
          canonical = TidyMetaValue(tree.Attribute(node, "href"));
        }
        break;
      case GUMBO_TAG_TIME: {
        const std::string_view property = tree.Attribute(node, "itemprop");
        state(property, tree.Attribute(node, "datetime"));
        break;
      }
      case GUMBO_TAG_TITLE:
        if (title.empty()) {
          bool pending_space = false;
          for (int32_t t = static_cast<int32_t>(i) + 1; t < node.end; ++t) {
            AppendCollapsedHtml(nodes[static_cast<size_t>(t)].text, &pending_space, &title);
          }
        }
        break;
      case GUMBO_TAG_A: {
        const std::string_view target = tree.Attribute(node, "href");
        if (links.size() < kMaxHtmlLinks && IsAbsoluteTarget(target) &&
            known_links.insert(target).second) {
          links.push_back(TidyMetaValue(target));
        }
        break;
      }
      default:
        break;
    }
  }
  const auto set = [meta](std::string_view key, std::string value) {
    if (!value.empty()) meta->try_emplace(std::string(key), std::vector{std::move(value)});
  };
  if (title.empty() && stated.contains("og:title")) title = TidyMetaValue(stated["og:title"]);
  set("title", std::move(title));
  set("canonical", std::move(canonical));
  if (!nodes.empty()) {
    std::string_view lang = tree.Attribute(nodes[0], "lang");
    if (lang.empty()) lang = tree.Attribute(nodes[0], "xml:lang");
    set("lang", TidyMetaValue(lang));
  }
  for (const MetaSource& source : MetaSources()) {
    for (const std::string_view name : source.names) {
      const auto found = stated.find(std::string(name));
      if (found == stated.end()) continue;
      if (source.key == "author" && IsAbsoluteTarget(found->second)) continue;
      set(source.key, source.is_date ? IsoDate(found->second) : TidyMetaValue(found->second));
    }
  }
  if (!links.empty()) meta->try_emplace("links", std::move(links));
}

}  // namespace recall
