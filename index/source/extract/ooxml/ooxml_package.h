#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "index/source/extract/container/xml_tree.h"
#include "index/source/extract/container/zip_container.h"
#include "index/source/extract/types/extraction.h"

namespace recall {

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

  // Reads a part that the document can do without. Returns nothing if `part` is "", or if it cannot
  // be read, which becomes the warning "damaged_parts". Errors: LimitExceeded alone.
  Result<std::optional<XmlTree>> ReadOptional(std::string_view part);

  // Turns the error of an optional part into the warning "damaged_parts". Errors: LimitExceeded,
  // which is not excused.
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

// Whether the value of an attribute is "1", "true" or "on". if_missing: the result for "".
bool IsOn(std::string_view value, bool if_missing);

// Reads a decimal number of at most 9 digits; nothing for other texts.
std::optional<int64_t> ShortNumber(std::string_view text);

}  // namespace recall
