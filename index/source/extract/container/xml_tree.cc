#include "index/source/extract/container/xml_tree.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace recall {

// Nodes are in the order of the document in one array; links are indexes. Names are kept once,
// texts and values of attributes are in one string. So a tree is a few blocks of memory, whatever
// its shape.
class XmlTree::Builder final : public XmlHandler {
 public:
  Builder(XmlTree* tree, uint64_t max_bytes) : tree_(*tree), max_bytes_(max_bytes) {}

  // Whether the tree became too large.
  bool full() const { return full_; }

  bool Start(std::string_view name, std::span<const XmlAttribute> attributes) override {
    Node node{.name = NameIndex(name), .parent = open_};
    node.begin = static_cast<uint32_t>(tree_.places_.size());
    node.size = static_cast<uint32_t>(attributes.size());
    for (const XmlAttribute& attribute : attributes) {
      tree_.places_.push_back({NameIndex(attribute.name), Keep(attribute.value),
                               static_cast<uint32_t>(attribute.value.size())});
    }
    open_ = Add(node);
    text_ = kNone;
    return Fits();
  }

  bool End(std::string_view) override {
    open_ = tree_.nodes_[open_].parent;
    text_ = kNone;
    return true;
  }

  bool Text(std::string_view text) override {
    if (open_ == kNone) return true;
    const uint32_t begin = Keep(text);
    if (text_ != kNone) {
      tree_.nodes_[text_].size += static_cast<uint32_t>(text.size());
    } else {
      text_ = Add({.parent = open_, .begin = begin, .size = static_cast<uint32_t>(text.size())});
    }
    return Fits();
  }

 private:
  uint32_t Add(const Node& node) {
    const auto index = static_cast<uint32_t>(tree_.nodes_.size());
    tree_.nodes_.push_back(node);
    if (node.parent != kNone) {
      Node& parent = tree_.nodes_[node.parent];
      if (parent.last_child == kNone) {
        parent.first_child = index;
      } else {
        tree_.nodes_[parent.last_child].next = index;
      }
      parent.last_child = index;
    }
    return index;
  }

  uint32_t Keep(std::string_view text) {
    const auto begin = static_cast<uint32_t>(tree_.texts_.size());
    tree_.texts_ += text;
    return begin;
  }

  uint32_t NameIndex(std::string_view name) {
    // XmlReader passes equal names with equal addresses, so that an address identifies a name.
    const auto [found, is_new] =
        name_indexes_.emplace(name.data(), static_cast<uint32_t>(tree_.names_.size()));
    if (is_new) tree_.names_.emplace_back(name);
    return found->second;
  }

  bool Fits() {
    const uint64_t bytes = tree_.nodes_.size() * sizeof(Node) +
                           tree_.places_.size() * (sizeof(AttributePlace) + sizeof(XmlAttribute)) +
                           tree_.texts_.size();
    full_ = bytes > max_bytes_;
    return !full_;
  }

  XmlTree& tree_;
  uint64_t max_bytes_;
  uint32_t open_ = kNone;
  uint32_t text_ = kNone;  // the text that more text continues
  bool full_ = false;
  std::unordered_map<const char*, uint32_t> name_indexes_;
};

namespace {

Status TreeTooLarge() { return Status::LimitExceeded("its XML takes too much memory"); }

}  // namespace

void XmlTree::BindViews() {
  // A string of this size is on the heap, so that its bytes stay where they are when the tree is
  // moved.
  texts_.reserve(64);
  attributes_.reserve(places_.size());
  for (const AttributePlace& place : places_) {
    attributes_.push_back(
        {names_[place.name], std::string_view(texts_).substr(place.begin, place.size)});
  }
  places_ = {};
}

Result<XmlTree> XmlTree::Read(std::string_view bytes, std::span<const XmlNamespace> namespaces,
                              int max_depth, uint64_t max_bytes) {
  XmlTree tree;
  Builder builder(&tree, std::min<uint64_t>(max_bytes, 1u << 31));
  RECALL_TRY(ReadXml(bytes, namespaces, max_depth, &builder));
  if (builder.full()) return Fail(TreeTooLarge());
  tree.BindViews();
  return tree;
}

Result<XmlTree> XmlTree::ReadEntry(ZipContainer* container, std::string_view name,
                                   std::span<const XmlNamespace> namespaces, int max_depth,
                                   uint64_t max_bytes) {
  XmlTree tree;
  Builder builder(&tree, std::min<uint64_t>(max_bytes, 1u << 31));
  RECALL_TRY(ReadXmlEntry(container, name, namespaces, max_depth, &builder));
  if (builder.full()) return Fail(TreeTooLarge());
  tree.BindViews();
  return tree;
}

bool XmlNode::IsElement() const {
  return tree_ != nullptr && tree_->nodes_[index_].name != XmlTree::kNone;
}

bool XmlNode::IsText() const {
  return tree_ != nullptr && tree_->nodes_[index_].name == XmlTree::kNone;
}

std::string_view XmlNode::name() const {
  if (!IsElement()) return {};
  return tree_->names_[tree_->nodes_[index_].name];
}

std::string_view XmlNode::text() const {
  if (!IsText()) return {};
  const XmlTree::Node& node = tree_->nodes_[index_];
  return std::string_view(tree_->texts_).substr(node.begin, node.size);
}

std::span<const XmlAttribute> XmlNode::attributes() const {
  if (!IsElement()) return {};
  const XmlTree::Node& node = tree_->nodes_[index_];
  return std::span(tree_->attributes_).subspan(node.begin, node.size);
}

std::string_view XmlNode::Attribute(std::string_view name) const {
  for (const XmlAttribute& attribute : attributes()) {
    if (attribute.name == name) return attribute.value;
  }
  return {};
}

bool XmlNode::HasAttribute(std::string_view name) const {
  const auto all = attributes();
  return std::ranges::find(all, name, &XmlAttribute::name) != all.end();
}

XmlNode XmlNode::parent() const {
  return tree_ == nullptr ? XmlNode() : tree_->At(tree_->nodes_[index_].parent);
}

XmlNode XmlNode::first_child() const {
  return tree_ == nullptr ? XmlNode() : tree_->At(tree_->nodes_[index_].first_child);
}

XmlNode XmlNode::next() const {
  return tree_ == nullptr ? XmlNode() : tree_->At(tree_->nodes_[index_].next);
}

XmlNode XmlNode::Child(std::string_view name) const {
  XmlNode child = first_child();
  while (child && child.name() != name) child = child.next();
  return child;
}

XmlNode XmlNode::NextInDocument(XmlNode root, bool skip_children) const {
  if (tree_ == nullptr) return {};
  if (!skip_children) {
    if (const XmlNode child = first_child()) return child;
  }
  for (XmlNode node = *this; node && node != root; node = node.parent()) {
    if (const XmlNode sibling = node.next()) return sibling;
  }
  return {};
}

std::string XmlNode::TextContent() const {
  std::string joined(text());
  if (IsText()) return joined;
  for (XmlNode node = NextInDocument(*this); node; node = node.NextInDocument(*this)) {
    joined += node.text();
  }
  return joined;
}

}  // namespace recall
