#include "index/source/extract/epub/epub_package.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "index/source/extract/container/xml_tree.h"
#include "index/source/extract/epub/epub_metadata.h"
#include "index/source/extract/epub/epub_names.h"
#include "index/source/extract/epub/epub_navigation.h"

namespace recall {
namespace {

constexpr std::string_view kEpubContainerEntry = "META-INF/container.xml";
// A longer chain of fallbacks is taken for a loop.
constexpr int kMostEpubFallbacks = 16;

// An item of the manifest.
struct EpubManifestItem {
  std::string_view href;
  std::string_view media_type;
  std::string_view fallback;
};
using EpubManifest = std::unordered_map<std::string_view, EpubManifestItem>;  // by id

bool HasEpubWord(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    const size_t end = std::min(list.find_first_of(" \t\r\n"), list.size());
    if (list.substr(0, end) == word) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

bool IsEpubMarkup(const EpubManifestItem& item) {
  const std::string_view type = item.media_type;
  if (type == "application/xhtml+xml" || type == "text/html" || type == "text/x-oeb1-document" ||
      type == "application/x-dtbook+xml") {
    return true;
  }
  if (!type.empty() && type != "application/xml" && type != "text/xml") return false;
  const std::string_view href = item.href.substr(0, item.href.find('#'));
  return href.ends_with(".xhtml") || href.ends_with(".html") || href.ends_with(".htm") ||
         href.ends_with(".xml");
}

// The item, or the first of its fallbacks that can be read.
const EpubManifestItem* ReadableEpubItem(const EpubManifest& manifest, std::string_view id) {
  const auto found = manifest.find(id);
  if (found == manifest.end()) return nullptr;
  const EpubManifestItem* item = &found->second;
  for (int i = 0; i < kMostEpubFallbacks && !IsEpubMarkup(*item) && !item->fallback.empty(); ++i) {
    const auto next = manifest.find(item->fallback);
    if (next == manifest.end()) break;
    item = &next->second;
  }
  return IsEpubMarkup(*item) ? item : &found->second;
}

XmlNode EpubChildOf(XmlNode element, std::string_view name) {
  for (const XmlNode child : element.children()) {
    if (LocalXmlName(child.name()) == name) return child;
  }
  return {};
}

// The entry of the package document; "" if container.xml names none.
std::string EpubPackageEntry(XmlNode container) {
  std::string first;
  for (XmlNode node = container; node; node = node.NextInDocument(container)) {
    if (LocalXmlName(node.name()) != "rootfile") continue;
    std::string entry = ResolveEntryName("", node.Attribute("full-path"));
    if (node.Attribute("media-type") == "application/oebps-package+xml" && !entry.empty()) {
      return entry;
    }
    if (first.empty()) first = std::move(entry);
  }
  return first;
}

// The documents that the manifest of a package names.
struct EpubItems {
  EpubManifest manifest;
  std::string navigation;  // the entry of the navigation document; "" if there is none
  std::string ncx;         // the entry of the NCX; "" if there is none
};

// entry: that of the package, to which references are relative.
EpubItems ReadEpubItems(XmlNode package, std::string_view entry) {
  EpubItems items;
  const XmlNode manifest = EpubChildOf(package, "manifest");
  for (const XmlNode node : manifest.children()) {
    if (LocalXmlName(node.name()) != "item") continue;
    const EpubManifestItem item = {node.Attribute("href"), node.Attribute("media-type"),
                                   node.Attribute("fallback")};
    items.manifest.emplace(node.Attribute("id"), item);
    if (items.navigation.empty() && HasEpubWord(node.Attribute("properties"), "nav")) {
      items.navigation = ResolveEntryName(entry, item.href);
    }
    if (items.ncx.empty() && item.media_type == "application/x-dtbncx+xml") {
      items.ncx = ResolveEntryName(entry, item.href);
    }
  }
  const auto toc = items.manifest.find(EpubChildOf(package, "spine").Attribute("toc"));
  if (toc != items.manifest.end()) items.ncx = ResolveEntryName(entry, toc->second.href);
  return items;
}

// The titles of the navigation document, else those of the NCX. What is damaged has none.
Result<EpubTitles> ReadEpubNavigation(ZipContainer* container, const EpubItems& items,
                                      int max_depth, std::vector<std::string>* warnings) {
  EpubTitles titles;
  for (const std::string* const source : {&items.navigation, &items.ncx}) {
    if (source->empty() || !titles.empty() || container->Find(*source) == nullptr) continue;
    const Status read = ReadEpubTitles(container, *source, max_depth, &titles);
    if (read.code() == StatusCode::kLimitExceeded) return Fail(read);
    if (!read.ok()) warnings->emplace_back("damaged_navigation");
  }
  return titles;
}

std::vector<EpubChapter> ReadEpubSpine(XmlNode spine, std::string_view entry,
                                       const EpubItems& items, const EpubTitles& titles) {
  std::vector<EpubChapter> chapters;
  std::unordered_set<std::string> seen;
  int64_t number = 0;
  for (const XmlNode node : spine.children()) {
    if (LocalXmlName(node.name()) != "itemref") continue;
    EpubChapter chapter;
    chapter.number = ++number;
    const EpubManifestItem* const item = ReadableEpubItem(items.manifest, node.Attribute("idref"));
    if (item != nullptr) {
      chapter.entry = ResolveEntryName(entry, item->href);
      chapter.is_markup = IsEpubMarkup(*item);
      chapter.is_svg = item->media_type == "image/svg+xml";
      chapter.is_navigation = !items.navigation.empty() && chapter.entry == items.navigation;
      if (!chapter.entry.empty() && !seen.insert(chapter.entry).second) continue;
      if (const auto title = titles.find(chapter.entry); title != titles.end()) {
        chapter.title = title->second.text;
        chapter.title_depth = title->second.depth;
        chapter.sections = title->second.sections;
      }
    }
    chapters.push_back(std::move(chapter));
  }
  return chapters;
}

}  // namespace

Result<EpubPackage> ReadEpubPackage(ZipContainer* container, const ExtractLimits& limits) {
  RECALL_ASSIGN(const XmlTree names, XmlTree::ReadEntry(container, kEpubContainerEntry,
                                                        EpubNamespaces(), limits.max_depth));
  const std::string entry = EpubPackageEntry(names.root());
  if (entry.empty()) return Fail(Status::NotFound("container.xml names no package document"));
  RECALL_ASSIGN(const XmlTree tree,
                XmlTree::ReadEntry(container, entry, EpubNamespaces(), limits.max_depth));
  EpubPackage package;
  package.meta = EpubMetadata(tree.root());
  const EpubItems items = ReadEpubItems(tree.root(), entry);
  RECALL_ASSIGN(const EpubTitles titles,
                ReadEpubNavigation(container, items, limits.max_depth, &package.warnings));
  package.chapters = ReadEpubSpine(EpubChildOf(tree.root(), "spine"), entry, items, titles);
  return package;
}

}  // namespace recall
