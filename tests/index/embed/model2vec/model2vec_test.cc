#include <cmath>
#include <fstream>

#include "index/embed/model2vec/model2vec_embedder.h"
#include "index/embed/model2vec/model2vec_model.h"
#include "index/embed/model2vec/model2vec_term_vectors.h"
#include "simd/kernels.h"
#include "tests/index/embed/model2vec/safetensors_builder.h"
#include "tests/test_util.h"

namespace recall {
namespace {

constexpr char kTokenizer[] = R"({"normalizer":{"type":"BertNormalizer"},
    "pre_tokenizer":{"type":"BertPreTokenizer"},
    "model":{"type":"WordPiece","unk_token":"[UNK]",
      "vocab":{"[UNK]":0,"wing":1,"lift":2,"##ed":3,"blood":4}}})";

// Row t of 8 components: t + 1 in component t, and t in the last one.
std::vector<float> Rows() {
  std::vector<float> rows(5 * 8);
  for (size_t t = 0; t < 5; ++t) {
    rows[t * 8 + t] = static_cast<float>(t + 1);
    rows[t * 8 + 7] = static_cast<float>(t);
  }
  return rows;
}

class Model2VecTest : public ::testing::Test {
 protected:
  void Write(const std::string& name, const std::string& bytes) {
    std::ofstream(dir_ / name, std::ios::binary) << bytes;
  }
  void WriteModel(const std::string& tensors, const std::string& tokenizer = kTokenizer) {
    Write("tokenizer.json", tokenizer);
    Write("model.safetensors", tensors);
  }
  std::string Error() {
    const auto model = Model2VecModel::Open(dir_.path());
    if (model) return "opened";
    const std::string text = model.error().ToString();
    const size_t at = text.find(dir_.path() + ": ");
    return at == text.npos ? text : std::string(text).erase(at, dir_.path().size() + 2);
  }
  std::vector<float> Embed(std::string_view text) {
    const auto model = Model2VecModel::Open(dir_.path());
    EXPECT_TRUE(model.has_value()) << (model ? "" : model.error().ToString());
    if (!model) return {};
    Model2VecEmbedder embedder(**model);
    std::vector<float> vector(embedder.identity().dim, 5);
    EXPECT_OK(embedder.Embed(std::span(&text, 1), vector));
    return vector;
  }
  std::string Version() {
    const auto model = Model2VecModel::Open(dir_.path());
    return model ? Model2VecEmbedder(**model).identity().version : "";
  }

  TempDir dir_;
};

// Checks that the vector equals `sum` divided by its norm.
void ExpectUnit(const std::vector<float>& vector, const std::vector<double>& sum) {
  ASSERT_EQ(vector.size(), sum.size());
  double square = 0;
  for (const double x : sum) square += x * x;
  for (size_t i = 0; i < sum.size(); ++i) {
    EXPECT_NEAR(vector[i], sum[i] / std::sqrt(square), 1e-6) << i;
  }
}

TEST_F(Model2VecTest, TheMeanOfTheTokensOfUnitLength) {
  WriteModel(SafetensorsBuilder().Add("embeddings", "F32", {5, 8}, Rows()).Build());
  ExpectUnit(Embed("Wing"), {0, 2, 0, 0, 0, 0, 0, 1});
  // The tokens are wing, lift, ##ed, wing; unknown words are ignored.
  ExpectUnit(Embed("wing lifted unheard WING"), {0, 4, 3, 4, 0, 0, 0, 7});
  EXPECT_EQ(Embed("unheard of"), std::vector<float>(8));
  EXPECT_EQ(Embed(""), std::vector<float>(8));
}

TEST_F(Model2VecTest, ManyTextsAtOnceAreThoseOneByOne) {
  WriteModel(SafetensorsBuilder().Add("embeddings", "F32", {5, 8}, Rows()).Build());
  ASSERT_OK_AND_ASSIGN(const auto model, Model2VecModel::Open(dir_.path()));
  Model2VecEmbedder embedder(*model);
  EXPECT_EQ(embedder.identity().name, "model2vec");
  EXPECT_EQ(embedder.identity().dim, 8u);
  const std::string_view texts[] = {"wing", "", "lift blood", "blood"};
  std::vector<float> vectors(4 * 8);
  ASSERT_OK(embedder.Embed(texts, vectors));
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(std::vector<float>(vectors.begin() + i * 8, vectors.begin() + i * 8 + 8),
              Embed(texts[i]));
  }
}

