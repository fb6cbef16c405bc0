#include "index/source/extract/odf/odf_names.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace recall {
namespace {

constexpr std::array kOdfNamespaces = std::to_array<XmlNamespace>({
    {"http://purl.org/dc/elements/1.1/", "dc"},
    {"http://www.w3.org/1998/Math/MathML", "math"},
    {"http://www.w3.org/1999/xlink", "xlink"},
    {"urn:oasis:names:tc:opendocument:xmlns:chart:1.0", "chart"},
    {"urn:oasis:names:tc:opendocument:xmlns:drawing:1.0", "draw"},
    {"urn:oasis:names:tc:opendocument:xmlns:dr3d:1.0", "dr3d"},
    {"urn:oasis:names:tc:opendocument:xmlns:form:1.0", "form"},
    {"urn:oasis:names:tc:opendocument:xmlns:manifest:1.0", "manifest"},
    {"urn:oasis:names:tc:opendocument:xmlns:meta:1.0", "meta"},
    {"urn:oasis:names:tc:opendocument:xmlns:office:1.0", "office"},
    {"urn:oasis:names:tc:opendocument:xmlns:presentation:1.0", "presentation"},
    {"urn:oasis:names:tc:opendocument:xmlns:script:1.0", "script"},
    {"urn:oasis:names:tc:opendocument:xmlns:style:1.0", "style"},
    {"urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0", "svg"},
    {"urn:oasis:names:tc:opendocument:xmlns:table:1.0", "table"},
    {"urn:oasis:names:tc:opendocument:xmlns:text:1.0", "text"},
});

struct NamedOdfElement {
  std::string_view name;
  OdfElement element;
};

struct OdfElements {
  using enum OdfElement;
  static constexpr std::array kByName = std::to_array<NamedOdfElement>({
      {"chart:chart", kChart},
      {"dc:creator", kCreator},
      {"dc:date", kDate},
      {"dc:description", kMetaText},
      {"dc:language", kMetaText},
      {"dc:subject", kMetaText},
      {"dc:title", kMetaText},
      {"dr3d:scene", kShape},
      {"draw:caption", kShape},
      {"draw:circle", kShape},
      {"draw:connector", kShape},
      {"draw:control", kShape},
      {"draw:custom-shape", kShape},
      {"draw:ellipse", kShape},
      {"draw:frame", kShape},
      {"draw:g", kShape},
      {"draw:line", kShape},
      {"draw:measure", kShape},
      {"draw:object", kObject},
      {"draw:page", kPage},
      {"draw:path", kShape},
      {"draw:polygon", kShape},
      {"draw:polyline", kShape},
      {"draw:rect", kShape},
      {"draw:regular-polygon", kShape},
      {"draw:text-box", kShape},
      {"math:annotation", kMathAnnotation},
      {"math:math", kMath},
      {"meta:creation-date", kMetaText},
      {"meta:creator-initials", kSkipped},
      {"meta:date-string", kSkipped},
      {"meta:initial-creator", kMetaText},
      {"meta:keyword", kMetaText},
      {"office:annotation", kComment},
      {"office:automatic-styles", kAutomaticStyles},
      {"office:binary-data", kSkipped},
      {"office:body", kBody},
      {"office:document", kDocument},
      {"office:document-content", kDocument},
      {"office:document-meta", kDocument},
      {"office:document-styles", kDocument},
      {"office:drawing", kPresentationBody},
      {"office:event-listeners", kSkipped},
      {"office:font-face-decls", kSkipped},
      {"office:forms", kSkipped},
      {"office:master-styles", kMasterStyles},
      {"office:meta", kMeta},
      {"office:presentation", kPresentationBody},
      {"office:scripts", kSkipped},
      {"office:settings", kSkipped},
      {"office:spreadsheet", kSpreadsheetBody},
      {"office:styles", kStyles},
      {"office:text", kTextBody},
      {"presentation:notes", kNotesPage},
      {"style:drawing-page-properties", kStyleProperties},
      {"style:footer", kPageFooter},
      {"style:footer-first", kPageFooter},
      {"style:footer-left", kPageFooter},
      {"style:header", kPageHeader},
      {"style:header-first", kPageHeader},
      {"style:header-left", kPageHeader},
      {"style:style", kStyle},
      {"style:table-properties", kStyleProperties},
      {"svg:desc", kAlternativeText},
      {"svg:title", kAlternativeText},
      {"table:content-validations", kSkipped},
      {"table:covered-table-cell", kCell},
      {"table:database-ranges", kSkipped},
      {"table:dde-links", kSkipped},
      {"table:named-expressions", kSkipped},
      {"table:table", kTable},
      {"table:table-cell", kCell},
      {"table:table-row", kRow},
      {"table:tracked-changes", kSkipped},
      {"text:alphabetical-index", kSkipped},
      {"text:bibliography-source", kSkipped},
      {"text:h", kHeading},
      {"text:illustration-index", kSkipped},
      {"text:line-break", kLineBreak},
      {"text:list", kList},
      {"text:list-header", kListHeader},
      {"text:list-item", kListItem},
      {"text:list-level-style-bullet", kListLevelOther},
      {"text:list-level-style-image", kListLevelOther},
      {"text:list-level-style-number", kListLevelNumber},
      {"text:list-style", kListStyle},
      {"text:note", kNote},
      {"text:note-citation", kSkipped},
      {"text:number", kNumber},
      {"text:numbered-paragraph", kNumberedParagraph},
      {"text:object-index", kSkipped},
      {"text:p", kParagraph},
      {"text:ruby-text", kRubyText},
      {"text:s", kSpaces},
      {"text:tab", kTab},
      {"text:table-index", kSkipped},
      {"text:table-of-content", kSkipped},
      {"text:tracked-changes", kSkipped},
      {"text:user-index-source", kSkipped},
  });
  static_assert(std::ranges::is_sorted(kByName, {}, &NamedOdfElement::name));
};

}  // namespace

std::span<const XmlNamespace> OdfNamespaces() { return kOdfNamespaces; }

OdfElement OdfElementOf(std::string_view name) {
  const auto& elements = OdfElements::kByName;
  const auto found = std::ranges::lower_bound(elements, name, {}, &NamedOdfElement::name);
  return found != elements.end() && found->name == name ? found->element : OdfElement::kTransparent;
}

std::string_view OdfAttribute(std::span<const XmlAttribute> attributes, std::string_view name) {
  for (const XmlAttribute& attribute : attributes) {
    if (attribute.name == name) return attribute.value;
  }
  return {};
}

int64_t OdfCount(std::span<const XmlAttribute> attributes, std::string_view name) {
  const std::string_view value = OdfAttribute(attributes, name);
  int64_t count = 1;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), count);
  if (error == std::errc::result_out_of_range && !value.starts_with('-')) return int64_t{1} << 31;
  if (error != std::errc() || end != value.data() + value.size()) return 1;
  return std::clamp<int64_t>(count, 1, int64_t{1} << 31);
}

}  // namespace recall
