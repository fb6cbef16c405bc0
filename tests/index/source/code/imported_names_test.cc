#include "index/source/code/imported_names.h"

#include <gtest/gtest.h>

namespace recall {
namespace {

TEST(ImportedNamesTest, ModulesOfJavaScript) {
  const auto imports = [](std::string_view text, std::string_view path) {
    return ImportsNameFrom("src/app/main.ts", text, "go", path);
  };
  EXPECT_TRUE(imports("import { a, go } from './util';\n", "src/app/util.ts"));
  EXPECT_TRUE(
      imports("import {\n  a,\n  go,\n} from \"../core/util.gen\"\n", "src/core/util.gen.ts"));
  EXPECT_TRUE(imports("import go from './util.js'\n", "src/app/util.ts"));
  EXPECT_TRUE(imports("import type { go } from '..'\n", "src/index.ts"));
  EXPECT_TRUE(imports("import { go } from './lib'\n", "src/app/lib/index.tsx"));
  EXPECT_FALSE(imports("import { go } from './util'\n", "src/core/util.ts"));
  EXPECT_FALSE(imports("import { gone } from './util'\n", "src/app/util.ts"));
  EXPECT_FALSE(imports("import { go } from 'util'\n", "util.ts")) << "a package";
  EXPECT_FALSE(imports("import go\nimport './util'\n", "src/app/util.ts"));
  EXPECT_FALSE(imports("import { go } from './util", "src/app/util.ts"));
}

TEST(ImportedNamesTest, ModulesOfPython) {
  const auto imports = [](std::string_view text, std::string_view path) {
    return ImportsNameFrom("src/app/main.py", text, "go", path);
  };
  EXPECT_TRUE(imports("from app.util import go\n", "src/app/util.py"));
  EXPECT_TRUE(imports("from util import a, go as g\n", "util.py"));
  EXPECT_TRUE(imports("from .util import (\n    a,\n    go,\n)\n", "src/app/util.py"));
  EXPECT_TRUE(imports("from ..core import go\n", "src/core/__init__.py"));
  EXPECT_TRUE(imports("from . import go\n", "src/app/__init__.py"));
  EXPECT_FALSE(imports("from app.util import gone\n", "src/app/util.py"));
  EXPECT_FALSE(imports("from util import go\n", "src/app/myutil.py"));
  EXPECT_FALSE(imports("import go\n", "src/app/util.py"));
}

TEST(ImportedNamesTest, OtherLanguages) {
  EXPECT_FALSE(ImportsNameFrom("a.c", "#include \"go.h\"\n", "go", "go.h"));
  EXPECT_FALSE(ImportsNameFrom("Makefile", "import go from './a'", "go", "a.js"));
}

}  // namespace
}  // namespace recall
