#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "index/source/extract/container/xml_tree.h"
#include "index/source/extract/container/zip_container.h"
#include "index/source/extract/types/extraction.h"

namespace recall {

// The namespaces of ECMA-376, transitional and strict, with the prefixes that are usual: w r a p x
// wp c dgm m mc pkg cp dc dcterms v xdr.
std::span<const XmlNamespace> OoxmlNamespaces();

struct OoxmlRelation {
  std::string id;
  std::string type;    // the last word of its URI: "slide", "notesSlide"
  std::string target;  // name of an entry; "" if it is elsewhere
};

// The relations of one part.
class OoxmlRelations final {
 public:
  void Add(OoxmlRelation relation);
  const std::vector<OoxmlRelation>& all() const { return all_; }
  // The target of the relation with this id, or of the first with this type; "" if there is none.
  std::string TargetOfId(std::string_view id) const;
  std::string TargetOfType(std::string_view type) const;

 private:
  std::vector<OoxmlRelation> all_;
  std::unordered_map<std::string, size_t> by_id_;
};

// A package (ECMA-376 part 2) that is open.
class OoxmlPackage final {
 public:
  // The bytes must outlive the package. Errors: those of ZipContainer::Open; NeedsPassword for an
  // encrypted document; Unsupported for one of the older binary formats.
  static Result<OoxmlPackage> Open(std::string_view bytes, const ExtractLimits& limits);

  // The relations of a part, "" for the package; none if the part has none. Errors: those of
  // XmlTree::ReadEntry.
  Result<OoxmlRelations> RelationsOf(std::string_view part);

  // The name of the main part. Errors: Corruption if there is none.
  Result<std::string> MainPart();

  Result<XmlTree> ReadTree(std::string_view part);
  Status ReadStream(std::string_view part, XmlHandler* handler);

  // A part that the document can do without. Nothing if `part` is "" or it cannot be read, which is
  // remembered (damaged_parts). Errors: LimitExceeded alone.
  Result<std::optional<XmlTree>> ReadOptional(std::string_view part);

  // Takes the error of an optional part: an error again if it is LimitExceeded, else OK.
  Status Excuse(const Status& error);
  bool damaged_parts() const { return damaged_parts_; }

  // Adds the core properties to `facts`, and warnings.
  Status ReadFacts(Extraction* facts);

  ZipContainer& container() { return container_; }

 private:
  OoxmlPackage(ZipContainer container, int max_depth)
      : container_(std::move(container)), max_depth_(max_depth) {}

  ZipContainer container_;
  int max_depth_;
  bool damaged_parts_ = false;
};

// The part of mc:AlternateContent that is read: its first Choice, or else the Fallback. Other nodes
// are returned as they are.
XmlNode ChosenContent(XmlNode node);

// "1", "true", "on", and "" for an attribute that is not there where `if_missing`.
bool IsOn(std::string_view value, bool if_missing);

// A decimal number; nothing for anything else, and for numbers of more than 9 digits.
std::optional<int64_t> ShortNumber(std::string_view text);

}  // namespace recall
