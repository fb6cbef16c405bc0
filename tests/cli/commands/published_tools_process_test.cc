// `recall mcp --tools bastra|rekall|memory` as an assistant sees it that was set up for one of
// these programs. The oracle is the command line; Anthropic's own server is one in tests/clients.

#include "index/subword/token_estimate.h"
#include "tests/cli/mcp_client.h"
#include "tests/cli/recall_process.h"

namespace recall {
namespace {

using Args = std::vector<std::string>;

std::vector<std::string> NamesOf(McpClient& client) {
  std::vector<std::string> names;
  const Json listed = client.Ask("tools/list");
  for (const Json& tool : listed["result"]["tools"]) names.push_back(tool["name"]);
  return names;
}

class CompatToolsTest : public RecallTest {
 protected:
  void SetUp() override { ASSERT_EQ(Run({"init"}).exit, 0); }

  McpClient Serve(const std::string& set, Args more = {}) {
    Args args = {"mcp", "--tools", set};
    args.insert(args.end(), more.begin(), more.end());
    return McpClient(StartConversation(args));
  }
  void Save(Args args) {
    args.insert(args.begin(), "save");
    const RunResult saved = Run(args);
    ASSERT_EQ(saved.exit, 0) << saved;
  }
  static Json Answer(McpClient& client, const std::string& tool, const Json& arguments) {
    const ToolResponse answer = client.Call(tool, arguments);
    EXPECT_FALSE(answer.error) << tool << " " << answer;
    return Json::parse(answer.text, nullptr, false);
  }
};

TEST_F(CompatToolsTest, ToolsThatWriteAreOfferedOnRequestOnly) {
  McpClient bastra = Serve("bastra");
  EXPECT_EQ(NamesOf(bastra), (Args{"recall", "load_memory", "find_document", "read_document"}));
  EXPECT_TRUE(bastra.Ask("tools/call", {{"name", "save_memory"}}).contains("error"));
  EXPECT_TRUE(bastra.Ask("tools/call", {{"name", "search"}}).contains("error"));
  EXPECT_TRUE(bastra.Ask("prompts/list").contains("error"));
  McpClient rekall = Serve("rekall");
  EXPECT_EQ(NamesOf(rekall),
            (Args{"rekall_help", "rekall_search", "rekall_show", "rekall_related", "rekall_similar",
                  "rekall_get_context", "rekall_info", "rekall_stale"}));
  McpClient memory =
      Serve("memory", {"--allow-write", "--tool", "read_graph", "--tool", "delete_relations"});
  EXPECT_EQ(NamesOf(memory), (Args{"delete_relations", "read_graph"}));
  const RunResult unknown = Run({"mcp", "--tools", "memory", "--tool", "search", "--json"});
  EXPECT_EQ(unknown.exit, 2) << unknown;
  EXPECT_NE(unknown.out.find("create_entities, create_relations"), std::string::npos) << unknown;
  EXPECT_EQ(Run({"mcp", "--tools", "other"}).exit, 2);
}

TEST_F(CompatToolsTest, TheVaultAnswersAsTheShapeOfASearch) {
  McpClient client = Serve("bastra", {"--allow-write"});
  const Json note = {{"title", "Don't stack focus styles"},
                     {"type", "lesson"},
                     {"summary", "One outline is enough."},
                     {"body", "Set it once. See [[buttons]]."},
                     {"topic_path", {"web", "web/forms"}},
                     {"tags", {"css"}},
                     {"scope", "shop"},
                     {"recall_when", {"creating a new input component"}},
                     {"source", "a review"},
                     {"related", {"buttons", "nowhere"}},
                     {"issues", {"#4"}}};
  Save({"decision", "Buttons", "--text", "Buttons have an outline.", "--scope", "shop"});
  Save({"decision", "Elsewhere", "--text", "Input of another project.", "--scope", "other"});
  const Json saved = Answer(client, "save_memory", note);
  EXPECT_EQ(saved["id"], "dont-stack-focus-styles");
  EXPECT_EQ(saved["created"], true);
  EXPECT_EQ(saved["ignored"], (Json{"issues"}));
  EXPECT_EQ(saved["related_missing"], (Json{"nowhere"}));

  // Found at once, as the command line finds it.
  const Json found = Answer(client, "recall", {{"query", "new input component"}});
  const Args line = {"search", "--shape", "bastra", "--view", "memory", "new input component"};
  EXPECT_EQ(found, Json::parse(Run(line).out));
  EXPECT_EQ(found["hits"][0]["id"], saved["id"]);
  EXPECT_EQ(KeysOf(found["hits"][0]), (Args{"id", "title", "type", "scope", "summary", "score"}));
  const Json shop = Answer(client, "recall", {{"query", "input"}, {"scope", "shop"}});
  for (const Json& hit : shop["hits"]) EXPECT_EQ(hit["scope"], "shop");
  EXPECT_EQ(Answer(client, "recall", {{"query", "input"}, {"type", "workflow"}})["hits"].size(),
            0u);
  EXPECT_EQ(Answer(client, "recall", {{"query", "input"}, {"min_score", 164}})["hits"].size(), 0u);

  // Neighbours follow the hits.
  const Json with_hops =
      Answer(client, "recall",
             {{"query", "input component"}, {"k", 1}, {"expand_hops", 1}, {"verbosity", "full"}});
  ASSERT_EQ(with_hops["hits"].size(), 2u) << with_hops;
  EXPECT_EQ(with_hops["hits"][0]["hop"], "direct");
  EXPECT_EQ(with_hops["hits"][1]["id"], "buttons");
  EXPECT_EQ(with_hops["hits"][1]["hop"], "1-hop");

  const Json lean = Answer(client, "load_memory", {{"id", saved["id"]}});
  EXPECT_EQ(KeysOf(lean), (Args{"id", "frontmatter", "body", "file_path"}));
  EXPECT_EQ(lean["body"], "Set it once. See [[buttons]].\n");
  EXPECT_EQ(lean["frontmatter"]["recall_when"], note["recall_when"]);
  EXPECT_FALSE(lean["frontmatter"].contains("source"));
  const Json full = Answer(client, "load_memory", {{"id", saved["id"]}, {"verbosity", "full"}});
  EXPECT_EQ(full["frontmatter"]["source"], "a review");
  EXPECT_EQ(Run({"query", "SELECT doc.path FROM doc FILTER doc.uses = 2", "--lean"})
                .out.find("notes/dont-stack"),
            std::string("{\"doc.path\":\"").size());

  // The title names a note: a second one is an error, unless it replaces the first.
  const ToolResponse again = client.Call("save_memory", note);
  EXPECT_TRUE(again.error);
  EXPECT_TRUE(again.text.starts_with("exists: ")) << again;
  Json changed = note;
  changed["body"] = "Set it twice.";
  changed["overwrite"] = true;
  EXPECT_EQ(Answer(client, "save_memory", changed)["created"], false);
  EXPECT_EQ(Answer(client, "load_memory", {{"id", saved["id"]}})["body"], "Set it twice.\n");
  const ToolResponse wrong = client.Call("recall", {{"query", "x"}, {"k", 21}});
  EXPECT_EQ(wrong.text, "invalid_argument: k must be a number from 1 to 20");

  // Documents are what is no note.
  Write("manual.md", "# Manual\n\nHow to press buttons.\n");
  ASSERT_EQ(Run({"add", "manual.md"}).exit, 0);
  const Json documents = Answer(client, "find_document", {{"query", "buttons"}});
  ASSERT_EQ(documents["hits"].size(), 1u) << documents;
  EXPECT_EQ(documents["hits"][0]["id"], "manual.md");
  EXPECT_EQ(Answer(client, "read_document", {{"id", "manual.md"}})["body"], Read("manual.md"));
}

TEST_F(CompatToolsTest, EntriesAreAddedFoundLinkedAndRetired) {
  McpClient client = Serve("rekall", {"--allow-write"});
  const auto add = [&](const std::string& title, const std::string& keyword) {
    return Answer(client, "rekall_add",
                  {{"type", "bug"},
                   {"title", title},
                   {"content", "Text of " + title},
                   {"context",
                    {{"situation", "It fails"},
                     {"solution", "Do it"},
                     {"trigger_keywords", {keyword}},
                     {"files_modified", {"a.cc"}},
                     {"conversation_excerpt", "why?"}}},
                   {"project", "shop"},
                   {"confidence", 4}})["id"];
  };
  EXPECT_EQ(add("CORS on Safari", "cors"), "cors-on-safari");
  EXPECT_EQ(add("Timeout of nginx", "timeout"), "timeout-of-nginx");
  const Json found = Answer(client, "rekall_search", {{"query", "cors"}, {"project", "shop"}});
  EXPECT_EQ(KeysOf(found["entries"][0]), (Args{"id", "title", "score", "snippet"}));
  EXPECT_EQ(found["entries"][0]["id"], "cors-on-safari");
  EXPECT_EQ(found["entries"], Json::parse(Run({"search", "--shape", "rekall", "--view", "entries",
                                               "--filter", "doc.scope = 'shop'", "cors"})
                                              .out)["entries"]);

  ASSERT_FALSE(client
                   .Call("rekall_link", {{"source_id", "cors-on-safari"},
                                         {"target_id", "timeout-of-nginx"},
                                         {"relation_type", "derived_from"},
                                         {"reason", "same proxy"}})
                   .error);
  const Json shown = Answer(client, "rekall_show", {{"id", "cors-on-safari"}});
  EXPECT_EQ(shown["confidence"], 4.0);
  EXPECT_EQ(shown["project"], "shop");
  EXPECT_NE(shown["content"].get<std::string>().find("## Conversation\n\nwhy?"), std::string::npos);
  EXPECT_EQ(shown["links"], Json::parse(R"([{"source_id": "cors-on-safari", "target_id":
      "timeout-of-nginx", "relation_type": "derived_from", "reason": "same proxy"}])"));
  const Json related = Answer(client, "rekall_related", {{"entry_id", "timeout-of-nginx"}});
  EXPECT_EQ(related["entries"][0]["id"], "cors-on-safari");
  const Json context = Answer(client, "rekall_get_context", {{"entry_ids", {"cors-on-safari"}}});
  EXPECT_TRUE(context["contexts"]["cors-on-safari"].get<std::string>().starts_with("## Context\n"));
  EXPECT_EQ(Answer(client, "rekall_similar", {{"entry_id", "cors-on-safari"}})["entries"][0]["id"],
            "timeout-of-nginx");
  EXPECT_EQ(Answer(client, "rekall_info", Json::object()),
            Json::parse(R"({"entries": 2, "by_type": {"bug": 2}, "by_project": {"shop": 2}})"));
  EXPECT_EQ(Answer(client, "rekall_stale", {{"days", 0}, {"limit", 1}})["entries"].size(), 1u);
  EXPECT_EQ(Answer(client, "rekall_unlink",
                   {{"source_id", "cors-on-safari"}, {"target_id", "timeout-of-nginx"}})["removed"]
                .size(),
            1u);

