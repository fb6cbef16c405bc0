// Hits as structs, sets of documents, texts that are added from memory.

#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/library/recall.h"
#include "tests/cli/library/c_api_fixture.h"

namespace recall {
namespace {

using Json = nlohmann::json;

class CSearchTest : public CApiTest {
 protected:
  CSearchTest() = default;
  ~CSearchTest() override {
    recall_hits_free(hits_);
    recall_set_free(set_);
  }
  void Search(const std::string& query, const char* request = nullptr) {
    recall_hits_free(hits_);
    const Answered answer([&](recall_answer** made) {
      return recall_search(store_, query.c_str(), request, set_, &hits_, made);
    });
    ASSERT_EQ(answer.status, RECALL_OK) << answer.json();
    ASSERT_TRUE(answer.empty());
  }
  std::vector<std::string> Paths() {
    std::vector<std::string> paths;
    while (const recall_hit* hit = recall_next(hits_)) paths.emplace_back(hit->path);
    return paths;
  }
  void Restrict(enum recall_set_of of, const std::vector<const char*>& names) {
    recall_set_free(set_);
    ASSERT_EQ(recall_set_new(of, names.data(), names.size(), &set_, nullptr), RECALL_OK);
  }

  recall_hits* hits_ = nullptr;
  recall_set* set_ = nullptr;
};

using Texts = std::vector<std::string>;

TEST_F(CSearchTest, HitsAreThoseOfTheAnswer) {
  MakeStore();
  Open();
  const Json answer = Json::parse(Called("search", R"({"query": "fish", "cite": true})"));
  Search("fish");
  ASSERT_EQ(recall_count(hits_), answer["results"].size());
  ASSERT_GT(recall_count(hits_), 1u);
  for (size_t i = 0; i < recall_count(hits_); ++i) {
    const Json& result = answer["results"][i];
    const recall_hit* const hit = recall_hit_at(hits_, i);
    EXPECT_EQ(recall_next(hits_), hit);
    EXPECT_EQ(hit->score, result["score"]);
    EXPECT_EQ(hit->path, result["doc"]["path"].get<std::string>());
    EXPECT_EQ(hit->document, result["doc"]["id"].get<std::string>());
    EXPECT_EQ(hit->chunk, result["chunk"]["id"].get<std::string>());
    EXPECT_EQ(hit->citation, result["cite"].get<std::string>());
    EXPECT_EQ(hit->text, result["chunk"]["text"].get<std::string>());
    EXPECT_EQ(hit->text_size, std::strlen(hit->text));
    EXPECT_EQ(hit->heading, result["chunk"]["heading"].get<std::string>());
    EXPECT_EQ(hit->first_line, result["chunk"]["start_line"]);
    EXPECT_EQ(hit->last_line, result["chunk"]["end_line"]);
    EXPECT_EQ(hit->start_byte, result["chunk"]["start_byte"]);
    EXPECT_EQ(hit->end_byte, result["chunk"]["end_byte"]);
    EXPECT_EQ(hit->snippet, result["snippet"]["text"].get<std::string>());
    EXPECT_EQ(hit->stale, 0);
  }
  EXPECT_EQ(recall_next(hits_), nullptr);
  EXPECT_EQ(recall_hit_at(hits_, recall_count(hits_)), nullptr);
}

TEST_F(CSearchTest, ACitationIsReadBack) {
  MakeStore();
  Open();
  Search("retry policy");
  const recall_hit* const best = recall_next(hits_);
  ASSERT_NE(best, nullptr);
  const Answered text(
      [&](recall_answer** answer) { return recall_get(store_, best->citation, nullptr, answer); });
  EXPECT_EQ(text.status, RECALL_OK) << text.json();
}

TEST_F(CSearchTest, ASetRestrictsWhatIsRanked) {
  MakeStore();
  Open();
  Search("fish", R"({"bm25": true})");
  EXPECT_EQ(Paths().size(), 2u);
  const std::string heron = recall_hit_at(hits_, 0)->document;
  const std::string first = recall_hit_at(hits_, 0)->path;
  Restrict(RECALL_PATHS, {"birds/heron.md", "plan.txt", "it's not there"});
  Search("fish", R"({"bm25": true})");
  EXPECT_EQ(Paths(), Texts{"birds/heron.md"});
  Search("fish",
         R"({"bm25": true, "filter": "doc.path = 'plan.txt' OR doc.path LIKE 'birds/k%'"})");
  EXPECT_EQ(Paths(), Texts{}) << "both restrictions hold";
  Restrict(RECALL_DOCUMENTS, {heron.c_str()});
  Search("fish", R"({"bm25": true})");
  EXPECT_EQ(Paths(), Texts{first});
}

TEST_F(CSearchTest, AWrongFilterIsReportedAtItsPlaceWithASetToo) {
  MakeStore();
  Open();
  Restrict(RECALL_PATHS, {"plan.txt"});
  const Answered wrong([&](recall_answer** answer) {
    return recall_search(store_, "fish", R"({"filter": "doc.path ="})", set_, &hits_, answer);
  });
  EXPECT_EQ(wrong.status, RECALL_USAGE);
  EXPECT_EQ(hits_, nullptr);
  ASSERT_NE(wrong.error(), nullptr);
  const Answered alone([&](recall_answer** answer) {
    return recall_search(store_, "fish", R"({"filter": "doc.path ="})", nullptr, &hits_, answer);
  });
  EXPECT_EQ(wrong.error()->column, alone.error()->column);
}

TEST_F(CSearchTest, LargeSetsAreRefusedWhenTheyAreMade) {
  const std::vector<const char*> names(5000, "a");
  recall_set* set = nullptr;
  const Answered refused([&](recall_answer** answer) {
    return recall_set_new(RECALL_PATHS, names.data(), names.size(), &set, answer);
  });
  EXPECT_EQ(refused.status, RECALL_USAGE);
  EXPECT_EQ(set, nullptr);
}

TEST_F(CSearchTest, AddsTextsFromMemory) {
  Open(R"({"create": true, "settings": {"embedding": "hash"}})");
  const std::string text = "Herons \"stand\" still.\n\nBy the pond.";
  ASSERT_EQ(recall_add_text(store_, "a heron", text.data(), text.size(),
                            "{\"year\": 2024,\n\"tags\": [\"bird\"]}", nullptr, 0, nullptr),
            RECALL_OK);
  const std::string lines =
      "{\"path\": \"b\", \"text\": \"Kingfishers dive.\"}\n"
      "{\"path\": \"c\", \"text\": \"A policy.\", \"tag\": \"plan\"}\n";
  const Answered added([&](recall_answer** answer) {
    return recall_add_lines(store_, lines.data(), lines.size(), nullptr, answer);
  });
  ASSERT_EQ(added.status, RECALL_OK) << added.json();
  EXPECT_EQ(Json::parse(added.json())["add"]["added"], 2);
  Search("herons",
         R"({"filter": "doc.meta.year = 2024 AND doc.meta.tags = 'bird'", "bm25": true})");
  const recall_hit* const hit = recall_next(hits_);
  ASSERT_NE(hit, nullptr);
  EXPECT_EQ(hit->path, std::string("a heron"));
  EXPECT_EQ(std::string(hit->text, hit->text_size), text);
  EXPECT_EQ(Json::parse(hit->metadata)["year"], 2024);
  Search("policy", R"({"bm25": true})");
  EXPECT_EQ(recall_next(hits_)->tag, std::string("plan"));
}

TEST_F(CSearchTest, WrongTextsAreErrors) {
  Open(R"({"create": true, "settings": {"embedding": "hash"}})");
  const auto add = [&](const std::string& path, const std::string& text, const char* metadata,
                       const std::vector<float>& vector) {
    return recall_add_text(store_, path.c_str(), text.data(), text.size(), metadata,
                           vector.empty() ? nullptr : vector.data(), vector.size(), nullptr);
  };
  EXPECT_EQ(add("a", "x", "{", {}), RECALL_USAGE);
  EXPECT_EQ(add("a", "x", "[1]", {}), RECALL_USAGE);
  EXPECT_EQ(add("a", "x", "{}, \"path\": \"b\"", {}), RECALL_USAGE);
  EXPECT_EQ(add("a", "x", "{}, \"tag\": \"b\"", {}), RECALL_USAGE);
  EXPECT_EQ(add("", "x", nullptr, {}), RECALL_USAGE);
  EXPECT_EQ(add("a", "caf\xe9", nullptr, {}), RECALL_USAGE);
  EXPECT_EQ(add("a", "x", nullptr, {1, 2}), RECALL_USAGE) << "the embedder computes vectors";
  EXPECT_EQ(add("a", std::string("\0x", 2), nullptr, {}), RECALL_USAGE);
  EXPECT_EQ(Json::parse(Called("stats", ""))["stats"]["doc_count"], 0);
}

TEST_F(CSearchTest, AnErrorSaysWhichTextWasNotAddedAndWhy) {
  Open(R"({"create": true, "settings": {"embedding": "hash"}})");
  const auto message = [&](const std::string& text, const char* metadata) {
    const Answered added([&](recall_answer** answer) {
      const float vector[] = {1, 2};
      return recall_add_text(store_, "birds/heron", text.data(), text.size(), metadata,
                             metadata == nullptr ? vector : nullptr, metadata == nullptr ? 2 : 0,
                             answer);
    });
    EXPECT_EQ(added.status, RECALL_USAGE) << added.json();
    EXPECT_EQ(Json::parse(added.json())["error"]["message"], added.message());
    return added.message();
  };
  EXPECT_EQ(message("caf\xe9", "{}"), "the text of 'birds/heron' is not UTF-8");
  EXPECT_EQ(message("x", "[]"), "the metadata of 'birds/heron' must be a JSON object");
  EXPECT_TRUE(message("x", nullptr).starts_with("birds/heron: ")) << message("x", nullptr);
  EXPECT_NE(message("x", nullptr).find("embed"), std::string::npos) << message("x", nullptr);
  const std::string lines =
      "{\"path\": \"a\"}\n{\"path\": \"b\", \"text\": \"Swans.\"}\n{\"path\": \"c\", \"text\": "
      "1}\n";
  const Answered several([&](recall_answer** answer) {
    return recall_add_lines(store_, lines.data(), lines.size(), nullptr, answer);
  });
  EXPECT_TRUE(several.message().starts_with("2 lines could not be added; the first is a: "))
      << several.message();
}

TEST_F(CSearchTest, VectorsOfTheHostRank) {
  Open(R"({"create": true, "settings": {"embedding": "given", "embedding_dim": 8}})");
  const float near[8] = {1, 0};
  const float far[8] = {0, 1};
  ASSERT_EQ(recall_add_text(store_, "near", "one", 3, nullptr, near, 8, nullptr), RECALL_OK);
  ASSERT_EQ(recall_add_text(store_, "far", "two", 3, nullptr, far, 8, nullptr), RECALL_OK);
  Search("", R"({"embedding": [0.9, 0.1, 0, 0, 0, 0, 0, 0]})");
  ASSERT_GE(recall_count(hits_), 1u);
  EXPECT_EQ(recall_next(hits_)->path, std::string("near"));
}

TEST_F(CSearchTest, SavesANote) {
  Open(R"({"create": true, "settings": {"embedding": "hash"}})");
  const Answered saved([&](recall_answer** answer) {
    return recall_save(store_, "decision", "One file", "It is recall.db.",
                       R"({"tag": ["storage"]})", answer);
  });
  ASSERT_EQ(saved.status, RECALL_OK) << saved.json();
  Search("recall.db", R"({"filter": "doc.kind = 'note'"})");
  EXPECT_EQ(recall_count(hits_), 1u);
}

}  // namespace
}  // namespace recall
