#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "index/source/extract/container/xml_tree.h"

namespace recall {

// The heading level and the list of the paragraphs that have a style (word/styles.xml).
struct DocxStyle {
  int heading = 0;     // from 1; 0: none
  std::string list;    // numId; "" for none
  int list_level = 0;  // from 0
};

class DocxStyles final {
 public:
  DocxStyles() = default;
  explicit DocxStyles(XmlNode styles);

  // Returns the style with this id, with the values that it inherits. A style that is not defined
  // is a heading if its id is "Heading1" or the like.
  DocxStyle Find(std::string_view id) const;

 private:
  struct Definition {
    std::string based_on;
    int heading = -1;  // -1: inherited
    bool has_list = false;
    std::string list;
    int list_level = 0;
  };
  std::unordered_map<std::string, Definition> styles_;
};

// The numbers of list items (word/numbering.xml), which are counted as the document is read.
class DocxNumbering final {
 public:
  DocxNumbering() = default;
  explicit DocxNumbering(XmlNode numbering);

  // Returns the level of a list that has this paragraph style; -1 if no level has it.
  int LevelOfStyle(std::string_view list, std::string_view style) const;

  // Counts the next item, and returns what stands before it: "-" for bullets and unknown lists,
  // "3.", "2.1", "a)". level: from 0.
  std::string Next(std::string_view list, int level);

 private:
  static constexpr int kLevels = 9;
  struct Level {
    std::string format = "decimal";
    std::string text;   // "%1."
    std::string style;  // of paragraphs
    int64_t start = 1;
  };
  struct Abstract {
    std::array<Level, kLevels> levels;
    std::array<int64_t, kLevels> counts{};  // of items
    std::array<bool, kLevels> counting{};   // whether there was an item
  };
  struct List {
    std::string abstract;
    std::array<int64_t, kLevels> starts{};  // of this list; -1: those of the abstract one
    bool used = false;
  };

  static void ReadLevel(XmlNode node, Level* level);
  // Returns the marker of the last item of a level.
  static std::string MarkerOf(const Abstract& counted, const Level& form);

  std::unordered_map<std::string, Abstract> abstracts_;
  std::unordered_map<std::string, List> lists_;
};

// Returns a number as lists show it. format: "lowerRoman", "upperLetter", ...; others are decimal.
std::string ListNumber(int64_t number, std::string_view format);

}  // namespace recall
