#include "index/source/code/path_role.h"

#include <algorithm>
#include <string>

namespace recall {
namespace {

// A third of the chunks of a tree of source code are tests and their data. They repeat the words of
// what they test, often more densely, so they would rank before it.
//
// The rules are conventions of many ecosystems, and none of a single project. A directory counts
// wherever it is in the path. Directories that are often something else are left out: build,
// external, spec and testing, which has Go's library for tests.

constexpr uint32_t Bit(PathRole role) { return uint32_t{1} << static_cast<unsigned>(role); }

struct RoleOfName {
  std::string_view name;
  PathRole role;
};

constexpr RoleOfName kDirectories[] = {
    {"test", PathRole::kTests},
    {"tests", PathRole::kTests},
    {"__tests__", PathRole::kTests},
    {"unittests", PathRole::kTests},
    {"testsuite", PathRole::kTests},
    {"e2e", PathRole::kTests},
    {"golden", PathRole::kGolden},
    {"goldens", PathRole::kGolden},
    {"testdata", PathRole::kGolden},
    {"test-data", PathRole::kGolden},
    {"test_data", PathRole::kGolden},
    {"fixture", PathRole::kGolden},
    {"fixtures", PathRole::kGolden},
    {"__fixtures__", PathRole::kGolden},
    {"__snapshots__", PathRole::kGolden},
    {"cassettes", PathRole::kGolden},
    {"example", PathRole::kExamples},
    {"examples", PathRole::kExamples},
    {"demo", PathRole::kExamples},
    {"demos", PathRole::kExamples},
    {"sample", PathRole::kExamples},
    {"samples", PathRole::kExamples},
    {"generated", PathRole::kGenerated},
    {"_generated", PathRole::kGenerated},
    {"autogen", PathRole::kGenerated},
    {"dist", PathRole::kGenerated},
    {"compat", PathRole::kCompatible},
    {"compatibility", PathRole::kCompatible},
    {"vendor", PathRole::kVendored},
    {"vendored", PathRole::kVendored},
    {"third_party", PathRole::kVendored},
    {"third-party", PathRole::kVendored},
    {"thirdparty", PathRole::kVendored},
    {"3rdparty", PathRole::kVendored},
    {"node_modules", PathRole::kVendored},
    {"bower_components", PathRole::kVendored},
    {"site-packages", PathRole::kVendored},
};

constexpr PathRole kSaysMostFirst[] = {
    PathRole::kLock,       PathRole::kMinified,     PathRole::kGolden,
    PathRole::kGenerated,  PathRole::kVendored,     PathRole::kTests,
    PathRole::kCompatible, PathRole::kDeclarations, PathRole::kExamples};

// Ends of file names, in lower case.
constexpr RoleOfName kEnds[] = {
    {".snap", PathRole::kGolden},
    {".golden", PathRole::kGolden},
    {".pb.go", PathRole::kGenerated},
    {".pb.cc", PathRole::kGenerated},
    {".pb.h", PathRole::kGenerated},
    {"_pb2.py", PathRole::kGenerated},
    {"_pb2_grpc.py", PathRole::kGenerated},
    {".g.dart", PathRole::kGenerated},
    {".designer.cs", PathRole::kGenerated},
    {".lock", PathRole::kLock},
    {"/package-lock.json", PathRole::kLock},
    {"/npm-shrinkwrap.json", PathRole::kLock},
    {"/pnpm-lock.yaml", PathRole::kLock},
    {"/packages.lock.json", PathRole::kLock},
    {"/go.sum", PathRole::kLock},
    {"/bun.lockb", PathRole::kLock},
    {".min.js", PathRole::kMinified},
    {".min.mjs", PathRole::kMinified},
    {".min.css", PathRole::kMinified},
    {".js.map", PathRole::kMinified},
    {".css.map", PathRole::kMinified},
    {".bundle.js", PathRole::kMinified},
    {".d.ts", PathRole::kDeclarations},
    {".d.mts", PathRole::kDeclarations},
    {".d.cts", PathRole::kDeclarations},
    {".pyi", PathRole::kDeclarations},
};

// Words of a question, in lower case.
constexpr RoleOfName kWords[] = {
    {"test", PathRole::kTests},
    {"tests", PathRole::kTests},
    {"tested", PathRole::kTests},
    {"testing", PathRole::kTests},
    {"unittest", PathRole::kTests},
    {"spec", PathRole::kTests},
    {"specs", PathRole::kTests},
    {"golden", PathRole::kGolden},
    {"fixture", PathRole::kGolden},
    {"fixtures", PathRole::kGolden},
    {"snapshot", PathRole::kGolden},
    {"snapshots", PathRole::kGolden},
    {"testdata", PathRole::kGolden},
    {"example", PathRole::kExamples},
    {"examples", PathRole::kExamples},
    {"demo", PathRole::kExamples},
    {"sample", PathRole::kExamples},
    {"samples", PathRole::kExamples},
    {"generated", PathRole::kGenerated},
    {"dist", PathRole::kGenerated},
    {"protobuf", PathRole::kGenerated},
    {"vendor", PathRole::kVendored},
    {"vendored", PathRole::kVendored},
    {"third_party", PathRole::kVendored},
    {"node_modules", PathRole::kVendored},
    {"party", PathRole::kVendored},
    {"lock", PathRole::kLock},
    {"lockfile", PathRole::kLock},
    {"minified", PathRole::kMinified},
    {"bundle", PathRole::kMinified},
    {"declaration", PathRole::kDeclarations},
    {"declarations", PathRole::kDeclarations},
    {"compat", PathRole::kCompatible},
    {"compatibility", PathRole::kCompatible},
    {"stub", PathRole::kDeclarations},
    {"stubs", PathRole::kDeclarations},
};

char ToLower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

template <size_t kCount>
uint32_t RoleNamed(const RoleOfName (&roles)[kCount], std::string_view name) {
  const auto* const found = std::ranges::find(roles, name, &RoleOfName::name);
  return found == std::end(roles) ? 0 : Bit(found->role);
}

// Whether a file name, without its directories and as it is written, is that of a test.
bool IsTestFile(std::string_view file) {
  const size_t dot = file.rfind('.');
  if (dot == file.npos) return false;
  const std::string_view stem = file.substr(0, dot);
  const std::string_view extension = file.substr(dot + 1);
  if (extension == "md" || extension == "txt" || extension == "rst") return false;  // of tests
  if (stem.ends_with("_test") || stem.ends_with(".test") || stem.ends_with(".spec")) return true;
  if (stem.ends_with("_spec")) return extension == "rb" || extension == "lua";
  if (extension == "py") return stem.starts_with("test_") || stem == "conftest";
  const bool by_capital = stem.ends_with("Test") || stem.ends_with("Tests");
  constexpr std::string_view kOfClasses[] = {"java", "kt", "cs", "scala", "php", "swift", "hs"};
  return by_capital && std::ranges::find(kOfClasses, extension) != std::end(kOfClasses);
}

}  // namespace

const std::array<std::string_view, kPathRoles> kPathRoleNames = {
    "tests", "golden",   "examples",     "generated", "vendored",
    "lock",  "minified", "declarations", "compat"};

std::optional<PathRole> RoleOf(std::string_view path) {
  std::string lowered = "/" + std::string(path);
  std::ranges::transform(lowered, lowered.begin(), ToLower);
  uint32_t roles = 0;
  const std::string_view all = lowered;
  size_t begin = 1;
  for (size_t end; (end = all.find('/', begin)) != all.npos; begin = end + 1) {
    roles |= RoleNamed(kDirectories, all.substr(begin, end - begin));
  }
  for (const RoleOfName& end : kEnds) {
    if (all.ends_with(end.name)) roles |= Bit(end.role);
  }
  const std::string_view file = all.substr(begin);
  if (file.find("_generated.") != file.npos || file.find(".generated.") != file.npos ||
      file.starts_with("zz_generated")) {
    roles |= Bit(PathRole::kGenerated);
  }
  if (IsTestFile(path.substr(path.rfind('/') + 1))) roles |= Bit(PathRole::kTests);
  for (const PathRole role : kSaysMostFirst) {
    if ((roles & Bit(role)) != 0) return role;
  }
  return std::nullopt;
}

uint32_t RolesAskedFor(std::string_view question) {
  uint32_t roles = 0;
  std::string word;
  const auto take = [&] {
    roles |= RoleNamed(kWords, word);
    word.clear();
  };
  for (const char c : question) {
    const bool is_word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    is_word ? word.push_back(ToLower(c)) : take();
  }
  take();
  // Data of tests is asked for as tests are.
  if ((roles & Bit(PathRole::kTests)) != 0) roles |= Bit(PathRole::kGolden);
  if ((roles & Bit(PathRole::kGolden)) != 0) roles |= Bit(PathRole::kTests);
  return roles;
}

uint32_t NumberOfMarks(const ChunkMarks& marks) {
  const uint32_t role = marks.role ? static_cast<uint32_t>(*marks.role) + 1 : 0;
  return role + (marks.imports ? uint32_t{kPathRoles} + 1 : 0);
}

ChunkMarks MarksOfNumber(uint32_t number) {
  ChunkMarks marks;
  if (number >= 2 * (kPathRoles + 1)) return marks;
  marks.imports = number > kPathRoles;
  const uint32_t role = number % (kPathRoles + 1);
  if (role > 0) marks.role = static_cast<PathRole>(role - 1);
  return marks;
}

}  // namespace recall
