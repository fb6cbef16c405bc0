#include "index/source/extract/html/html_tree.h"

#include <algorithm>
#include <new>
#include <utility>

#include "index/source/extract/html/html_arena.h"
#include "index/source/extract/html/html_filter.h"

namespace recall {
namespace {

constexpr int kMaxHtmlDepth = 512;

// Calls gumbo; null if it needs more memory than the arena has. No object with a destructor lives
// here, for the arena may jump back.
const GumboOutput* RunGumbo(const GumboLibrary& gumbo, HtmlArena* arena, const char* html,
                            size_t size) {
  if (setjmp(arena->escape) != 0) return nullptr;
  GumboOptions options = *gumbo.default_options;
  options.allocator = &HtmlArena::Allocate;
  options.deallocator = &HtmlArena::Free;
  options.userdata = arena;
  options.max_errors = 0;
  return gumbo.parse_with_options(&options, html, size);
}

// Makes the nodes from gumbo's tree, without recursion.
class HtmlFlattener final {
 public:
  HtmlFlattener(const GumboLibrary& gumbo, const std::vector<std::string_view>& texts,
                std::vector<HtmlNode>* nodes)
      : gumbo_(gumbo), texts_(texts), nodes_(nodes) {}

  void Run(const GumboNode* root) {
    AddElement(root, -1);
    while (!open_.empty()) {
      Place& place = open_.back();
      const GumboVector& children = place.node->v.element.children;
      if (place.next == children.length) {
        (*nodes_)[static_cast<size_t>(place.index)].end = static_cast<int32_t>(nodes_->size());
        open_.pop_back();
        continue;
      }
      const auto* const child = static_cast<const GumboNode*>(children.data[place.next++]);
      const int32_t parent = place.index;
      switch (child->type) {
        case GUMBO_NODE_ELEMENT:
          if (gumbo_.get_attribute(&child->v.element.attributes, "hidden") == nullptr) {
            AddElement(child, parent);  // `place` is invalid from here on
          }
          break;
        case GUMBO_NODE_TEXT:
        case GUMBO_NODE_WHITESPACE:
        case GUMBO_NODE_CDATA:
          AddText(child->v.text.text, parent);
          break;
        default:
          break;
      }
    }
  }

 private:
  struct Place {
    const GumboNode* node;
    int32_t index;
    unsigned int next;
  };

  void AddElement(const GumboNode* node, int32_t parent) {
    const GumboElement& element = node->v.element;
    HtmlNode made;
    made.tag = element.tag == GUMBO_TAG_Q ? GUMBO_TAG_A : element.tag;
    made.parent = parent;
    made.element = &element;
    open_.push_back({node, static_cast<int32_t>(nodes_->size()), 0});
    nodes_->push_back(made);
  }

  // A text of gumbo's is pieces of text and marks.
  void AddText(std::string_view text, int32_t parent) {
    while (!text.empty()) {
      const size_t mark = std::min(text.find(kHtmlMark), text.size());
      AddPiece(text.substr(0, mark), parent);
      text.remove_prefix(mark);
      if (text.size() < kHtmlMark.size() + kHtmlMarkDigits) return;
      text.remove_prefix(kHtmlMark.size());
      size_t index = 0;
      for (size_t i = kHtmlMarkDigits; i-- > 0;) {
        index = index << 6 | (static_cast<size_t>(text[i] - kHtmlMarkZero) & 63);
      }
      if (index < texts_.size()) AddPiece(texts_[index], parent);
      text.remove_prefix(kHtmlMarkDigits);
    }
  }

  void AddPiece(std::string_view piece, int32_t parent) {
    if (piece.empty()) return;
    HtmlNode made;
    made.parent = parent;
    made.text = piece;
    made.end = static_cast<int32_t>(nodes_->size()) + 1;
    nodes_->push_back(made);
  }

  const GumboLibrary& gumbo_;
  const std::vector<std::string_view>& texts_;
  std::vector<HtmlNode>* nodes_;
  std::vector<Place> open_;
};

}  // namespace

HtmlTree::HtmlTree() = default;
HtmlTree::~HtmlTree() = default;
HtmlTree::HtmlTree(HtmlTree&&) noexcept = default;
HtmlTree& HtmlTree::operator=(HtmlTree&&) noexcept = default;

std::string_view HtmlTree::Attribute(const HtmlNode& node, const char* name) const {
  if (node.element == nullptr || node.element->attributes.length == 0) return {};
  const GumboAttribute* const attribute =
      GumboLibrary::Get()->get_attribute(&node.element->attributes, name);
  return attribute == nullptr ? std::string_view() : std::string_view(attribute->value);
}

bool HtmlTree::HasAttribute(const HtmlNode& node, const char* name) const {
  return node.element != nullptr &&
         GumboLibrary::Get()->get_attribute(&node.element->attributes, name) != nullptr;
}

ExtractOutcome ParseHtmlTree(std::string_view text, const ExtractLimits& limits, HtmlTree* tree,
                             std::string* reason) {
  constexpr size_t kMaxHtmlBytes = size_t{64} << 20;
  const GumboLibrary* const gumbo = GumboLibrary::Get();
  if (gumbo == nullptr) {
    *reason = "libgumbo is not installed (Debian package libgumbo1)";
    return ExtractOutcome::kUnsupported;
  }
  if (text.size() > kMaxHtmlBytes) {
    *reason = "the page has more than 64 MiB";
    return ExtractOutcome::kTooLarge;
  }
  FilteredHtml filtered = FilterHtml(text, std::clamp(limits.max_depth, 16, kMaxHtmlDepth));
  if (filtered.too_many_elements) {
    *reason = "the page has more than " + std::to_string(kMaxHtmlElements) + " elements";
    return ExtractOutcome::kTooLarge;
  }
  tree->html_ = std::move(filtered.html);
  tree->arena_ = std::make_unique<HtmlArena>();
  const GumboOutput* const output =
      RunGumbo(*gumbo, tree->arena_.get(), tree->html_.data(), tree->html_.size());
  if (output == nullptr) {
    // The worker knows its limit.
    if (tree->arena_->out_of_memory) throw std::bad_alloc();
    *reason = "the tree of the page's elements needs more than 512 MiB";
    return ExtractOutcome::kTooLarge;
  }
  HtmlFlattener(*gumbo, filtered.texts, &tree->nodes_).Run(output->root);
  return ExtractOutcome::kText;
}

}  // namespace recall
