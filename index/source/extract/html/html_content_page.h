#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "index/source/extract/html/html_text_facts.h"
#include "index/source/extract/html/html_tree.h"

namespace recall {

inline bool IsHeadingTag(GumboTag tag) { return tag >= GUMBO_TAG_H1 && tag <= GUMBO_TAG_H6; }

// The facts about a page that are the same for all rules of content. Nodes are given by their
// index in the tree, which must outlive this. Immutable.
class HtmlContentPage final {
 public:
  // Requires: a tree with nodes.
  explicit HtmlContentPage(const HtmlTree& tree);

  int32_t Count() const { return static_cast<int32_t>(nodes_.size()); }
  int32_t body() const { return body_; }
  const HtmlNode& At(int32_t i) const { return nodes_[static_cast<size_t>(i)]; }
  bool Is(int32_t i, GumboTag tag) const { return !At(i).is_text() && At(i).tag == tag; }
  bool IsInside(int32_t i, int32_t ancestor) const { return i > ancestor && i < At(ancestor).end; }
  std::string_view Attribute(int32_t i, const char* name) const {
    return tree_.Attribute(At(i), name);
  }

  // Returns the facts of the node without its descendants.
  const HtmlTextFacts& OwnFacts(int32_t i) const { return own_[static_cast<size_t>(i)]; }
  // Returns the facts of all subtrees, without the nodes that `removed` marks.
  std::vector<HtmlTextFacts> SubtreeFacts(const std::vector<uint8_t>& removed) const;

  // HtmlNameFlags of the element's class and id.
  uint8_t NameFlags(int32_t i) const {
    return static_cast<uint8_t>(names_[static_cast<size_t>(i)] |
                                names_[static_cast<size_t>(i)] >> 8);
  }
  // Returns what the class and the id add to an element's score.
  int NameWeight(int32_t i) const;

  // Marks the nodes that are left out by all rules: the head of the page.
  const std::vector<uint8_t>& head() const { return head_; }
  bool IsDataTable(int32_t i) const { return is_data_[static_cast<size_t>(i)] != 0; }
  // Whether the node is inside an element that the page calls its content.
  bool IsInContent(int32_t i) const { return in_content_[static_cast<size_t>(i)] != 0; }
  // Whether the node is a heading of a list of contents (html_contents_list.h).
  bool IsContentsList(int32_t i) const {
    return !contents_.empty() && contents_[static_cast<size_t>(i)] != 0;
  }
  // Whether the page says that the element is its content.
  bool SaysContent(int32_t i) const;
  // Whether the element is source code, in which links are names and no menu: `pre`, and the divs
  // in which Doxygen puts lines of code.
  bool IsCode(int32_t i) const;
  // Whether all headings of the page are in this element, and there are some.
  bool HoldsAllHeadings(int32_t i) const;

 private:
  bool IsNamedByTitle(const HtmlNode& node) const;
  void MarkDataTables();
  bool LooksLikeData(int32_t table, uint8_t holds) const;
  bool IsReferenceMark(int32_t link) const;
  void AddOwnMeaning(int32_t i, HtmlTextFacts* facts) const;

  const HtmlTree& tree_;
  const std::vector<HtmlNode>& nodes_;
  std::vector<HtmlTextFacts> own_;
  std::vector<uint16_t> names_;  // flags of classes in the lower half, of ids in the upper half
  std::vector<uint8_t> head_;
  std::vector<uint8_t> is_data_;
  std::vector<uint8_t> in_content_;
  std::vector<uint8_t> contents_;  // empty: there is no list of contents
  int64_t headings_ = 0;
  int32_t body_ = 0;
};

}  // namespace recall
