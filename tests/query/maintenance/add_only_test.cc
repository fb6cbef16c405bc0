// AddRequest::only: the changed paths of a tree, given to an add, leave the same store as an add of
// the whole tree.

#include <filesystem>
#include <random>

#include "tests/query/query_fixture.h"

namespace recall {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

class AddOnlyTest : public QueryFixture {
 protected:
  AddRequest Tree() const {
    AddRequest request;
    request.paths = {dir_ / "tree"};
    request.sync = true;
    return request;
  }
  AddReport AddOnly(const Names& names, AddRequest request) {
    request.only.emplace();
    for (const std::string& name : names) request.only->push_back(dir_ / name);
    return Add(request);
  }
  AddReport AddOnly(const Names& names) { return AddOnly(names, Tree()); }

  static std::string ExportOf(Database& database) {
    std::string lines;
    const auto report = database.Export({}, [&lines](std::string_view part) {
      lines += part;
      return Status::Ok();
    });
    EXPECT_TRUE(report.has_value()) << report.error().ToString();
    return lines.substr(lines.find('\n') + 1);  // the first line describes the store
  }
};

TEST_F(AddOnlyTest, AddsUpdatesAndRemovesWhatIsNamed) {
  for (const char* name : {"tree/a.md", "tree/b.md", "tree/sub/c.md", "tree/sub/d.md"}) {
    WriteFile(name, std::string("text of ") + name);
  }
  Add(Tree());
  WriteFile("tree/a.md", "edited");
  WriteFile("tree/new.md", "not named");
  fs::remove(dir_ / "tree/b.md");
  fs::remove_all(dir_ / "tree/sub");
  const AddReport report = AddOnly({"tree/a.md", "tree/sub", "tree/never"});
  EXPECT_EQ(report.updated, 1);
  EXPECT_EQ(report.added, 0);
  EXPECT_EQ(report.removed_paths, (Names{"tree/sub/c.md", "tree/sub/d.md"}));
  EXPECT_EQ(report.Total(), 1);
}

TEST_F(AddOnlyTest, RulesDecideAsInADirectory) {
  WriteFile("tree/.recallignore", "build/\n");
  for (const char* name : {"tree/build/x.md", "tree/.hidden", "tree/.d/y", "outside.md"}) {
    WriteFile(name, "text");
  }
  const AddReport report =
      AddOnly({"tree/build/x.md", "tree/build", "tree/.hidden", "tree/.d/y", "outside.md"});
  EXPECT_EQ(report.Total(), 0);
  EXPECT_EQ(report.left_out.by_recallignore.directories, 1);
}

TEST_F(AddOnlyTest, DocumentsOfIgnoredOrOtherFilesStay) {
  WriteFile("tree/build/x.md", "text");
  WriteFile("outside.md", "text");
  Add(Tree());
  AddRequest outside;
  outside.paths = {dir_ / "outside.md"};
  Add(outside);
  WriteFile("tree/.recallignore", "build/\n");
  fs::remove(dir_ / "tree/build/x.md");
  fs::remove(dir_ / "outside.md");
  EXPECT_EQ(AddOnly({"tree/build/x.md", "outside.md"}).removed, 0);
}

TEST_F(AddOnlyTest, DocumentsWithNamesOfTheirOwn) {
  for (const char* name : {"tree/a.md", "tree/sub/b.md"}) WriteFile(name, "text");
  AddRequest request = Tree();
  request.prefix = "notes";
  Add(request);
  fs::remove(dir_ / "tree/a.md");
  fs::remove_all(dir_ / "tree/sub");
  EXPECT_EQ(AddOnly({"tree/a.md"}, request).removed_paths, (Names{"notes/a.md"}));
  EXPECT_EQ(AddOnly({"tree/sub"}).removed_paths, (Names{"notes/sub/b.md"}))
      << "the recorded root names it";
}

TEST_F(AddOnlyTest, ADirectoryAboveTheStore) {
  for (const char* name : {"tree/a.md", "tree/b.md"}) WriteFile(name, "text");
  Add(Tree());
  fs::remove(dir_ / "tree/a.md");
  AddRequest request = Tree();
  request.only = {fs::path(dir_.path()).parent_path()};
  EXPECT_EQ(Add(request).removed_paths, (Names{"tree/a.md"}));
}

TEST_F(AddOnlyTest, MembersOfArchives) {
  for (const char* name : {"tree/x/a.md", "tree/x/b.md"}) WriteFile(name, "text");
  const auto pack = [this] {
    const std::string in = "cd '" + (dir_ / "tree") + "' && ";
    return std::system((in + "tar -cf x.tar x").c_str());
  };
  ASSERT_EQ(pack(), 0);
  AddRequest request = Tree();
  request.archives = true;
  EXPECT_EQ(AddOnly({"tree/x.tar"}, request).added, 2);
  fs::remove(dir_ / "tree/x/a.md");
  ASSERT_EQ(pack(), 0);
  EXPECT_EQ(AddOnly({"tree/x.tar"}, request).removed_paths, (Names{"tree/x.tar!/x/a.md"}));
  fs::remove(dir_ / "tree/x.tar");
  EXPECT_EQ(AddOnly({"tree/x.tar"}, request).removed_paths, Names()) << "they never had a file";
}

// Two stores see the same random history of one tree. One gets the whole tree each time, the other
// the paths that changed.
TEST_F(AddOnlyTest, LeavesTheStoreThatAWholeAddLeaves) {
  std::mt19937_64 random(TestSeed(72));
  const Names parts = {"a", "b", "c.md", "d.md", "build", ".x"};
  const auto random_name = [&] {
    std::string name = "tree";
    for (uint64_t depth = 1 + random() % 3; depth > 0; --depth) {
      name += "/" + parts[random() % parts.size()];
    }
    return name;
  };
  WriteFile("tree/.recallignore", "build/\n");
  ASSERT_OK_AND_ASSIGN(const auto whole, Database::Create(dir_ / "whole.db", {}));
  for (int round = 0; round < 40; ++round) {
    Names changed;
    for (uint64_t count = 1 + random() % 6; count > 0; --count) {
      const std::string name = random_name();
      const fs::path path = dir_ / name;
      std::error_code refused;  // such as a file where a directory is needed
      switch (random() % 4) {
        case 0:
          fs::remove_all(path, refused);
          break;
        case 1: {
          const std::string target = random_name();
          fs::rename(path, dir_ / target, refused);
          changed.push_back(target);
          break;
        }
        default:
          fs::create_directories(path.parent_path(), refused);
          std::ofstream(path) << "word" << random() % 1000;
      }
      changed.push_back(name);
    }
    AddOnly(changed);
    ASSERT_OK(whole->Add(Tree()));
    ASSERT_EQ(ExportOf(*database_), ExportOf(*whole)) << "round " << round;
  }
}

}  // namespace
}  // namespace recall
