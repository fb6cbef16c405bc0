// Pages and charts: what they contain, and that any reader of XML reads them.

#include "cli/show/html/html.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cli/show/html/charts.h"
#include "tests/cli/show/html/xml_reader.h"

namespace recall {
namespace {

constexpr const char* kNasty = "<b>&\"'\x01\n\xFF\xE2\x80\xAE\xEF\xBF\xBF";

XmlContent ReadBody(const std::string& body) { return ReadXml(HtmlPage("Title", {}, body)); }

size_t CountOf(const XmlContent& content, const std::string& element) {
  return static_cast<size_t>(std::ranges::count(content.elements, element));
}

TEST(HtmlTest, UntrustedTextStaysText) {
  EXPECT_EQ(HtmlText("<b>&\"'"), "&lt;b&gt;&amp;&quot;'");
  EXPECT_EQ(HtmlText("a\nb\x01"), "a\\nb\\x01");
  EXPECT_EQ(HtmlText("\xFF|\xEF\xBF\xBF|\xEF\xBF\xBE"), "\uFFFD|\uFFFD|\uFFFD");
  const XmlContent content = ReadXml(HtmlPage(
      kNasty, {kNasty}, HtmlSection(kNasty, kNasty, HtmlTable({{kNasty}, {kNasty}}, {false}))));
  EXPECT_EQ(content.fault, "");
  EXPECT_EQ(CountOf(content, "b"), 0u);
  EXPECT_NE(content.text.find("<b>&\"'\\x01\\n"), std::string::npos) << content.text;
}

TEST(HtmlTest, APageNeedsNoScriptAndNoNetwork) {
  const XmlContent content = ReadBody("");
  EXPECT_EQ(content.fault, "");
  EXPECT_EQ(CountOf(content, "script"), 0u);
  EXPECT_NE(content.text.find("prefers-color-scheme: dark"), std::string::npos);
  EXPECT_TRUE(std::ranges::count(content.attributes,
                                 "content=default-src 'none'; style-src 'unsafe-inline'"));
}

TEST(HtmlTest, ATableHasHeadingsAndCells) {
  const XmlContent content =
      ReadBody(HtmlTable({{"name", ""}, {"a", HtmlCell("", 0.25, 3)}, {"b", ""}}, {false, true}));
  EXPECT_EQ(content.fault, "");
  EXPECT_EQ(CountOf(content, "th"), 2u);
  EXPECT_EQ(CountOf(content, "td"), 4u);
  EXPECT_TRUE(std::ranges::count(content.attributes, "style=width: 25.0%"));
  EXPECT_TRUE(std::ranges::count(content.attributes, "class=c3"));
}

// The coordinates of all circles.
std::vector<double> CircleX(const XmlContent& content) {
  std::vector<double> xs;
  for (const std::string& attribute : content.attributes) {
    if (attribute.starts_with("cx=")) xs.push_back(std::stod(attribute.substr(3)));
  }
  return xs;
}

TEST(ChartsTest, DotsStandInTheOrderOfTheirValuesOnOneScale) {
  DotChart chart;
  chart.title = kNasty;
  chart.series = {kNasty};
  chart.rows = {{kNasty, {{0, 0.2, 0.1, 0.3, false}}},
                {"b", {{0, 0.4, 0.3, 0.5, false}}},
                {"c", {{0, 0.3, 0, -1, true}}}};
  const XmlContent content = ReadBody(DotChartSvg(chart));
  EXPECT_EQ(content.fault, "");
  const std::vector<double> xs = CircleX(content);
  ASSERT_EQ(xs.size(), 4u);  // the first is of the legend
  EXPECT_LT(xs[1], xs[3]);
  EXPECT_LT(xs[3], xs[2]);
  EXPECT_NEAR(xs[3] - xs[1], xs[2] - xs[3], 0.11);  // linear, but for rounding
  EXPECT_EQ(DotChartSvg(chart), DotChartSvg(chart));
  EXPECT_EQ(DotChartSvg({}), "");
}

TEST(ChartsTest, OneValueAndEqualValuesAreDrawn) {
  for (const double value : {0.0, 0.5, 1.0}) {
    DotChart chart;
    const double next = std::nextafter(value, 2);  // means of equal values are rounded
    chart.rows = {{"a", {{0, value, value, next, false}}}};
    const XmlContent content = ReadBody(DotChartSvg(chart));
    EXPECT_EQ(content.fault, "");
    ASSERT_EQ(CircleX(content).size(), 1u);
    EXPECT_GE(CircleX(content)[0], 0);
    EXPECT_LE(CircleX(content)[0], 880);
  }
}

TEST(ChartsTest, AHistogramHasABarForEachBinThatIsNotEmpty) {
  HistogramChart chart;
  chart.title = "t";
  chart.rows = {{kNasty, "warm", 0, {1, 1, 1, 100}, {}, {{"p50", 1}, {"p99", 100}}}};
  XmlContent content = ReadBody(HistogramChartSvg(chart));
  EXPECT_EQ(content.fault, "");
  EXPECT_EQ(CountOf(content, "rect"), 2u);
  chart.earlier = "then";
  chart.rows[0].earlier = {10};
  content = ReadBody(HistogramChartSvg(chart));
  EXPECT_EQ(content.fault, "");
  EXPECT_EQ(CountOf(content, "rect"), 3u + 2u);  // and two of the legend
  EXPECT_EQ(HistogramChartSvg({}), "");
}

TEST(ChartsTest, ARunOfCellsIsBrokenAtTheEndOfALine) {
  const XmlContent content = ReadBody(CellMapSvg({"t", {{0, 100, kNasty}, {1, 20, "b"}}}));
  EXPECT_EQ(content.fault, "");
  EXPECT_EQ(CountOf(content, "rect"), 3u);  // 100, 10, 10 of a line of 110
}

}  // namespace
}  // namespace recall