  ASSERT_FALSE(
      client
          .Call("rekall_deprecate", {{"id", "cors-on-safari"}, {"replaced_by", "timeout-of-nginx"}})
          .error);
  const ToolResponse left = client.Call("rekall_search", {{"query", "cors timeout"}});
  EXPECT_EQ(left.text.find("cors-on-safari"), std::string::npos) << left;
  EXPECT_NE(left.text.find("timeout-of-nginx"), std::string::npos) << left;
  EXPECT_TRUE(client.Call("rekall_delete", {{"id", "cors-on-safari"}, {"confirm", false}}).error);
  EXPECT_FALSE(client.Call("rekall_delete", {{"id", "cors-on-safari"}, {"confirm", true}}).error);
  EXPECT_TRUE(client.Call("rekall_show", {{"id", "cors-on-safari"}}).error);
  const ToolResponse incomplete =
      client.Call("rekall_add", {{"type", "bug"}, {"title", "t"}, {"context", Json::object()}});
  EXPECT_EQ(incomplete.text, "invalid_argument: context.situation is missing");
}

// The documents of the program name tools that it does not have.
TEST_F(CompatToolsTest, EntriesAreReadAndAddedUnderTheNamesOfTheDocuments) {
  McpClient client = Serve("rekall", {"--allow-write"});
  const Json context = {{"situation", "It fails"},
                        {"solution", "Add credentials"},
                        {"trigger_keywords", {"cors", "safari"}}};
  const Json added = Answer(client, "add_entry",
                            {{"type", "bug"},
                             {"title", "CORS on Safari"},
                             {"content", "Blocked."},
                             {"context", context}});
  EXPECT_EQ(added["id"], "cors-on-safari");
  EXPECT_EQ(Answer(client, "rekall_add_entry", {{"type", "bug"}, {"title", "No context"}})["id"],
            "no-context");
  EXPECT_EQ(Answer(client, "search", {{"query", "safari"}}),
            Answer(client, "rekall_search", {{"query", "safari"}}));
  ASSERT_FALSE(client
                   .Call("rekall_link_entries", {{"source_id", "cors-on-safari"},
                                                 {"target_id", "no-context"},
                                                 {"relation", "supersedes"}})
                   .error);
  const Json shown = Answer(client, "rekall_show", {{"id", "cors-on-safari"}});
  EXPECT_EQ(shown["links"][0]["relation_type"], "supersedes");
  for (const char* name : {"get_entry", "rekall_get_entry"}) {
    EXPECT_EQ(Answer(client, name, {{"id", "cors-on-safari"}}), shown) << name;
  }
  // They are not listed, so that assistants do not read each description twice.
  const Args listed = NamesOf(client);
  EXPECT_EQ(std::ranges::count(listed, "rekall_show"), 1);
  EXPECT_EQ(std::ranges::count(listed, "get_entry"), 0);
  McpClient named = Serve("rekall", {"--tool", "get_entry", "--tool", "search"});
  EXPECT_EQ(NamesOf(named), (Args{"search", "get_entry"}));
  EXPECT_TRUE(named.Ask("tools/call", {{"name", "rekall_show"}}).contains("error"));
  McpClient reader = Serve("rekall");
  EXPECT_TRUE(reader.Ask("tools/call", {{"name", "add_entry"}}).contains("error"));
}

// What other tools wrote is part of the graph, and a change keeps what the graph does not show.
TEST_F(CompatToolsTest, TheGraphIsThatOfAllNotes) {
  Save({"lesson", "Alpha", "--text", "First.\n\nSecond.", "--when", "asked", "--tag", "x", "--at",
        "2026-01-02"});
  Save({"lesson", "Beta", "--text", "- one\n- two", "--link", "supports=alpha", "--at",
        "2026-01-01"});
  McpClient client = Serve("memory", {"--allow-write"});
  const Json graph = Answer(client, "read_graph", Json::object());
  EXPECT_EQ(graph, Json::parse(R"({"entities": [
      {"name": "Beta", "entityType": "lesson", "observations": ["one", "two"]},
      {"name": "Alpha", "entityType": "lesson", "observations": ["First.", "Second."]}],
    "relations": [{"from": "Beta", "to": "Alpha", "relationType": "supports"}]})"));
  ASSERT_FALSE(client
                   .Call("add_observations",
                         {{"observations",
                           {{{"entityName", "Alpha"}, {"contents", {"Second.", "Third."}}}}}})
                   .error);
  const std::string note = Run({"get", "alpha"}).out;
  EXPECT_TRUE(note.ends_with("---\n\nFirst.\n\nSecond.\n\nThird.\n")) << note;
  EXPECT_NE(note.find("tags:\n  - x\nrecall_when:\n  - asked\n"), std::string::npos) << note;

