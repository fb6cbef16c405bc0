// Contexts that contain the answer: inputs on which whole sentences of single words are not enough.

#include <map>
#include <string>

#include "tests/query/query_fixture.h"

namespace recall {
namespace {

class AnsweringContextTest : public QueryFixture {
 protected:
  std::string Context(const std::string& text, int64_t budget) {
    ContextRequest request;
    request.search.text = text;
    request.budget_tokens = budget;
    auto response = database_->Context(request);
    EXPECT_TRUE(response.has_value()) << response.error().ToString();
    if (!response) return {};
    EXPECT_LE(response->used_tokens, budget);
    return response->text;
  }
  static size_t Count(const std::string& text, const std::string& what) {
    size_t count = 0;
    for (size_t at = text.find(what); at != text.npos; at = text.find(what, at + 1)) ++count;
    return count;
  }
  // Letters that have the words of a question, but answer nothing.
  void WriteLetters(const std::vector<std::string>& words, int count) {
    for (int i = 0; i < count; ++i) {
      const auto word = [&](size_t k) {
        return words[(static_cast<size_t>(i) + k) % words.size()];
      };
      WriteFile("letters/l" + std::to_string(i) + ".txt",
                "Dear cousin, the " + word(0) + " of last week was pleasant, and my " + word(1) +
                    " is well again after the rain. Yours, number " + std::to_string(i) + ".\n");
    }
  }
};

TEST_F(AnsweringContextTest, TheWordThatAllPassagesShareTellsNothing) {
  for (const std::string name : {"loom", "heddle"}) {
    std::string page = "NAME\n       " + name + " - weaves a loomfile\n\n";
    for (int i = 0; i < 9; ++i) {
      page += "The loomfile has section " + std::to_string(i) +
              ", which the program reads from the loomfile when the hall opens.\n\n";
    }
    WriteFile(name + ".txt", page + "SEE ALSO\n       loomfile(5), loom(8), /etc/loomfile\n");
  }
  WriteFile("syntax.txt",
            "The syntax of a loomfile is simple.\n\nA thread has a colour and a length. A remark "
            "must not stand behind an order on its line. Blank lines separate the parts.\n");
  WriteLetters({"remark", "order", "line"}, 30);
  Add();
  for (const int64_t budget : {80, 160, 240}) {
    EXPECT_NE(Context("may a remark follow an order on the same line of a loomfile", budget)
                  .find("must not stand behind an order"),
              std::string::npos)
        << budget;
  }
}

TEST_F(AnsweringContextTest, ARowBringsTheHeaderOfItsTable) {
  WriteFile("codes.md",
            "# Codes\n\n| code | meaning |\n| --- | --- |\n| 0 | all is woven |\n| 1 | the thread "
            "broke |\n| 2 | wrong usage |\n| 3 | no yarn left |\n| 4 | the pattern is missing |\n| "
            "5 | somebody else sits at the loom |\n| 6 | the hall is closed |\n");
  WriteLetters({"code", "loom", "end"}, 20);
  Add();
  for (const int64_t budget : {60, 80, 100}) {
    const std::string text = Context("which code does the loom end with when it is taken", budget);
    EXPECT_NE(text.find("| 5 | somebody else sits"), std::string::npos) << text;
    EXPECT_NE(text.find("| code | meaning |"), std::string::npos) << text;
  }
}

TEST_F(AnsweringContextTest, AnEntryIsWhole) {
  std::string text = "Settings\n\n";
  for (int i = 0; i < 15; ++i) text += "gate.part" + std::to_string(i) + "\n";
  text += "gate.width\n\n";
  for (int i = 0; i < 15; ++i) {
    const std::string n = std::to_string(i);
    text +=
        "gate.part" + n + " <name>\n    Names part " + n + " of the gate, as painted on it.\n\n";
  }
  text +=
      "gate.width <number>\n    Sets the width of the gate in threads.\n    Lower numbers let "
      "fewer "
      "carts pass.\n    The number that is taken without it is 1000.\n";
  WriteFile("reference.txt", text);
  Add();
  for (const int64_t budget : {100, 150}) {
    EXPECT_NE(Context("how wide is the gate if gate.width is not given", budget)
                  .find("The number that is taken without it is 1000."),
              std::string::npos);
  }
}

TEST_F(AnsweringContextTest, AnItemBringsItsVersionLine) {
  std::string text;
  for (int i = 14; i > 0; --i) {
    const std::string n = std::to_string(i);
    text += "2025-03-" + n + " Heddle 4." + n + "\n\n";
    for (int k = 0; k < 5; ++k) {
      text += i == 9 && k == 3 ? "* The bells are muted when QUIET_LOOM is set\n\n"
                               : "* Repair number " + std::to_string(k) + " of part " + n + n +
                                     " in the hall\n\n";
    }
  }
  WriteFile("NEWS.txt", text);
  Add();
  for (const int64_t budget : {60, 80, 100}) {
    const std::string context =
        Context("since which Heddle does QUIET_LOOM mute the bells", budget);
    EXPECT_NE(context.find("QUIET_LOOM"), std::string::npos) << context;
    EXPECT_NE(context.find("Heddle 4.9"), std::string::npos) << context;
  }
}

TEST_F(AnsweringContextTest, TheSameCommentOfManyFilesIsPackedOnce) {
  for (const std::string name : {"gate", "yarn", "bell", "cart", "hall", "door", "roof", "lamp"}) {
    WriteFile("loom/" + name + ".h",
              "/*\n * Copyright 20" + std::to_string(10 + name[0] % 10) +
                  " The loom headers' authors.\n * These headers are under the Weaver's Licence, "
                  "which lets everyone weave.\n */\n#ifndef LOOM_" +
                  name + "_H\n#define LOOM_" + name +
                  "_H\n\n#include <loom/base.h>\n#include <loom/types.h>\n\nint " + name +
                  "_open(void);\n\n#endif\n");
  }
  Add();
  for (const int64_t budget : {100, 200, 300}) {
    const std::string context = Context("under which license are the loom headers", budget);
    EXPECT_EQ(Count(context, "Weaver's Licence"), 1u) << context;
  }
}

TEST_F(AnsweringContextTest, ALineOfJsonAnswers) {
  WriteFile("shuttle/package.json",
            "{\n  \"name\": \"shuttle\",\n  \"version\": \"2.1.0\",\n  \"description\": \"carries "
            "thread\",\n  \"scripts\": {\n    \"test\": \"loom test\",\n    \"lint\": \"loom "
            "lint\"\n  },\n  \"author\": \"Ada Weaver <ada@loom.example>\",\n  \"license\": "
            "\"MIT\",\n  \"engines\": {\n    \"node\": \">=10\"\n  }\n}\n");
  std::string changes;
  for (int i = 0; i < 30; ++i) {
    changes += "1." + std::to_string(i) + "\n\n  * update the node package of the distribution\n\n";
  }
  WriteFile("changelog.txt", changes);
  Add();
  for (const int64_t budget : {100, 200, 300}) {
    const std::string context = Context("who is the author of the node package shuttle", budget);
    EXPECT_NE(context.find("\"author\": \"Ada Weaver"), std::string::npos) << context;
  }
}

TEST_F(AnsweringContextTest, StepsComeWithTheirCommands) {
  WriteFile("HOWTO.txt",
            "Moving a loom\n\nFirst you take the loom out of the old hall:\n\n    loom detach "
            "--hall old\n\nThen you carry it to the newer hall:\n\n    loom carry --to "
            "new\n\nAt last you move the threads into the loom there:\n\n    loom attach "
            "--threads\n\n");
  for (int i = 0; i < 5; ++i) {
    WriteFile("page" + std::to_string(i) + ".txt",
              "A hall is a house for looms. In the newer halls a loom has more light than page " +
                  std::to_string(i) + " says.\n");
  }
  Add();
  for (const int64_t budget : {150, 300}) {
    const std::string context = Context("how do I move my loom to a newer hall", budget);
    for (const std::string step :
         {"loom detach --hall old", "loom carry --to new", "loom attach --threads"}) {
      EXPECT_NE(context.find(step), std::string::npos) << budget << "\n" << context;
    }
  }
}

TEST_F(AnsweringContextTest, AnItemIsWhole) {
  std::string text = "CHANGES FROM 3.2 TO 3.3\n\n";
  text +=
      "* Add a list of the people at the loom door. They may be sent away or let in to look on. A "
      "new order, door-list, manages the list.\n\n";
  for (int i = 0; i < 8; ++i) {
    text += "* Repair the new order of the loom " + std::to_string(i) + " which was wrong.\n\n";
  }
  WriteFile("CHANGES.txt", text + "CHANGES FROM 3.1 TO 3.2\n\n* Nothing of note at the door.\n");
  Add();
  for (const int64_t budget : {80, 120, 160}) {
    const std::string context =
        Context("which new order of 3.3 manages who may come to the loom door", budget);
    EXPECT_NE(context.find("door-list"), std::string::npos) << context;
    EXPECT_NE(context.find("FROM 3.2 TO 3.3"), std::string::npos) << context;
  }
}

TEST_F(AnsweringContextTest, TheBestChunkIsAlwaysInIt) {
  WriteLetters({"river", "bridge", "mill", "ferry"}, 40);
  WriteFile("mill.txt", "The mill by the river has a bridge, and a ferry crosses there.\n");
  Add();
  SearchRequest search;
  search.text = "river bridge mill ferry";
  const auto hits = database_->Search(search);
  ASSERT_TRUE(hits.has_value());
  for (const int64_t budget : {30, 60, 300}) {
    EXPECT_NE(Context(search.text, budget).find(hits->hits[0].doc.path), std::string::npos);
  }
}

// A unit that does not fit is cut around the line or sentence that answers.
TEST_F(AnsweringContextTest, ATinyBudgetKeepsTheLineThatAnswers) {
  WriteFile("item.txt",
            "- The loom has many parts that wear out in winter when the hall is cold,\n"
            "  as everyone knows who has ever woven a blanket of wool and of cotton there.\n"
            "  The spindle is in the third drawer. Nobody sits beside it.\n");
  WriteFile("sentences.txt", "It rained in the hall. The ladder stands behind the green door.\n");
  Add();
  for (const int64_t budget : {22, 26, 30}) {
    const std::string text = Context("where is the spindle", budget);
    EXPECT_NE(text.find("[item.txt:3-3]\nThe spindle is in the third drawer."), std::string::npos)
        << text;
  }
  const std::string text = Context("where does the ladder stand", 22);
  EXPECT_NE(text.find("The ladder stands behind the green door."), std::string::npos) << text;
  // With more room the text before it comes, too.
  EXPECT_NE(Context("where is the spindle", 40).find("as everyone knows"), std::string::npos);
}

// Many passages have many words of one part of the question; one passage has the only word of the
// other part.
class AnsweringTwoThingsTest : public AnsweringContextTest {
 protected:
  void SetUp() override {
    AnsweringContextTest::SetUp();
    const char* const things[] = {"blankets", "sails", "coats", "ropes",
                                  "curtains", "hats",  "tents", "carpets"};
    for (const std::string thing : things) {
      WriteFile(thing + ".txt", "The strong green twill weave of Otranto is what " + thing +
                                    " were made of in the north.\n");
      WriteFile("north-" + thing + ".txt", "The market for " + thing + " is in the north.\n");
    }
    WriteFile("satin.txt", "Satin floats over four threads, so that it shines.\n");
    Add();
  }
  void ExpectBoth(const std::string& question) {
    const std::string text = Context(question, 62);
    EXPECT_NE(text.find("The strong green twill weave"), std::string::npos) << text;
    EXPECT_NE(text.find("Satin floats"), std::string::npos) << question << "\n" << text;
  }
};

TEST_F(AnsweringTwoThingsTest, EachSentenceOfAQuestionIsAnswered) {
  ExpectBoth("what is the strong green twill weave of Otranto in the north? what is satin");
}

TEST_F(AnsweringTwoThingsTest, BothSidesOfAComparisonAreAnswered) {
  ExpectBoth("the difference between satin and the strong green twill weave of Otranto (north)");
  ExpectBoth("strong green twill weave of Otranto in the north vs satin");
  ExpectBoth("compare satin and the strong green twill weave of Otranto in the north");
}

TEST_F(AnsweringContextTest, NotesThatAreNoLongerValidAreMarked) {
  WriteFile("old.md",
            "---\ntitle: Ostriches\nstatus: obsolete\n---\n\nTest the ostrich before it runs.\n");
  WriteFile("ended.md",
            "---\ntitle: Emus\nvalid_until: 2001-01-01\n---\n\nTest the emu before it runs.\n");
  WriteFile("valid.md", "---\ntitle: Rheas\n---\n\nTest the rhea before it runs.\n");
  AddRequest request;
  request.paths = {dir_.path()};
  request.parser = Parser::kNote;
  ASSERT_TRUE(database_->Add(request).has_value());
  const std::string context = Context("test the ostrich, the emu, the rhea", 300);
  EXPECT_NE(context.find("old.md:6-6] (obsolete)"), std::string::npos) << context;
  EXPECT_NE(context.find("ended.md:6-6] (expired)"), std::string::npos) << context;
  EXPECT_NE(context.find("valid.md:5-5]\n"), std::string::npos) << context;
  // Hits say the same.
  SearchRequest search;
  search.text = "test the ostrich, the emu, the rhea";
  std::map<std::string, std::string> states;
  const auto found = database_->Search(search);
  ASSERT_TRUE(found.has_value());
  for (const SearchHit& hit : found->hits) {
    states[hit.doc.path.substr(hit.doc.path.rfind('/') + 1)] = hit.doc.note_state;
  }
  EXPECT_EQ(states, (std::map<std::string, std::string>{
                        {"old.md", "obsolete"}, {"ended.md", "expired"}, {"valid.md", ""}}));
  EXPECT_TRUE(found->as_of.has_value());
}

TEST_F(AnsweringContextTest, FrontMatterIsPackedIfAQuestionNamesItsKey) {
  WriteFile("guide.md",
            "---\ntitle: The weaver's guide\ncategory: Crafts\n---\n\n# Weaving\n\nA weaver lays "
            "the warp first and then the weft over it.\n");
  Add();
  EXPECT_EQ(Context("what does a weaver lay first", 60).find("category"), std::string::npos);
  EXPECT_NE(Context("category of the guide of weaving", 60).find("category: Crafts"),
            std::string::npos);
}

}  // namespace
}  // namespace recall
