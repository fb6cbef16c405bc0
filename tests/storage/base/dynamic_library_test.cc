#include "storage/base/dynamic_library.h"

#include <gtest/gtest.h>

namespace recall {
namespace {

int Seven() { return 7; }

class DynamicLibraryTest : public testing::Test {
 protected:
  ~DynamicLibraryTest() override { SetLinkedLibraries({}); }
};

TEST_F(DynamicLibraryTest, OpensLibrariesOfTheSystem) {
  void* const library = OpenLibrary("libm.so.6");
  ASSERT_NE(library, nullptr);
  double (*square_root)(double) = nullptr;
  ASSERT_TRUE(LoadSymbol(library, "sqrt", &square_root));
  EXPECT_EQ(square_root(9), 3);
  EXPECT_FALSE(LoadSymbol(library, "no_such_function", &square_root));
  EXPECT_EQ(square_root, nullptr);
  EXPECT_EQ(OpenLibrary("libinvented.so.1"), nullptr);
}

TEST_F(DynamicLibraryTest, FindsWhatIsLinkedInByTheNamesOfItsLibraries) {
  static constexpr const char* kNames[] = {"libm.so.6", "libinvented.so.1"};
  static const LinkedSymbol symbols[] = {{"seven", reinterpret_cast<const void*>(&Seven)}};
  SetLinkedLibraries({kNames, symbols});
  // Linked libraries come before those of the system.
  for (const char* const name : kNames) {
    void* const library = OpenLibrary(name);
    ASSERT_NE(library, nullptr);
    int (*seven)() = nullptr;
    ASSERT_TRUE(LoadSymbol(library, "seven", &seven));
    EXPECT_EQ(seven(), 7);
    EXPECT_EQ(FindSymbol(library, "sqrt"), nullptr);
  }
  EXPECT_EQ(OpenLibrary("libinvented.so.2"), nullptr);
}

}  // namespace
}  // namespace recall
