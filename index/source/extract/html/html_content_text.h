#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "index/source/extract/html/html_content_page.h"

namespace recall {

// What is left of a page while elements are removed. The page must outlive it.
class HtmlContentText final {
 public:
  // `removed`: for each node of the page, whether it is removed with what is in it.
  HtmlContentText(const HtmlContentPage& page, std::vector<uint8_t> removed)
      : page_(page), removed_(std::move(removed)), facts_(page.SubtreeFacts(removed_)) {}

  // Whether the node itself was removed; its descendants are not marked.
  bool IsRemoved(int32_t i) const { return removed_[static_cast<size_t>(i)] != 0; }
  const std::vector<uint8_t>& removed() const { return removed_; }
  // The facts of what is left of a subtree.
  const HtmlTextFacts& facts(int32_t i) const { return facts_[static_cast<size_t>(i)]; }

  // Removes an element with what is in it. Cost: linear in the depth of the element.
  void Remove(int32_t i) {
    if (IsRemoved(i)) return;
    removed_[static_cast<size_t>(i)] = 1;
    const HtmlTextFacts gone = facts(i);
    for (int32_t a = page_.At(i).parent; a >= 0; a = page_.At(a).parent) {
      facts_[static_cast<size_t>(a)].Add(gone, -1);
    }
  }

 private:
  const HtmlContentPage& page_;
  std::vector<uint8_t> removed_;
  std::vector<HtmlTextFacts> facts_;
};

}  // namespace recall