TEST_F(Model2VecTest, WeightsAndMapping) {
  const std::vector<float> three = {1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0,
                                    0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0};
  WriteModel(SafetensorsBuilder()
                 .Add("embeddings", "F32", {3, 8}, three)
                 .Add<int64_t>("mapping", "I64", {5}, {0, 1, 2, 1, 0})
                 .Add<double>("weights", "F64", {5}, {1, 2, 3, 4, .5})
                 .Build());
  ExpectUnit(Embed("wing lifted blood"), {.5, 6, 3, 0, 0, 0, 0, 0});
  WriteModel(SafetensorsBuilder()
                 .Add("embeddings", "F32", {3, 8}, three)
                 .Add<int32_t>("mapping", "I32", {5}, {0, 1, 2, 1, 0})
                 .Build());
  ExpectUnit(Embed("wing lifted blood"), {1, 2, 1, 0, 0, 0, 0, 0});
}

TEST_F(Model2VecTest, EveryTypeGivesTheSameVector) {
  const std::vector<float> rows = Rows();
  std::vector<uint16_t> half;
  std::vector<uint16_t> brain;
  std::vector<int8_t> small;
  for (const float value : rows) {
    half.push_back(std::vector<uint16_t>{0, 0x3c00, 0x4000, 0x4200, 0x4400, 0x4500}[int(value)]);
    brain.push_back(static_cast<uint16_t>(std::bit_cast<uint32_t>(value) >> 16));
    small.push_back(static_cast<int8_t>(value));
  }
  WriteModel(SafetensorsBuilder().Add("embeddings", "F32", {5, 8}, rows).Build());
  const std::vector<float> expected = Embed("wing lifted blood blood");
  WriteModel(SafetensorsBuilder().Add("embeddings", "F32", {5, 8}, rows).Build(8, 1));
  EXPECT_EQ(Embed("wing lifted blood blood"), expected) << "rows that are not aligned";
  WriteModel(SafetensorsBuilder().Add("embeddings", "F16", {5, 8}, half).Build());
  EXPECT_EQ(Embed("wing lifted blood blood"), expected);
  WriteModel(SafetensorsBuilder().Add("embeddings", "BF16", {5, 8}, brain).Build());
  EXPECT_EQ(Embed("wing lifted blood blood"), expected);
  WriteModel(SafetensorsBuilder().Add("embedding.weight", "I8", {5, 8}, small).Build());
  EXPECT_EQ(Embed("wing lifted blood blood"), expected);
  for (const std::string& target : SupportedSimdTargets()) {
    ASSERT_TRUE(ForceSimdTarget(target));
    EXPECT_EQ(Embed("wing lifted blood blood"), expected) << target;
    ForceSimdTarget("");
  }
}

TEST_F(Model2VecTest, TermsAreTokensWithTheirUnitVectorsAndLengths) {
  WriteModel(SafetensorsBuilder()
                 .Add("embeddings", "F32", {5, 8}, Rows())
                 .Add<float>("weights", "F32", {5}, {1, 2, -1, 0, .5})
                 .Build());
  ASSERT_OK_AND_ASSIGN(const auto model, Model2VecModel::Open(dir_.path()));
  Model2VecTermVectors vectors(*model);
  std::vector<uint32_t> terms;
  ASSERT_OK(vectors.Find("wing lifted unheard Wing", {}, &terms));
  EXPECT_EQ(terms, (std::vector<uint32_t>{1, 2, 3, 1}));
  std::vector<float> rows(4 * 8, 9);
  ASSERT_OK(vectors.Read(terms, rows));
  ExpectUnit({rows.begin(), rows.begin() + 8}, {0, 2, 0, 0, 0, 0, 0, 1});
  ExpectUnit({rows.begin() + 8, rows.begin() + 16}, {0, 0, -3, 0, 0, 0, 0, -2});
  EXPECT_EQ(std::vector<float>(rows.begin() + 16, rows.begin() + 24), std::vector<float>(8));
  EXPECT_NEAR(*vectors.Weight(1), 2 * std::sqrt(5), 1e-5);
  EXPECT_NEAR(*vectors.Weight(2), std::sqrt(13), 1e-5);
  EXPECT_EQ(*vectors.Weight(3), 0);
}

TEST_F(Model2VecTest, TheVersionSaysOfWhichFilesAVectorIs) {
  std::vector<float> rows = Rows();
  WriteModel(SafetensorsBuilder().Add("embeddings", "F32", {5, 8}, rows).Build());
  const std::string version = Version();
  EXPECT_EQ(version.size(), 18u) << version;
  EXPECT_EQ(Version(), version);
  rows.back() += 1;
  WriteModel(SafetensorsBuilder().Add("embeddings", "F32", {5, 8}, rows).Build());
  EXPECT_NE(Version(), version);
  rows.back() -= 1;
  WriteModel(SafetensorsBuilder().Add("embeddings", "F32", {5, 8}, rows).Build(),
             std::string(kTokenizer) + "\n");
  EXPECT_NE(Version(), version);
}

