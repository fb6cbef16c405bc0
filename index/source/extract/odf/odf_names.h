#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "index/source/extract/container/xml_events.h"

namespace recall {

// The namespaces of OpenDocument under their usual prefixes.
std::span<const XmlNamespace> OdfNamespaces();

// The elements that are distinguished. All other elements are transparent: their children are read
// as if they were children of their parent.
enum class OdfElement : uint8_t {
  kTransparent,
  kSkipped,  // with all that is in it
  // Parts of a document.
  kAutomaticStyles,
  kBody,
  kDocument,
  kMeta,
  kStyles,
  kTextBody,
  kPresentationBody,
  kSpreadsheetBody,
  // Styles.
  kStyle,
  kListStyle,
  kListLevelNumber,
  kListLevelOther,
  kStyleProperties,
  kMasterStyles,
  kPageHeader,
  kPageFooter,
  // Blocks.
  kHeading,
  kParagraph,
  kList,
  kListHeader,
  kListItem,
  kNumberedParagraph,
  kTable,
  kRow,
  kCell,
  kPage,
  kNotesPage,
  kShape,
  kObject,
  // In paragraphs.
  kSpaces,
  kTab,
  kLineBreak,
  kNote,
  kComment,
  kRubyText,
  kNumber,
  // Texts that belong to no paragraph.
  kAlternativeText,
  kCreator,
  kDate,
  kMath,
  kMathAnnotation,
  kChart,
  kMetaText,
};

// Returns: kTransparent for names it does not know.
OdfElement OdfElementOf(std::string_view name);

// Returns the value of an attribute, "" if it is missing.
std::string_view OdfAttribute(std::span<const XmlAttribute> attributes, std::string_view name);
// Returns the value of an attribute that is a count, from 1 to 2^31; 1 if it is missing or no
// number.
int64_t OdfCount(std::span<const XmlAttribute> attributes, std::string_view name);

}  // namespace recall