  // What is removed can still be read at the commit before.
  const Json before = Run({"stats", "--json"}).Json();
  const std::string snapshot = before["stats"]["snapshot"];
  const ToolResponse removed = client.Call("delete_entities", {{"entityNames", {"Alpha", "no"}}});
  EXPECT_EQ(removed.text, "Entities deleted successfully");
  EXPECT_EQ(removed.structured, (Json{{"success", true}, {"message", removed.text}}));
  EXPECT_EQ(Run({"get", "alpha"}).exit, 1);
  EXPECT_EQ(Run({"get", "alpha", "--snapshot", snapshot}).out, note);
  EXPECT_EQ(Answer(client, "read_graph", Json::object())["relations"].size(), 0u);

  // Words that no entity contains are searched for.
  EXPECT_EQ(Answer(client, "search_nodes", {{"query", "two or one?"}})["entities"][0]["name"],
            "Beta");
}

TEST_F(CompatToolsTest, PrivateNotesAndOtherScopesDoNotExist) {
  Save({"lesson", "Open", "--text", "zebra", "--scope", "a"});
  Save({"lesson", "Hidden", "--text", "zebra", "--scope", "a", "--private", "--link",
        "related=open"});
  Save({"lesson", "Other", "--text", "zebra", "--scope", "b"});
  const std::pair<std::string, std::vector<std::pair<std::string, Json>>> reads[] = {
      {"bastra",
       {{"recall", {{"query", "zebra"}, {"min_score", 0}, {"expand_hops", 1}}},
        {"load_memory", {{"id", "hidden"}}},
        {"load_memory", {{"id", "other"}}}}},
      {"rekall",
       {{"rekall_search", {{"query", "zebra"}}},
        {"rekall_show", {{"id", "hidden"}}},
        {"rekall_show", {{"id", "open"}}},
        {"rekall_related", {{"entry_id", "open"}}},
        {"rekall_similar", {{"entry_id", "open"}}},
        {"rekall_info", Json::object()},
        {"rekall_stale", {{"days", 0}}}}},
      {"memory",
       {{"read_graph", Json::object()},
        {"search_nodes", {{"query", "zebra"}}},
        {"open_nodes", {{"names", {"Hidden", "Other"}}}}}}};
  const auto sees = [&](const std::string& set, const auto& calls, const Args& flags) {
    McpClient client = Serve(set, flags);
    std::string all;
    for (const auto& [tool, arguments] : calls) {
      const ToolResponse answer = client.Call(tool, arguments);
      if (!answer.error) all += answer.text;
    }
    return std::pair(all.find("Hidden") != all.npos, all.find("Other") != all.npos);
  };
  for (const auto& [set, calls] : reads) {
    EXPECT_EQ(sees(set, calls, {}), std::pair(false, true)) << set;
    EXPECT_EQ(sees(set, calls, {"--scope", "doc.scope = 'a'"}), std::pair(false, false)) << set;
    EXPECT_EQ(sees(set, calls, {"--allow-private"}), std::pair(true, true)) << set;
  }
  McpClient writer = Serve("memory", {"--allow-write"});
  EXPECT_FALSE(writer.Call("delete_entities", {{"entityNames", {"Hidden"}}}).error);
  EXPECT_EQ(Run({"get", "hidden"}).exit, 0);
}

