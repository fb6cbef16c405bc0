#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace recall {

// What a file is for, beside what it says. Most questions are about other files. The index has the
// numbers, so they must stay.
enum class PathRole : uint8_t {
  kTests,         // tests/…, foo_test.go, test_foo.py, foo.spec.ts
  kGolden,        // expected output and data of tests: golden/…, testdata/…, fixtures/…
  kExamples,      // examples/…, demo/…, samples/…
  kGenerated,     // foo.pb.go, generated/…, dist/…
  kVendored,      // third_party/…, vendor/…, node_modules/…
  kLock,          // Cargo.lock, package-lock.json, go.sum
  kMinified,      // foo.min.js, foo.js.map
  kDeclarations,  // foo.d.ts, foo.pyi
  kCompatible,    // compat/…, for other versions and systems
};
inline constexpr size_t kPathRoles = 9;
// By PathRole: "tests", "golden", "examples", "generated", "vendored", "lock", "minified",
// "declarations", "compat".
extern const std::array<std::string_view, kPathRoles> kPathRoleNames;

// The role of a document by its path alone; of several the one that says most. Nothing for most
// paths. Upper and lower case of directories and extensions do not matter. The tokens of stores
// depend on the rules: a change needs a new kTokenizerVersion.
std::optional<PathRole> RoleOf(std::string_view path);

// The roles that the words of a question ask for, as a bit for each PathRole: "how are golden files
// compared".
uint32_t RolesAskedFor(std::string_view question);

// What the index says of a chunk beside its text, as a number: how often it has kMarkToken
// (index/base/text/names.h). 0: nothing.
struct ChunkMarks {
  std::optional<PathRole> role;
  bool imports = false;  // it consists mostly of imports
  bool operator==(const ChunkMarks&) const = default;
};
uint32_t NumberOfMarks(const ChunkMarks& marks);
// The inverse; a number that none has is nothing.
ChunkMarks MarksOfNumber(uint32_t number);

}  // namespace recall
