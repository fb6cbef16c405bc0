#include "index/source/extract/epub/epub_navigation.h"

#include <utility>

#include "index/source/extract/container/xml_tree.h"
#include "index/source/extract/epub/epub_names.h"
#include "index/source/extract/markdown/markdown_writer.h"

namespace recall {
namespace {

// Returns the number of elements of this name around the node, inside `root`.
int EpubDepthIn(XmlNode node, XmlNode root, std::string_view name) {
  int depth = 0;
  for (; node && node != root; node = node.parent()) depth += node.name() == name ? 1 : 0;
  return depth;
}

void AddEpubTitle(std::string_view base, std::string_view reference, std::string text, int depth,
                  EpubTitles* titles) {
  std::string entry = ResolveEntryName(base, reference);
  if (entry.empty() || text.empty()) return;
  const auto document = titles->try_emplace(std::move(entry), EpubTitle{text, depth, {}}).first;
  const size_t mark = reference.find('#');
  if (mark == reference.npos || mark + 1 == reference.size()) return;
  document->second.sections.push_back({std::move(text), depth});
}

// Whether a "nav" is the list of contents; others are lists of pages and landmarks.
bool IsEpubContents(XmlNode nav) {
  const std::string_view type = nav.Attribute("epub:type");
  return type.empty() || type.find("toc") != type.npos;
}

}  // namespace

Status ReadEpubTitles(ZipContainer* container, std::string_view entry, int max_depth,
                      EpubTitles* titles) {
  RECALL_ASSIGN(const XmlTree tree,
                XmlTree::ReadEntry(container, entry, EpubNamespaces(), max_depth));
  const XmlNode root = tree.root();
  XmlNode nav;  // the open list of contents
  for (XmlNode node = root; node;) {
    bool skips = false;
    if (node.name() == "h:nav") {
      nav = node;
      skips = !IsEpubContents(node);
    } else if (node.name() == "h:a" && nav) {
      AddEpubTitle(entry, node.Attribute("href"), OneLine(node.TextContent()),
                   EpubDepthIn(node, nav, "h:ol"), titles);
      skips = true;
    } else if (node.name() == "ncx:navPoint") {
      AddEpubTitle(entry, node.Child("ncx:content").Attribute("src"),
                   OneLine(node.Child("ncx:navLabel").Child("ncx:text").TextContent()),
                   EpubDepthIn(node, root, "ncx:navPoint"), titles);
    }
    node = node.NextInDocument(root, skips);
  }
  return Status::Ok();
}

}  // namespace recall
