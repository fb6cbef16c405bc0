#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "index/source/extract/html/gumbo_library.h"
#include "index/source/extract/types/extraction.h"

namespace recall {

// An element or a piece of text of a page. A node's descendants follow it, up to `end`.
struct HtmlNode {
  GumboTag tag = GUMBO_TAG_UNKNOWN;  // of an element; never GUMBO_TAG_Q: that is GUMBO_TAG_A here
  int32_t parent = -1;
  int32_t end = 0;
  const GumboElement* element = nullptr;  // null: this is text
  std::string_view text;

  bool is_text() const { return element == nullptr; }
};

class HtmlArena;

// The visible part of a page in document order; node 0 is `html`. The nodes refer to the page's
// text, which must outlive the tree.
class HtmlTree final {
 public:
  HtmlTree();
  ~HtmlTree();
  HtmlTree(HtmlTree&&) noexcept;
  HtmlTree& operator=(HtmlTree&&) noexcept;

  const std::vector<HtmlNode>& nodes() const { return nodes_; }
  // The value of an attribute of an element; "" if it has none. Attributes are those that the
  // filter keeps (html_filter.h).
  std::string_view Attribute(const HtmlNode& node, const char* name) const;
  bool HasAttribute(const HtmlNode& node, const char* name) const;

 private:
  friend ExtractOutcome ParseHtmlTree(std::string_view text, const ExtractLimits& limits,
                                      HtmlTree* tree, std::string* reason);

  std::string html_;  // the filtered page, which gumbo's tree refers to
  std::unique_ptr<HtmlArena> arena_;
  std::vector<HtmlNode> nodes_;
};

// Parses a page (UTF-8 without NUL and U+F8F3) with gumbo, after the filter. Hidden elements are
// left out. Returns: kText; kUnsupported without libgumbo; kTooLarge for more elements or memory
// than the limits of this room, with `*reason`.
ExtractOutcome ParseHtmlTree(std::string_view text, const ExtractLimits& limits, HtmlTree* tree,
                             std::string* reason);

}  // namespace recall
