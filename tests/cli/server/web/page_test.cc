#include "cli/server/web/page.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cli/server/web/page_files.h"
#include "storage/base/ids.h"

namespace recall {
namespace {

HttpHead Get(const std::string& path, const std::string& if_none_match = "") {
  HttpHead head;
  head.method = "GET";
  head.path = path;
  if (!if_none_match.empty()) head.headers = {{"if-none-match", if_none_match}};
  return head;
}

std::string HeaderOf(const HttpResponse& response, const std::string& name) {
  const auto header =
      std::ranges::find(response.headers, name, [](const auto& pair) { return pair.first; });
  return header == response.headers.end() ? "" : header->second;
}

std::vector<std::string> Paths() {
  std::vector<std::string> paths;
  for (const PageFile& file : kPageFiles) {
    paths.push_back(file.name == "index.html" ? "/" : "/" + std::string(file.name));
  }
  return paths;
}

TEST(Page, ServesItsFilesUnderTheirNames) {
  const auto type = [](const std::string& path) { return AnswerPage(Get(path)).content_type; };
  EXPECT_EQ(type("/"), "text/html; charset=utf-8");
  EXPECT_EQ(type("/recall.css"), "text/css; charset=utf-8");
  EXPECT_EQ(type("/recall.js"), "text/javascript; charset=utf-8");
  for (const std::string path : {"", "//", "/index.html", "/recall", "/recall.js/", "/RECALL.JS",
                                 "/v1/search", "/livez", "/../recall.js"}) {
    EXPECT_FALSE(IsPagePath(path)) << path;
  }
}

// A module that imports a file which is not served does not run, and neither does the page.
TEST(Page, EachModuleImportsModulesThatAreServed) {
  static constexpr std::string_view kFrom = " from './";
  size_t imports = 0;
  for (const PageFile& file : kPageFiles) {
    if (!file.name.ends_with(".js")) continue;
    EXPECT_EQ(AnswerPage(Get("/" + std::string(file.name))).content_type,
              "text/javascript; charset=utf-8");
    for (size_t at = file.bytes.find(kFrom); at != std::string_view::npos;
         at = file.bytes.find(kFrom, at + 1), ++imports) {
      const size_t begin = at + kFrom.size();
      const std::string_view imported =
          file.bytes.substr(begin, file.bytes.find('\'', begin) - begin);
      EXPECT_TRUE(IsPagePath("/" + std::string(imported))) << file.name << " imports " << imported;
    }
  }
  EXPECT_GT(imports, 50u);
}

// A module that is not named in the page is asked for only once those that import it are there.
TEST(Page, NamesAllItsModules) {
  const std::string html = AnswerPage(Get("/")).body;
  for (const auto& file : kPageFiles) {
    if (!file.name.ends_with(".js") || file.name == "recall.js") continue;
    EXPECT_NE(html.find("rel=\"modulepreload\" href=\"/" + std::string(file.name) + "\""),
              std::string::npos)
        << file.name;
  }
}

// The policy would not let a browser run or show anything else.
TEST(Page, HasNoScriptOrStyleInItsHtml) {
  const std::string html = AnswerPage(Get("/")).body;
  EXPECT_NE(html.find("src=\"/recall.js\""), std::string::npos);
  EXPECT_NE(html.find("href=\"/recall.css\""), std::string::npos);
  for (const std::string part :
       {"<style", "style=", "onclick=", "onload=", "http://", "https://"}) {
    EXPECT_EQ(html.find(part), std::string::npos) << part;
  }
}

TEST(Page, EachFileHasThePolicyAndItsHashAsTag) {
  for (const std::string& path : Paths()) {
    const HttpResponse response = AnswerPage(Get(path));
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(HeaderOf(response, "ETag"), '"' + ToHex(Sha256(response.body)) + '"');
    EXPECT_EQ(HeaderOf(response, "Content-Security-Policy"),
              "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
              "base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
    EXPECT_EQ(HeaderOf(response, "Referrer-Policy"), "no-referrer");
    EXPECT_EQ(HeaderOf(response, "Cache-Control"), "no-cache");
  }
}

TEST(Page, AClientThatHasTheFileGets304) {
  for (const std::string& path : Paths()) {
    const std::string tag = HeaderOf(AnswerPage(Get(path)), "ETag");
    for (const std::string& sent : {tag, "\"other\", " + tag, "W/" + tag, std::string("*")}) {
      const HttpResponse response = AnswerPage(Get(path, sent));
      EXPECT_EQ(response.status, 304) << sent;
      EXPECT_EQ(response.body, "");
      EXPECT_EQ(HeaderOf(response, "ETag"), tag);
    }
    for (const std::string& sent : {std::string("\"other\""), tag.substr(1, 64)}) {
      EXPECT_EQ(AnswerPage(Get(path, sent)).status, 200) << sent;
    }
  }
}

}  // namespace
}  // namespace recall
