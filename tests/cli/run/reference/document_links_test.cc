// Links from one document of the repository to another lead to a file and a heading that exist.

#include <gtest/gtest.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "tests/test_paths.h"

namespace recall {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = SourceDir();

struct Document {
  std::set<std::string> anchors;
  std::vector<std::string> links;
};

// The targets of links, "[text](target)", that lead to files of the repository.
std::vector<std::string> LinksIn(const std::string& text) {
  std::vector<std::string> links;
  for (size_t at = text.find("]("); at != text.npos; at = text.find("](", at + 1)) {
    const size_t end = text.find(')', at);
    const std::string target = text.substr(at + 2, end - at - 2);
    if (target.find_first_of(" :\n") == target.npos) links.push_back(target);
  }
  return links;
}

// `text` without what stands between backquotes.
std::string WithoutCode(const std::string& text) {
  std::string prose;
  bool code = false;
  for (const char c : text) {
    if (c == '`') code = !code;
    if (!code) prose += c;
  }
  return prose;
}

// The text of a heading without the targets of its links.
std::string WithoutTargets(std::string heading) {
  for (size_t at = heading.find("]("); at != heading.npos; at = heading.find("](")) {
    heading.erase(at, heading.find(')', at) - at + 1);
  }
  return heading;
}

// The anchor that a heading has on GitHub: in lower case, without punctuation, '-' for spaces.
std::string AnchorOf(const std::string& heading) {
  std::string anchor;
  for (const char c : WithoutTargets(heading)) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == ' ') anchor += '-';
    if (std::isalnum(byte) || c == '-' || c == '_' || byte >= 0x80) {
      anchor += static_cast<char>(std::tolower(byte));
    }
  }
  return anchor;
}

// The headings and links of a Markdown file, except in code.
Document ReadDocument(const fs::path& path) {
  Document document;
  std::ifstream file(path);
  std::string line;
  std::string text;
  bool fenced = false;
  while (std::getline(file, line)) {
    const size_t start = line.find_first_not_of(' ');
    if (start != line.npos && line.compare(start, 3, "```") == 0) {
      fenced = !fenced;
    } else if (!fenced && line.starts_with("#")) {
      const std::string anchor = AnchorOf(line.substr(line.find_first_not_of("# ")));
      std::string unique = anchor;  // a second heading of the same text gets a number
      for (int i = 1; !document.anchors.insert(unique).second; ++i) {
        unique = anchor + "-" + std::to_string(i);
      }
    } else if (!fenced) {
      text += line + "\n";
    }
  }
  document.links = LinksIn(WithoutCode(text));
  return document;
}

std::map<fs::path, Document> AllDocuments() {
  std::vector<fs::path> paths = {kRoot / "README.md", kRoot / "CHANGELOG.md"};
  for (const char* folder : {"docs", "bench"}) {
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder)) {
      if (entry.path().extension() == ".md") paths.push_back(entry.path());
    }
  }
  std::map<fs::path, Document> documents;
  for (const fs::path& path : paths) documents[path] = ReadDocument(path);
  return documents;
}

TEST(DocumentLinks, LeadToFilesAndHeadings) {
  const std::map<fs::path, Document> documents = AllDocuments();
  for (const auto& [path, document] : documents) {
    for (const std::string& link : document.links) {
      const size_t hash = link.find('#');
      const std::string name = link.substr(0, hash);
      const fs::path target = name.empty() ? path : (path.parent_path() / name).lexically_normal();
      EXPECT_TRUE(fs::exists(target)) << path << " links to " << link;
      const auto found = documents.find(target);
      if (hash == link.npos || found == documents.end()) continue;
      EXPECT_TRUE(found->second.anchors.contains(link.substr(hash + 1)))
          << path << " links to " << link;
    }
  }
}

// The pages of docs/ and of docs/howto/, by their paths below docs/.
std::set<std::string> PagesForReaders() {
  std::set<std::string> pages;
  for (const char* folder : {"docs", "docs/howto"}) {
    for (const auto& entry : fs::directory_iterator(kRoot / folder)) {
      if (entry.path().extension() != ".md") continue;
      pages.insert(entry.path().lexically_relative(kRoot / "docs").generic_string());
    }
  }
  return pages;
}

// The pages that the navigation of the site names: what ends a line "- PAGE.md" or "- Title: PAGE".
std::vector<std::string> PagesOfTheSite() {
  std::vector<std::string> pages;
  std::ifstream file(kRoot / "cmake/site/mkdocs.yml");
  EXPECT_TRUE(file);
  for (std::string line; std::getline(file, line);) {
    if (!line.ends_with(".md") || line.find("- ") == line.npos) continue;
    pages.push_back(line.substr(line.rfind(' ') + 1));
  }
  return pages;
}

TEST(DocumentIndex, NamesEachPage) {
  const Document index = ReadDocument(kRoot / "docs/README.md");
  const std::set<std::string> linked(index.links.begin(), index.links.end());
  for (const std::string& page : PagesForReaders()) {
    if (page == "README.md") continue;
    EXPECT_TRUE(linked.contains(page)) << "docs/README.md has no link to " << page;
  }
}

TEST(DocumentIndex, TheSiteLeadsToEachPage) {
  const std::vector<std::string> site = PagesOfTheSite();
  const std::set<std::string> named(site.begin(), site.end());
  EXPECT_EQ(named.size(), site.size()) << "a page is named twice";
  for (const std::string& page : PagesForReaders()) {
    EXPECT_TRUE(named.contains(page)) << "cmake/site/mkdocs.yml does not name " << page;
  }
  for (const std::string& page : site) {
    EXPECT_TRUE(fs::exists(kRoot / "docs" / page) || fs::exists(kRoot / page))
        << "cmake/site/mkdocs.yml names " << page;
  }
}

TEST(DocumentLinks, AnchorsAreThoseOfGitHub) {
  EXPECT_EQ(AnchorOf("Options of every command"), "options-of-every-command");
  EXPECT_EQ(AnchorOf("link, unlink, links"), "link-unlink-links");
  EXPECT_EQ(AnchorOf("`[secrets]` and [rules](x.md)"), "secrets-and-rules");
}

}  // namespace
}  // namespace recall