TEST_F(Model2VecTest, WhatIsMissingIsNamed) {
  EXPECT_EQ(Error(), "not_found: no such file: " + dir_.path() + "/tokenizer.json");
  Write("tokenizer.json", kTokenizer);
  EXPECT_EQ(Error(), "not_found: no such file: " + dir_.path() + "/model.safetensors");
  WriteModel("");
  EXPECT_EQ(Error(), "corruption: invalid safetensors file: it is too short");
  WriteModel(SafetensorsBuilder().Build());
  EXPECT_EQ(Error(), "corruption: model.safetensors: it has no tensor \"embeddings\"");
  WriteModel(SafetensorsBuilder().Build(), R"({"model":{"type":"Neural"}})");
  EXPECT_EQ(Error(), "unsupported: tokenizer.json: the model \"Neural\" is not supported");
}

TEST_F(Model2VecTest, FilesThatDoNotFitEachOtherAreRefused) {
  const std::vector<float> rows = Rows();
  const auto error = [&](const SafetensorsBuilder& builder) {
    WriteModel(builder.Build());
    return Error();
  };
  const auto with = [&] { return SafetensorsBuilder().Add("embeddings", "F32", {5, 8}, rows); };
  EXPECT_EQ(error(with()), "opened");
  EXPECT_EQ(error(SafetensorsBuilder().Add("embeddings", "F32", {4, 10}, rows)),
            "corruption: model.safetensors: it has 4 vectors for the 5 tokens of tokenizer.json");
  EXPECT_EQ(error(SafetensorsBuilder().Add("embeddings", "F32", {40}, rows)),
            "corruption: model.safetensors: \"embeddings\" is not a matrix");
  EXPECT_EQ(error(SafetensorsBuilder().Add("embeddings", "F32", {10, 4}, rows)),
            "unsupported: model.safetensors: vectors of 4 dimensions are not supported");
  EXPECT_EQ(
      error(
          SafetensorsBuilder().Add<int32_t>("embeddings", "I32", {5, 8}, std::vector<int32_t>(40))),
      "unsupported: model.safetensors: \"embeddings\" is of type I32, which is not supported");
  EXPECT_EQ(error(with().Add<int32_t>("mapping", "I32", {5}, {0, 1, 2, 3, 5})),
            "corruption: model.safetensors: \"mapping\" refers to a vector that does not exist");
  EXPECT_EQ(error(with().Add<int64_t>("mapping", "I64", {5}, {0, 1, 2, 3, -1})),
            "corruption: model.safetensors: \"mapping\" refers to a vector that does not exist");
  EXPECT_EQ(error(with().Add<int32_t>("mapping", "I32", {4}, {0, 1, 2, 3})),
            "corruption: model.safetensors: \"mapping\" is too short for the tokens of "
            "tokenizer.json");
  EXPECT_EQ(error(with().Add<float>("weights", "F32", {4}, {1, 1, 1, 1})),
            "corruption: model.safetensors: \"weights\" is too short for the tokens of "
            "tokenizer.json");
  EXPECT_EQ(error(with().Add<float>("weights", "F32", {5}, {1, 1, 1, 1, NAN})),
            "corruption: model.safetensors: \"weights\" has a value that is not a number");
}

TEST_F(Model2VecTest, VectorsThatAreNotFiniteAreAnErrorAndNoVector) {
  for (const float bad : {NAN, INFINITY, 3e38f}) {
    std::vector<float> rows = Rows();
    rows[1 * 8 + 3] = bad;
    WriteModel(SafetensorsBuilder().Add("embeddings", "F32", {5, 8}, rows).Build());
    ASSERT_OK_AND_ASSIGN(const auto model, Model2VecModel::Open(dir_.path()));
    Model2VecEmbedder embedder(*model);
    std::vector<float> vector(8);
    const std::string_view texts[] = {"lift", "wing"};
    EXPECT_OK(embedder.Embed(std::span(texts, 1), vector));
    EXPECT_EQ(embedder.Embed(std::span(texts + 1, 1), vector).code(), StatusCode::kCorruption);
  }
}

// Reading a mapped file beyond its truncated end would kill the process.
TEST_F(Model2VecTest, AFileThatChangesUnderneathIsAnError) {
  WriteModel(SafetensorsBuilder().Add("embeddings", "F32", {5, 8}, Rows()).Build());
  ASSERT_OK_AND_ASSIGN(const auto model, Model2VecModel::Open(dir_.path()));
  Model2VecEmbedder embedder(*model);
  std::vector<float> vector(8);
  const std::string_view text = "wing";
  ASSERT_OK(embedder.Embed(std::span(&text, 1), vector));
  std::filesystem::resize_file(dir_ / "model.safetensors", 10);
  EXPECT_EQ(embedder.Embed(std::span(&text, 1), vector).code(), StatusCode::kIoError);
}

}  // namespace
}  // namespace recall
