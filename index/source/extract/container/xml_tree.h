#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/source/extract/container/xml_events.h"

namespace recall {

class XmlTree;

// An element or a text of a tree, or none. All functions of none return empty values, so that a
// path needs no checks: p.Child("w:pPr").Child("w:pStyle").Attribute("w:val"). Two words in size;
// valid while the tree exists and is not moved.
class XmlNode final {
 public:
  XmlNode() = default;
  explicit operator bool() const { return tree_ != nullptr; }
  friend bool operator==(const XmlNode&, const XmlNode&) = default;

  bool IsElement() const;
  bool IsText() const;
  std::string_view name() const;  // of an element, as in XmlNamespace; else ""
  std::string_view text() const;  // of a text; else ""

  // The value of an attribute, "" if it is not there.
  std::string_view Attribute(std::string_view name) const;
  bool HasAttribute(std::string_view name) const;
  std::span<const XmlAttribute> attributes() const;

  XmlNode parent() const;
  XmlNode first_child() const;
  XmlNode next() const;  // sibling
  // The first child element with this name.
  XmlNode Child(std::string_view name) const;
  // Returns the node after this one in the order of the document, inside `root`; none at its end.
  // With `skip_children`, the nodes inside this one are left out. A walk over a tree needs no
  // stack.
  XmlNode NextInDocument(XmlNode root, bool skip_children = false) const;
  // Returns all texts in the element, joined.
  std::string TextContent() const;

  // for (XmlNode child : element.children())
  class Iterator;
  class Range;
  Range children() const;

 private:
  friend class XmlTree;
  XmlNode(const XmlTree* tree, uint32_t index) : tree_(tree), index_(index) {}

  const XmlTree* tree_ = nullptr;
  uint32_t index_ = 0;
};

// A document in memory: elements, attributes and texts; comments and instructions are left out. 28
// bytes for each node, 32 for each attribute, and the texts.
class XmlTree final {
 public:
  // Errors: those of XmlReader; LimitExceeded for a tree of more than max_bytes.
  static Result<XmlTree> Read(std::string_view bytes, std::span<const XmlNamespace> namespaces,
                              int max_depth, uint64_t max_bytes = kMaxTreeBytes);
  // Errors: those of ReadXmlEntry, too.
  static Result<XmlTree> ReadEntry(ZipContainer* container, std::string_view name,
                                   std::span<const XmlNamespace> namespaces, int max_depth,
                                   uint64_t max_bytes = kMaxTreeBytes);

  XmlTree() = default;
  XmlTree(XmlTree&&) = default;
  XmlTree& operator=(XmlTree&&) = default;
  XmlNode root() const { return nodes_.empty() ? XmlNode() : XmlNode(this, 0); }

  static constexpr uint64_t kMaxTreeBytes = 256 << 20;

 private:
  friend class XmlNode;
  class Builder;
  static constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();

  struct Node {
    uint32_t name = kNone;  // index into names_; kNone: a text
    uint32_t parent = kNone;
    uint32_t first_child = kNone;
    uint32_t last_child = kNone;
    uint32_t next = kNone;
    uint32_t begin = 0;  // of an element: its first attribute; of a text: its place in texts_
    uint32_t size = 0;   // number of attributes, or bytes
  };

  XmlNode At(uint32_t index) const { return index == kNone ? XmlNode() : XmlNode(this, index); }
  void BindViews();

  std::vector<Node> nodes_;
  std::vector<XmlAttribute> attributes_;
  std::vector<std::string> names_;
  std::string texts_;
  // An attribute while the tree is read: its name and value as places in names_ and texts_.
  struct AttributePlace {
    uint32_t name, begin, size;
  };
  std::vector<AttributePlace> places_;
};

class XmlNode::Iterator final {
 public:
  explicit Iterator(XmlNode node) : node_(node) {}
  XmlNode operator*() const { return node_; }
  Iterator& operator++() {
    node_ = node_.next();
    return *this;
  }
  friend bool operator==(const Iterator&, const Iterator&) = default;

 private:
  XmlNode node_;
};

class XmlNode::Range final {
 public:
  explicit Range(XmlNode first) : first_(first) {}
  Iterator begin() const { return Iterator(first_); }
  Iterator end() const { return Iterator(XmlNode()); }

 private:
  XmlNode first_;
};

inline XmlNode::Range XmlNode::children() const { return Range(first_child()); }

}  // namespace recall
