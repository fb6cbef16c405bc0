#include "index/source/extract/odf/odf_styles.h"

namespace recall {
namespace {

// A longer chain of derived styles is taken for a loop.
constexpr int kMostOdfParents = 32;
constexpr int kMostOdfListLevels = 32;
constexpr size_t kMostOdfStyles = 100'000;

char OdfFamilyOf(std::string_view family) {
  if (family == "paragraph") return 'p';
  if (family == "table") return 't';
  if (family == "drawing-page") return 'd';
  return '\0';
}

}  // namespace

void OdfStyles::Start(OdfElement element, std::span<const XmlAttribute> attributes) {
  switch (element) {
    case OdfElement::kStyle: {
      open_style_ = nullptr;
      const char family = OdfFamilyOf(OdfAttribute(attributes, "style:family"));
      if (family == '\0' || styles_.size() >= kMostOdfStyles) return;
      Style& style = styles_[family + std::string(OdfAttribute(attributes, "style:name"))];
      style = {std::string(OdfAttribute(attributes, "style:parent-style-name")), false};
      open_style_ = &style;
      return;
    }
    case OdfElement::kStyleProperties:
      if (open_style_ == nullptr) return;
      if (OdfAttribute(attributes, "table:display") == "false" ||
          OdfAttribute(attributes, "presentation:visibility") == "hidden") {
        open_style_->hidden = true;
      }
      return;
    case OdfElement::kListStyle:
      open_list_ = nullptr;
      if (numbered_levels_.size() >= kMostOdfStyles) return;
      open_list_ = &numbered_levels_[std::string(OdfAttribute(attributes, "style:name"))];
      *open_list_ = 0;
      return;
    case OdfElement::kListLevelNumber: {
      // A level without a number format shows no number.
      const int64_t level = OdfCount(attributes, "text:level");
      if (open_list_ == nullptr || level > kMostOdfListLevels) return;
      for (const XmlAttribute& attribute : attributes) {
        if (attribute.name == "style:num-format" && attribute.value.empty()) return;
      }
      *open_list_ |= uint32_t{1} << (level - 1);
      return;
    }
    default:
      return;
  }
}

const OdfStyles::Style* OdfStyles::Find(char family, std::string_view name) const {
  const auto found = styles_.find(family + std::string(name));
  return found == styles_.end() ? nullptr : &found->second;
}

OdfStyles::Role OdfStyles::RoleOf(std::string_view paragraph_style) const {
  std::string_view name = paragraph_style;
  for (int i = 0; i < kMostOdfParents && !name.empty(); ++i) {
    if (name == "Title") return Role::kTitle;
    if (name == "Preformatted_20_Text") return Role::kCode;
    const Style* const style = Find('p', name);
    if (style == nullptr) break;
    name = style->parent;
  }
  return Role::kBody;
}

bool OdfStyles::IsNumbered(std::string_view list_style, int level) const {
  if (level < 1 || level > kMostOdfListLevels) return false;
  const auto found = numbered_levels_.find(std::string(list_style));
  return found != numbered_levels_.end() && ((found->second >> (level - 1)) & 1) != 0;
}

bool OdfStyles::HidesSheet(std::string_view table_style) const {
  const Style* const style = Find('t', table_style);
  return style != nullptr && style->hidden;
}

bool OdfStyles::HidesSlide(std::string_view page_style) const {
  const Style* const style = Find('d', page_style);
  return style != nullptr && style->hidden;
}

}  // namespace recall
