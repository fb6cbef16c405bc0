#include "query/ask/uses/reference_evidence.h"

#include <gtest/gtest.h>

namespace recall {
namespace {

using Evidence = ReferenceEvidence;

// The place of the first `|` in the text, which is removed.
struct Place {
  Place(std::string of_path, std::string marked, std::string name, std::string of_imports = "",
        std::vector<std::string_view> scope = {})
      : path(std::move(of_path)), text(std::move(marked)), imports(std::move(of_imports)) {
    const size_t at = text.find('|');
    text.erase(at, 1);
    place = {path, text, at, at + name.size(), imports, std::move(scope)};
  }
  Place(const Place&) = delete;

  std::string path;
  std::string text;
  std::string imports;
  NamePlace place;
};

const NamedDefinition kMethod = {"src/store.cc", "method", {"db", "Store"}};
const NamedDefinition kFunction = {"lib/clock.py", "function", {}};

TEST(ReferenceEvidenceTest, AMethodByItsScopeItsReceiverAndItsFile) {
  const auto of = [](const Place& place) { return EvidenceOf(place.place, kMethod); };
  EXPECT_EQ(of({"a.cc", "db::Store::|Commit()", "Commit"}), Evidence::kScope);
  EXPECT_EQ(of({"a.cc", "store_->|Commit()", "Commit"}), Evidence::kScope);
  EXPECT_EQ(of({"a.cc", "this->|Commit()", "Commit", "", {"db", "Store", "Run"}}),
            Evidence::kScope);
  EXPECT_EQ(of({"a.cc", "|Commit()", "Commit", "", {"Store"}}), Evidence::kScope);
  EXPECT_EQ(of({"src/store.cc", "x.|Commit()", "Commit"}), Evidence::kFile);
  EXPECT_EQ(of({"src/other.cc", "x.|Commit()", "Commit"}), Evidence::kImport);
  EXPECT_EQ(of({"a.cc", "x.|Commit()", "Commit", "#include \"src/store.h\"\n"}), Evidence::kImport);
  EXPECT_EQ(of({"a.cc", "x.|Commit()", "Commit", "#include \"src/restore.h\"\n"}), Evidence::kName);
  EXPECT_EQ(of({"a.cc", "|Commit()", "Commit"}), Evidence::kName) << "of a base class";
  EXPECT_EQ(of({"a.py", "|Commit()", "Commit"}), std::nullopt) << "Python needs a receiver";
}

TEST(ReferenceEvidenceTest, AFunctionByItsModuleAndNotAsMember) {
  const auto of = [](const Place& place) { return EvidenceOf(place.place, kFunction); };
  EXPECT_EQ(of({"a.py", "clock.|now()", "now"}), Evidence::kScope);
  EXPECT_EQ(of({"a.py", "c.|now()", "now", "import clock as c\n"}), Evidence::kScope);
  EXPECT_EQ(of({"a.py", "c.|now()", "now"}), std::nullopt);
  EXPECT_EQ(of({"a.py", "f().|now()", "now"}), std::nullopt);
  EXPECT_EQ(of({"a.py", "|now()", "now"}), Evidence::kName);
  EXPECT_EQ(of({"a.py", "|now()", "now", "from lib.clock import now\n"}), Evidence::kScope);
  EXPECT_EQ(of({"a.py", "|now()", "now", "from lib.clock import *\n"}), Evidence::kImport);
  EXPECT_EQ(of({"lib/clock.py", "|now()", "now"}), Evidence::kFile);
}

TEST(ReferenceEvidenceTest, WhereDefinitionsCanBeUsed) {
  const auto of = [](std::string_view path, std::string_view text, std::string_view name) {
    return VisibilityOf(path, text, 0, name, "function");
  };
  EXPECT_EQ(of("a.c", "static int\ngo(void) {}", "go"), Visibility::kFile);
  EXPECT_EQ(of("a.h", "static int go(void) {}", "go"), Visibility::kAnywhere);
  EXPECT_EQ(of("a.c", "int go(void) { static int n; }", "go"), Visibility::kAnywhere);
  EXPECT_EQ(VisibilityOf("a.cc", "static int go();", 0, "go", "method"), Visibility::kAnywhere);
  EXPECT_EQ(of("a.go", "func go() {}", "go"), Visibility::kDirectory);
  EXPECT_EQ(of("a.go", "func Go() {}", "Go"), Visibility::kAnywhere);
  EXPECT_EQ(of("a.ts", "function go() {}", "go"), Visibility::kFile);
  for (const char* text : {"export function go() {}", "function go() {}\nexport {\n  a,\n  go\n}",
                           "function go() {}\nmodule.exports = { go }", "exports.go = go"}) {
    EXPECT_EQ(of("a.js", text, "go"), Visibility::kAnywhere) << text;
  }
  EXPECT_EQ(of("a.py", "def go(): pass", "go"), Visibility::kAnywhere);
  const NamedDefinition local = {"src/a.c", "function", {}, Visibility::kFile};
  EXPECT_EQ(EvidenceOf(Place("src/b.c", "|go()", "go").place, local), std::nullopt);
  EXPECT_EQ(EvidenceOf(Place("src/a.c", "|go()", "go").place, local), Evidence::kFile);
}

TEST(ReferenceEvidenceTest, Calls) {
  const auto is_call = [](const Place& place) { return IsCallPlace(place.place); };
  EXPECT_TRUE(is_call({"a.cc", "|go (1)", "go"}));
  EXPECT_TRUE(is_call({"a.cc", "|go<std::vector<int>>(1)", "go"}));
  EXPECT_TRUE(is_call({"a.rs", "|go::<u8>(1)", "go"}));
  EXPECT_TRUE(is_call({"a.rs", "|go!(1)", "go"}));
  EXPECT_TRUE(is_call({"a.rb", "|go 1", "go"}));
  EXPECT_FALSE(is_call({"a.cc", "run(|go);", "go"}));
  EXPECT_FALSE(is_call({"a.cc", "|go < 3; f(1)", "go"}));
  EXPECT_FALSE(is_call({"a.cc", "|go", "go"}));
}

TEST(ReferenceEvidenceTest, DeclarationsOfC) {
  const auto declares = [](const Place& place, bool in_function = false) {
    return IsDeclarationPlace(place.place, in_function);
  };
  EXPECT_TRUE(declares({"a.h", "int x;\nextern int |go(int);\n", "go"}));
  EXPECT_FALSE(declares({"a.c", "  |go(1);\n", "go"}, true)) << "a call";
  EXPECT_FALSE(declares({"a.c", "int x = |go(1);\n", "go"}));
  EXPECT_FALSE(declares({"a.c", "int (*f)(int) = |go;\n", "go"}));
  EXPECT_FALSE(declares({"a.c", "#define RUN |go(1)\n", "go"}));
  EXPECT_FALSE(declares({"a.py", "|go(1)\n", "go"}));
}

}  // namespace
}  // namespace recall
