#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace recall {

// What a file is for, beside what it says. Most questions are about other files.
enum class PathRole : uint8_t {
  kTests,         // tests/…, foo_test.go, test_foo.py, foo.spec.ts
  kGolden,        // expected output and data of tests: golden/…, testdata/…, fixtures/…
  kExamples,      // examples/…, demo/…, samples/…
  kGenerated,     // foo.pb.go, generated/…, dist/…
  kVendored,      // third_party/…, vendor/…, node_modules/…
  kLock,          // Cargo.lock, package-lock.json, go.sum
  kMinified,      // foo.min.js, foo.js.map
  kDeclarations,  // foo.d.ts, foo.pyi
};
inline constexpr size_t kPathRoles = 8;
// By PathRole: "tests", "golden", "examples", "generated", "vendored", "lock", "minified",
// "declarations".
extern const std::array<std::string_view, kPathRoles> kPathRoleNames;

// The roles of a document, by its path alone, as a bit for each PathRole; 0 for most. Upper and
// lower case of directories and extensions do not matter.
uint32_t RolesOf(std::string_view path);

// The roles that the words of a question ask for: "how are golden files compared".
uint32_t RolesAskedFor(std::string_view question);

}  // namespace recall