TEST_F(CompatToolsTest, AnswersKeepToTheirBudgetAndTheOutputHasNothingButMessages) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "zebra" + std::to_string(i * i) + " ";
  for (int i = 0; i < 40; ++i) {
    Save({"lesson", "Zebra " + std::to_string(i), "--text", text, "--summary", "about zebras"});
  }
  const std::pair<std::string, std::pair<std::string, Json>> calls[] = {
      {"bastra", {"recall", {{"query", "zebra"}, {"k", 20}, {"verbosity", "full"}}}},
      {"bastra", {"load_memory", {{"id", "zebra-1"}}}},
      {"bastra", {"load_memory", {{"id", std::string(3000, 'z')}}}},
      {"rekall", {"rekall_search", {{"query", "zebra"}, {"limit", 40}}}},
      {"rekall", {"rekall_show", {{"id", "zebra-1"}}}},
      {"memory", {"read_graph", Json::object()}},
      {"memory", {"open_nodes", {{"names", {"Zebra 1"}}}}}};
  for (const auto& [set, call] : calls) {
    McpClient client = Serve(set, {"--max-tokens", "150"});
    const ToolResponse answer = client.Call(call.first, call.second);
    EXPECT_LE(EstimateTokens(answer.text), 150) << call.first;
    if (!answer.error) {
      EXPECT_EQ(Json::parse(answer.text)["truncated"], true) << call.first;
    }
    EXPECT_EQ(client.Finish(), "") << call.first;  // each line before was an answer
  }
}

}  // namespace
}  // namespace recall
