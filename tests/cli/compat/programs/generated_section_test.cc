#include "cli/compat/programs/generated_section.h"

#include <gtest/gtest.h>

namespace recall {
namespace {

TEST(GeneratedSectionTest, ItGoesWithItsHeading) {
  const std::string section =
      "## Auto-Related <!-- bastra:auto-related:start -->\n\n- [[b]] (cosine 0.71)\n\n"
      "<!-- bastra:auto-related:end -->\n";
  EXPECT_EQ(WithoutGeneratedSection("Text.\n\n" + section), "Text.\n\n");
  EXPECT_EQ(WithoutGeneratedSection(section + "Text.\n"), "Text.\n");
  EXPECT_EQ(WithoutGeneratedSection(section.substr(0, section.size() - 1)), "");
  EXPECT_EQ(WithoutGeneratedSection("No section.\n"), "No section.\n");
  const std::string open = "a\n<!-- bastra:auto-related:start -->\nb\n";
  EXPECT_EQ(WithoutGeneratedSection(open), open);
}

}  // namespace
}  // namespace recall
