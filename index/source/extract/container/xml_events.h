#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "index/source/extract/container/zip_container.h"
#include "index/source/extract/types/extraction.h"
#include "storage/base/result.h"

namespace recall {

// A namespace that a format uses, and its prefix in the names that handlers get. Its element "p" is
// called "w:p", even if the file declares another prefix. Several URIs may have one prefix. Names
// without a namespace have no prefix: "p". Names of other namespaces have the prefix "?": "?:p".
struct XmlNamespace {
  std::string_view uri;
  std::string_view prefix;
};

struct XmlAttribute {
  std::string_view name;
  std::string_view value;
};

// Receives the elements and texts of a document in their order. The views are valid during the
// call; names are valid while the reader exists. Each function returns whether it wants more. All
// text is UTF-8.
class XmlHandler {
 public:
  virtual ~XmlHandler() = default;
  virtual bool Start(std::string_view name, std::span<const XmlAttribute> attributes) = 0;
  virtual bool End(std::string_view name) = 0;
  // A text may come in several pieces. White space between elements comes, too.
  virtual bool Text(std::string_view text) = 0;
};

// Reads one untrusted XML document (XML 1.0 with namespaces; UTF-8, UTF-16, ISO-8859-1) with expat.
// External entities and DTDs are not read: a document that declares an entity is damaged, a mere
// DOCTYPE is ignored. The calls do not depend on how the document is divided into blocks, except
// that texts may be divided differently. Not thread-safe.
class XmlReader final {
 public:
  // `namespaces` and `handler` must outlive the reader. max_depth: of elements in elements. Errors:
  // Unsupported if expat is not installed.
  static Result<XmlReader> Make(std::span<const XmlNamespace> namespaces, int max_depth,
                                XmlHandler* handler);
  ~XmlReader();
  XmlReader(XmlReader&&) noexcept;
  XmlReader& operator=(XmlReader&&) noexcept;

  // Reads the next bytes of the document. Errors, which are final: Corruption, with the line;
  // LimitExceeded for a document that is too deep. Bytes are ignored after a function of the
  // handler returned false.
  Status Feed(std::string_view block);
  // Must be called at the end of the document. Errors: those of Feed; Corruption if the document is
  // not complete.
  Status Finish();
  // Whether a function of the handler returned false.
  bool stopped() const;

 private:
  class State;
  explicit XmlReader(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// Reads a whole document.
Status ReadXml(std::string_view bytes, std::span<const XmlNamespace> namespaces, int max_depth,
               XmlHandler* handler);

// Reads the document that an entry of a container is, in blocks. Errors: those of
// ZipContainer::ReadBlocks and XmlReader; they name the entry.
Status ReadXmlEntry(ZipContainer* container, std::string_view name,
                    std::span<const XmlNamespace> namespaces, int max_depth, XmlHandler* handler);

}  // namespace recall
