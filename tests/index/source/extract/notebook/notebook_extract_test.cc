#include "index/source/extract/notebook/notebook_extract.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/index/source/extract/extraction_check.h"

namespace recall {
namespace {

constexpr std::string_view kSmallNotebook = R"({
 "cells": [
  {"cell_type": "markdown", "id": "a1", "metadata": {}, "attachments": {"x.png": {"image/png": "AAAA"}},
   "source": ["# Growth of *yeast*\n", "\n", "Some text."]},
  {"cell_type": "code", "id": "b2", "execution_count": 1, "metadata": {}, "source": "print('a')\n1 + 1",
   "outputs": [
    {"output_type": "stream", "name": "stdout", "text": ["a\n"]},
    {"output_type": "execute_result", "execution_count": 1, "metadata": {},
     "data": {"image/png": "iVBORw0KGgo=", "text/html": "<b>2</b>", "text/plain": ["2"]}}]},
  {"cell_type": "raw", "id": "c3", "metadata": {}, "source": "raw text"},
  {"cell_type": "code", "id": "d4", "execution_count": 2, "metadata": {}, "source": "", "outputs": []}
 ],
 "metadata": {"authors": [{"name": "Ada"}, {"name": "Bob"}],
  "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
  "language_info": {"name": "python", "version": "3.11"}},
 "nbformat": 4, "nbformat_minor": 5
})";

std::string CodeCell(std::string_view outputs) {
  return R"({"nbformat":4,"metadata":{},"cells":[{"cell_type":"code","source":"x","outputs":[)" +
         std::string(outputs) + "]}]}";
}

// The text of the outputs of a notebook with one code cell.
std::string OutputsOf(std::string_view outputs) {
  const Extraction got = ExtractNotebook(CodeCell(outputs), {});
  EXPECT_EQ(BrokenRuleOf(got), "");
  const std::string source = "```\nx\n```\n";
  EXPECT_TRUE(got.text.starts_with(source)) << got.reason;
  return got.text.substr(std::min(source.size(), got.text.size()));
}

TEST(NotebookExtractTest, WritesCellsInOrderWithTheirPlaces) {
  const Extraction got = ExtractNotebook(kSmallNotebook, {});
  EXPECT_EQ(got.text,
            "# Growth of *yeast*\n\nSome text.\n"
            "\n```python\nprint('a')\n1 + 1\n```\n"
            "\n```text\na\n```\n"
            "\n```text\n2\n```\n"
            "\nraw text\n");
  ASSERT_EQ(got.spans.size(), 5u);
  EXPECT_EQ(got.spans[0].locator, (Locator{LocatorKind::kCell, 1, "a1", "source"}));
  EXPECT_EQ(got.spans[1].locator, (Locator{LocatorKind::kCell, 2, "b2", "source"}));
  EXPECT_EQ(got.spans[2].locator, (Locator{LocatorKind::kCell, 2, "b2", "output 1"}));
  EXPECT_EQ(got.spans[3].locator, (Locator{LocatorKind::kCell, 2, "b2", "output 2"}));
  EXPECT_EQ(got.spans[4].locator, (Locator{LocatorKind::kCell, 3, "c3", "source"}));
  EXPECT_EQ(got.text.substr(got.spans[2].start, got.spans[2].end - got.spans[2].start),
            "```text\na\n```\n");
  EXPECT_EQ(BrokenRuleOf(got), "");
}

TEST(NotebookExtractTest, TellsTitleAuthorsLanguageAndKernel) {
  const Extraction got = ExtractNotebook(kSmallNotebook, {});
  EXPECT_EQ(got.meta,
            (std::map<std::string, std::vector<std::string>>{{"authors", {"Ada", "Bob"}},
                                                             {"kernel", {"python3"}},
                                                             {"language", {"python"}},
                                                             {"title", {"Growth of *yeast*"}}}));
  const Extraction titled = ExtractNotebook(
      R"({"nbformat":4,"metadata":{"title":"T"},"cells":[{"cell_type":"markdown","source":"# H"}]})",
      {});
  EXPECT_EQ(titled.meta.at("title"), (std::vector<std::string>{"T"}));
}

TEST(NotebookExtractTest, ReadsNbformat3) {
  const Extraction got = ExtractNotebook(R"({
    "metadata": {"name": "Old"}, "nbformat": 3, "nbformat_minor": 0,
    "worksheets": [{"cells": [
      {"cell_type": "heading", "level": 2, "source": ["Part"]},
      {"cell_type": "code", "language": "python", "input": ["a = 1\n", "a"], "outputs": [
        {"output_type": "pyout", "text": ["1"], "png": "AAAA"},
        {"output_type": "stream", "stream": "stdout", "text": "said\n"},
        {"output_type": "pyerr", "ename": "E", "evalue": "v", "traceback": ["\u001b[1;31mE\u001b[0m: v"]}]}]}]})",
                                         {});
  EXPECT_EQ(got.text,
            "## Part\n\n```python\na = 1\na\n```\n\n```text\n1\n```\n\n```text\nsaid\n```\n"
            "\n```text\nE: v\n```\n");
  EXPECT_EQ(got.meta.at("title"), (std::vector<std::string>{"Old"}));
  EXPECT_EQ(got.meta.at("language"), (std::vector<std::string>{"python"}));
}

