#include "index/source/extract/container/xml_tree.h"

#include <gtest/gtest.h>

#include "tests/index/source/extract/zip_maker.h"

namespace recall {
namespace {

constexpr XmlNamespace kSpaces[] = {{"urn:one", "w"}, {"urn:one-strict", "w"}, {"urn:two", "r"}};

Result<XmlTree> Tree(std::string_view xml, int depth = 256) {
  return XmlTree::Read(xml, kSpaces, depth);
}

TEST(XmlTreeTest, NamesDoNotDependOnTheFilesPrefixes) {
  for (const char* xml : {R"(<w:a xmlns:w="urn:one" xmlns:r="urn:two" r:id="7" x="8"><w:b/></w:a>)",
                          R"(<a xmlns="urn:one" xmlns:q="urn:two" q:id="7" x="8"><b/></a>)",
                          R"(<z:a xmlns:z="urn:one-strict" xmlns:w="urn:two" w:id="7" x="8">
                             <z:b/></z:a>)"}) {
    const auto tree = Tree(xml);
    ASSERT_TRUE(tree) << tree.error().ToString();
    EXPECT_EQ(tree->root().name(), "w:a");
    EXPECT_EQ(tree->root().Attribute("r:id"), "7");
    EXPECT_EQ(tree->root().Attribute("x"), "8");
    EXPECT_TRUE(tree->root().Child("w:b"));
  }
  EXPECT_EQ(Tree("<p:a xmlns:p='urn:other'/>")->root().name(), "?:a");
  EXPECT_EQ(Tree("<a/>")->root().name(), "a");
}

TEST(XmlTreeTest, IsWalkedInTheOrderOfTheDocument) {
  auto made = Tree("<a>1<b>2<c/>3</b><!-- no --><d k='&lt;&#228;'>4</d><![CDATA[5<]]></a>");
  ASSERT_TRUE(made);
  const XmlTree tree = std::move(*made);
  const XmlNode root = tree.root();
  EXPECT_EQ(root.TextContent(), "12345<");
  EXPECT_EQ(root.Child("d").Attribute("k"), "<ä");
  EXPECT_EQ(root.Child("b").TextContent(), "23");
  std::string seen;
  for (XmlNode node = root; node; node = node.NextInDocument(root)) {
    seen += node.IsText() ? node.text() : node.name();
    seen += ' ';
  }
  EXPECT_EQ(seen, "a 1 b 2 c 3 d 4 5< ");
  EXPECT_EQ(root.Child("b").NextInDocument(root, true).name(), "d");
  EXPECT_FALSE(root.Child("x").Child("y").parent());
  EXPECT_EQ(root.Child("x").Attribute("y"), "");
}

TEST(XmlTreeTest, EntitiesAreNotDeclared) {
  const auto bomb = Tree(R"(<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;">]><a>&c;</a>)");
  ASSERT_FALSE(bomb);
  EXPECT_EQ(bomb.error().code(), StatusCode::kCorruption);
  EXPECT_FALSE(Tree(R"(<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>)"));
  EXPECT_FALSE(Tree(R"(<!DOCTYPE a [<!ENTITY % b "x">]><a/>)"));
  const auto mere = Tree(R"(<!DOCTYPE ncx PUBLIC "-//X" "http://x.org/x.dtd"><a>1&nbsp;2</a>)");
  ASSERT_TRUE(mere) << mere.error().ToString();
  EXPECT_EQ(mere->root().TextContent(), "1 2");
  EXPECT_FALSE(Tree("<a>&nbsp;</a>"));
}

TEST(XmlTreeTest, LimitsDepthAndSize) {
  std::string deep;
  for (int i = 0; i < 257; ++i) deep += "<a>";
  EXPECT_EQ(Tree(deep).error().code(), StatusCode::kLimitExceeded);
  EXPECT_EQ(Tree("<a><b><c/></b></a>", 2).error().code(), StatusCode::kLimitExceeded);
  std::string wide = "<a>";
  for (int i = 0; i < 1000; ++i) wide += "<b/>";
  EXPECT_EQ(XmlTree::Read(wide + "</a>", kSpaces, 256, 10'000).error().code(),
            StatusCode::kLimitExceeded);
  std::string names = "<a>";
  for (int i = 0; i < 60'000; ++i) names += "<b" + std::to_string(i) + "/>";
  EXPECT_EQ(Tree(names + "</a>").error().code(), StatusCode::kLimitExceeded);
  const std::string comment = "<a><!--" + std::string(40 << 20, '-') + "--></a>";
  EXPECT_FALSE(Tree(comment));
  const std::string attribute = "<a b='" + std::string(40 << 20, 'x') + "'/>";
  EXPECT_EQ(Tree(attribute).error().code(), StatusCode::kLimitExceeded);
}

TEST(XmlTreeTest, ReadsOtherEncodings) {
  EXPECT_EQ(Tree("<?xml version='1.0' encoding='ISO-8859-1'?><a>\xe4</a>")->root().TextContent(),
            "ä");
  std::string wide = "\xff\xfe";
  for (const char c : std::string_view("<a>x</a>")) wide.append(1, c).append(1, '\0');
  EXPECT_EQ(Tree(wide)->root().TextContent(), "x");
}

TEST(XmlTreeTest, EveryTruncationIsDamaged) {
  const std::string xml = R"(<?xml version="1.0"?><w:a xmlns:w="urn:one"><w:b c="d">e</w:b></w:a>)";
  for (size_t size = 0; size < xml.size(); ++size) {
    const auto tree = Tree(xml.substr(0, size));
    ASSERT_FALSE(tree) << size;
    EXPECT_EQ(tree.error().code(), StatusCode::kCorruption) << size;
  }
}

TEST(XmlTreeTest, IsReadFromAContainerWithTheEntrysNameInErrors) {
  const std::string bytes = MakeZip({{"x.xml", "<a>text</a>"}, {"y.xml", "<a>"}});
  auto zip = ZipContainer::Open(bytes, {});
  ASSERT_TRUE(zip);
  EXPECT_EQ(XmlTree::ReadEntry(&*zip, "x.xml", kSpaces, 256)->root().TextContent(), "text");
  EXPECT_NE(XmlTree::ReadEntry(&*zip, "y.xml", kSpaces, 256).error().message().find("y.xml"),
            std::string_view::npos);
}

}  // namespace
}  // namespace recall
