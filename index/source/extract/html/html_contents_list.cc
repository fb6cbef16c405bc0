#include "index/source/extract/html/html_contents_list.h"

#include <algorithm>
#include <string_view>

namespace recall {
namespace {

bool IsBlankHtml(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<uint8_t>(c) <= 0x20; });
}

// Finds runs of headings that are links.
class ContentsListFinder final {
 public:
  ContentsListFinder(const HtmlTree& tree, bool is_whole)
      : tree_(tree), nodes_(tree.nodes()), is_whole_(is_whole) {}

  std::vector<uint8_t> Run() {
    const auto count = static_cast<int32_t>(nodes_.size());
    for (int32_t i = 0; i < count;) {
      const HtmlNode& node = At(i);
      if (node.is_text()) {
        if (!IsBlankHtml(node.text)) EndRun();
        ++i;
      } else if (node.tag >= GUMBO_TAG_H1 && node.tag <= GUMBO_TAG_H6) {
        AddHeading(i);
        i = node.end;
      } else {
        ++i;
      }
    }
    EndRun();
    return std::move(found_);
  }

 private:
  const HtmlNode& At(int32_t i) const { return nodes_[static_cast<size_t>(i)]; }

  // Between headings that are links there may be others: parts of a book that are no page.
  void AddHeading(int32_t i) {
    if (LeadsElsewhere(i)) {
      run_.insert(run_.end(), waiting_.begin(), waiting_.end());
      waiting_.clear();
      run_.push_back(i);
      ++links_;
    } else if (!run_.empty()) {
      waiting_.push_back(i);
    }
  }

  // Whether all text of the heading is in links, none of which leads to the heading itself.
  bool LeadsElsewhere(int32_t heading) const {
    bool has_link = false;
    for (int32_t i = heading + 1; i < At(heading).end;) {
      const HtmlNode& node = At(i);
      if (node.is_text()) {
        if (!IsBlankHtml(node.text)) return false;
        ++i;
        continue;
      }
      const std::string_view target =
          node.tag == GUMBO_TAG_A ? tree_.Attribute(node, "href") : std::string_view();
      if (target.empty()) {
        ++i;
        continue;
      }
      if (is_whole_ && target[0] != '#') return false;
      if (target[0] == '#' && IsIdAround(target.substr(1), heading)) return false;
      has_link = true;
      i = node.end;
    }
    return has_link;
  }

  // Whether the id is that of the heading, of an element in it, or of what it is the heading of.
  bool IsIdAround(std::string_view id, int32_t heading) const {
    for (int32_t i = heading; i < At(heading).end; ++i) {
      if (!At(i).is_text() && tree_.Attribute(At(i), "id") == id) return true;
    }
    constexpr int kLevels = 3;  // of sections and divisions around the heading
    int32_t around = At(heading).parent;
    for (int level = 0; level < kLevels && around >= 0; ++level, around = At(around).parent) {
      if (tree_.Attribute(At(around), "id") == id) return true;
    }
    return false;
  }

  void EndRun() {
    constexpr size_t kLeast = 4;
    if (links_ >= kLeast && 2 * links_ >= run_.size()) {
      size_t without_text = 0;
      for (size_t i = 1; i < run_.size(); ++i) {
        without_text += At(run_[i]).tag <= At(run_[i - 1]).tag;
      }
      if (without_text >= 2) {
        found_.resize(nodes_.size(), 0);
        for (const int32_t heading : run_) found_[static_cast<size_t>(heading)] = 1;
      }
    }
    run_.clear();
    waiting_.clear();
    links_ = 0;
  }

  const HtmlTree& tree_;
  const std::vector<HtmlNode>& nodes_;
  const bool is_whole_;
  std::vector<int32_t> run_;      // headings without text between, from a link to a link
  std::vector<int32_t> waiting_;  // those since then, which are no links
  size_t links_ = 0;              // in run_
  std::vector<uint8_t> found_;
};

}  // namespace

std::vector<uint8_t> FindContentsHeadings(const HtmlTree& tree, bool is_whole) {
  return ContentsListFinder(tree, is_whole).Run();
}

}  // namespace recall
