#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "index/source/extract/container/xml_events.h"
#include "index/source/extract/odf/odf_names.h"

namespace recall {

// The styles of a document, as far as they say something about the meaning of its paragraphs,
// lists, sheets and slides.
class OdfStyles final {
 public:
  enum class Role : uint8_t { kBody, kTitle, kCode };

  // Must be called for the elements of office:styles and office:automatic-styles, in the order of
  // the document. Later styles replace earlier ones with the same name.
  void Start(OdfElement element, std::span<const XmlAttribute> attributes);

  // The role of paragraphs with this style, which may come from a style that it is derived from.
  Role RoleOf(std::string_view paragraph_style) const;
  // Whether items of this list style have numbers. level: from 1.
  bool IsNumbered(std::string_view list_style, int level) const;
  // Whether sheets with this style are not displayed.
  bool HidesSheet(std::string_view table_style) const;
  // Whether slides with this style are left out of the show.
  bool HidesSlide(std::string_view page_style) const;

 private:
  struct Style {
    std::string parent;
    bool hidden = false;
  };
  const Style* Find(char family, std::string_view name) const;

  std::unordered_map<std::string, Style> styles_;              // key: 'p', 't' or 'd', and the name
  std::unordered_map<std::string, uint32_t> numbered_levels_;  // bit n: level n + 1
  Style* open_style_ = nullptr;
  uint32_t* open_list_ = nullptr;
};

}  // namespace recall