TEST(NotebookExtractTest, OutputsReadAsATerminalShowsThem) {
  EXPECT_EQ(
      OutputsOf(
          R"({"output_type":"stream","text":" 10%\r 50%\r100%\r\n\u001b[32mok\u001b[0m\b\n"})"),
      "\n```text\n100%\nok\n```\n");
  EXPECT_EQ(OutputsOf(R"({"output_type":"error","ename":"KeyError","evalue":"'k'","traceback":
      ["\u001b[0;31m----\u001b[0m","\u001b]8;;http://x\u0007KeyError\u001b]8;;\u0007: 'k'"]})"),
            "\n```text\n----\nKeyError: 'k'\n```\n");
  EXPECT_EQ(OutputsOf(R"({"output_type":"error","ename":"E","evalue":"v","traceback":[]})"),
            "\n```text\nE: v\n```\n");
}

TEST(NotebookExtractTest, HtmlIsReadOnlyWithoutPlainText) {
  EXPECT_EQ(OutputsOf(R"({"output_type":"display_data","data":{"text/html":
      ["<style>p{}</style><table><tr><td>a &amp; b</td>","<td>2</td></tr></table>"]}})"),
            "\n```text\na & b 2\n```\n");
  EXPECT_EQ(OutputsOf(R"({"output_type":"display_data","data":{
      "text/plain":"<IPython.core.display.Markdown object>","text/markdown":"**bold**"}})"),
            "\n```text\n**bold**\n```\n");
}

TEST(NotebookExtractTest, KeepsTheFirst16KiBOfTheOutputsOfACell) {
  std::string line;
  for (int i = 0; i < 1000; ++i) line += "\xC3\xA9t\xC3\xA9 ";
  const std::string output = R"({"output_type":"stream","text":")" + line + R"("})";
  const Extraction got =
      ExtractNotebook(CodeCell(output + "," + output + "," + output + "," + output), {});
  EXPECT_EQ(got.warnings, (std::vector<std::string>{"truncated_output"}));
  EXPECT_EQ(BrokenRuleOf(got), "");
  ASSERT_EQ(got.spans.size(), 4u);
  EXPECT_GT(got.text.size(), kMostNotebookCellOutput);
  EXPECT_LT(got.text.size(), kMostNotebookCellOutput + 200);
}

TEST(NotebookExtractTest, AFenceIsLongerThanThoseInTheText) {
  const Extraction got = ExtractNotebook(
      R"({"nbformat":4,"metadata":{},"cells":[{"cell_type":"code","source":"%%bash\necho '````'"}]})",
      {});
  EXPECT_EQ(got.text, "`````bash\n%%bash\necho '````'\n`````\n");
}

TEST(NotebookExtractTest, ReadsWhatPythonWritesBesideJson) {
  const Extraction got = ExtractNotebook(
      R"({"nbformat":4,"metadata":{"x":[NaN,-Infinity,Infinity]},"cells":[
        {"cell_type":"raw","source":"NaN \ud800 \ud83d\ude00 \u0000|"}]})",
      {});
  EXPECT_EQ(got.text, "NaN \xEF\xBF\xBD \xF0\x9F\x98\x80 \xEF\xBF\xBD|\n") << got.reason;
}

TEST(NotebookExtractTest, SaysWhatIsWrong) {
  const Extraction broken = ExtractNotebook(R"({"nbformat":4,"cells":[}})", {});
  EXPECT_EQ(broken.outcome, ExtractOutcome::kDamaged);
  EXPECT_EQ(broken.reason, "its JSON is broken at byte 23");
  EXPECT_EQ(ExtractNotebook("[1]", {}).outcome, ExtractOutcome::kDamaged);
  EXPECT_EQ(ExtractNotebook(R"({"nbformat":9,"cells":[]})", {}).outcome,
            ExtractOutcome::kUnsupported);
  EXPECT_EQ(ExtractNotebook(R"({"nbformat":4,"cells":[]})", {}).outcome, ExtractOutcome::kNoText);
}

TEST(NotebookExtractTest, LimitsHold) {
  ExtractLimits limits;
  const std::string deep = std::string(100'000, '[');
  EXPECT_EQ(ExtractNotebook(R"({"x":)" + deep, limits).outcome, ExtractOutcome::kTooLarge);
  limits.max_text_bytes = 100;
  EXPECT_EQ(ExtractNotebook(kSmallNotebook, limits).outcome, ExtractOutcome::kTooLarge);
  limits = {};
  limits.max_members = 3;
  EXPECT_EQ(ExtractNotebook(kSmallNotebook, limits).outcome, ExtractOutcome::kTooLarge);
}

TEST(NotebookExtractTest, TruncatedOrChangedNotebooksKeepTheContract) {
  for (size_t size = 0; size < kSmallNotebook.size(); ++size) {
    const Extraction got = ExtractNotebook(kSmallNotebook.substr(0, size), {});
    ASSERT_EQ(BrokenRuleOf(got), "") << size;
    ASSERT_EQ(got.outcome, ExtractOutcome::kDamaged) << size;
  }
  for (size_t i = 0; i < kSmallNotebook.size(); ++i) {
    for (const char value : {'\0', '"', '{', ']', '\\', '\xFF', '9'}) {
      std::string changed(kSmallNotebook);
      changed[i] = value;
      ASSERT_EQ(BrokenRuleOf(ExtractNotebook(changed, {})), "") << i;
    }
  }
}

}  // namespace
}  // namespace recall
