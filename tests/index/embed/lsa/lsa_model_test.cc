// The model container, the LSA model in it, its trainer and its embedder.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <map>
#include <random>
#include <set>

#include "index/base/lexicon/lexicon.h"
#include "index/base/text/stop_words.h"
#include "index/embed/lsa/lsa_embedder.h"
#include "index/embed/lsa/lsa_model.h"
#include "index/embed/lsa/lsa_trainer.h"
#include "index/embed/lsa/model_file.h"
#include "index/embed/lsa/model_format.h"
#include "index/embed/lsa/stem_hash.h"
#include "index/embed/lsa/unknown_words.h"
#include "simd/kernels.h"
#include "storage/base/bytes.h"
#include "tests/index/base/math/jacobi_svd.h"
#include "tests/test_util.h"

namespace recall {
namespace {

using model_format::kNgramStatistics;

// Texts on three subjects with nearly disjoint vocabularies.
std::vector<std::string> Texts(size_t count) {
  const std::vector<std::vector<std::string>> themes = {
      {"wing", "lift", "drag", "flow", "pressure", "boundary", "layer", "supersonic"},
      {"blood", "cell", "patient", "protein", "tumor", "dose", "serum", "hormone"},
      {"library", "index", "catalog", "reader", "journal", "citation", "archive", "book"}};
  std::mt19937_64 random(7);
  std::vector<std::string> texts;
  for (size_t i = 0; i < count; ++i) {
    std::string text = "The text";
    for (size_t w = 0; w < 12; ++w) {
      const auto& theme = themes[random() % 10 == 0 ? random() % 3 : i % 3];
      text += " " + theme[random() % theme.size()];
    }
    texts.push_back(text + " number" + std::to_string(i));
  }
  return texts;
}

std::string TrainOn(const std::vector<std::string>& texts, const LsaTraining& training = {},
                    uint32_t threads = 1) {
  LsaTrainer trainer(training);
  for (const std::string& text : texts) trainer.Add("", text);
  Result<std::vector<ModelSection>> sections = trainer.Train(threads, nullptr);
  return sections ? EncodeModel(std::move(sections).value()) : "";
}

std::vector<float> EmbedWith(const LsaModel& model, std::string_view text) {
  LsaEmbedder embedder(model);
  std::vector<float> vector(model.dim());
  EXPECT_OK(embedder.Embed(std::span(&text, 1), vector));
  return vector;
}

double Cosine(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += double{a[i]} * double{b[i]};
  return sum;
}

TEST(ModelFileTest, SectionsComeBackAligned) {
  const std::string bytes =
      EncodeModel({{kNgramStatistics, "grams"}, {3, std::string(100, 'x')}, {9, ""}});
  ASSERT_OK_AND_ASSIGN(const ModelFile file, ModelFile::Open(AsBytes(bytes)));
  ASSERT_TRUE(file.Find(kNgramStatistics).has_value());
  EXPECT_EQ(AsText(*file.Find(kNgramStatistics)), "grams");
  EXPECT_EQ(AsText(*file.Find(3)), std::string(100, 'x'));
  EXPECT_TRUE(file.Find(9)->empty());
  EXPECT_FALSE(file.Find(4).has_value());
  EXPECT_EQ(file.Verify(4).code(), StatusCode::kCorruption);
  for (const uint32_t id : {3u, 9u, uint32_t{kNgramStatistics}}) {
    EXPECT_OK(file.Verify(id));
    EXPECT_EQ((file.Find(id)->data() - AsBytes(bytes).data()) % 64, 0);
  }
  const std::string other =
      EncodeModel({{kNgramStatistics, "grans"}, {3, std::string(100, 'x')}, {9, ""}});
  ASSERT_OK_AND_ASSIGN(const ModelFile changed, ModelFile::Open(AsBytes(other)));
  EXPECT_NE(changed.fingerprint(), file.fingerprint());
}

TEST(ModelFileTest, BytesOfTheSmallestModel) {
  // The example of docs/format/model.md.
  const std::string bytes = EncodeModel({{kNgramStatistics, "abc"}});
  const std::string header("RECALMDL\1\0\1\0\x44\0\0\0\x83\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 32);
  ASSERT_EQ(bytes.size(), 131u);
  EXPECT_EQ(bytes.substr(0, 32), header);
  EXPECT_EQ(bytes.substr(32, 4), std::string("\x10\0\0\0", 4));
  // CRC-32C of "abc" is 0x364b3fb7.
  EXPECT_EQ(bytes.substr(36, 4), std::string("\xb7\x3f\x4b\x36", 4));
  EXPECT_EQ(bytes.substr(128), "abc");
}

TEST(ModelFileTest, ANewerVersionIsUnsupported) {
  std::string bytes = EncodeModel({{1, "x"}});
  bytes[8] = 2;
  const Result<ModelFile> file = ModelFile::Open(AsBytes(bytes));
  ASSERT_FALSE(file.has_value());
  EXPECT_EQ(file.error().code(), StatusCode::kUnsupported);
}

// Opens a model that may be damaged and uses all of it. Returns: true if the damage was detected.
bool FindsDamage(const std::string& bytes) {
  // A copy of the exact size, so that sanitizers detect a read past its end.
  const std::vector<uint8_t> copy(bytes.begin(), bytes.end());
  const Result<LsaModel> model = LsaModel::Open(copy);
  if (!model) {
    EXPECT_TRUE(model.error().code() == StatusCode::kCorruption ||
                model.error().code() == StatusCode::kUnsupported);
    return true;
  }
  for (const float component : EmbedWith(*model, "wing pressure of the blood journal")) {
    EXPECT_TRUE(std::isfinite(component));
  }
  return !model->file().Verify(model_format::kLsaRows).ok();  // opening verifies the others
}

TEST(LsaModelTest, EveryFlippedByteAndEveryCutIsFound) {
  const std::string bytes = TrainOn(Texts(30), {.small_rank = 8});
  ASSERT_LT(bytes.size(), 3000u);
  ASSERT_FALSE(FindsDamage(bytes));
  for (size_t i = 0; i < bytes.size(); ++i) {
    for (const int flip : {1, 0x80, 0xff}) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(damaged[i] ^ flip);
      EXPECT_TRUE(FindsDamage(damaged)) << "byte " << i;
    }
    EXPECT_TRUE(FindsDamage(bytes.substr(0, i))) << "cut at " << i;
  }
  EXPECT_TRUE(FindsDamage(bytes + '\0'));
}

// If all checksums are right, wrong values must be detected by checking them, or be harmless.
TEST(LsaModelTest, WrongValuesUnderRightChecksumsAreRefusedOrHarmless) {
  LsaTrainer trainer({.small_rank = 8});
  for (const std::string& text : Texts(30)) trainer.Add("", text);
  ASSERT_OK_AND_ASSIGN(const std::vector<ModelSection> sections, trainer.Train(1, nullptr));
  for (size_t s = 0; s < sections.size(); ++s) {
    for (size_t i = 0; i < sections[s].bytes.size(); ++i) {
      for (const int flip : {1, 0x80, 0xff}) {
        std::vector<ModelSection> damaged = sections;
        damaged[s].bytes[i] = static_cast<char>(damaged[s].bytes[i] ^ flip);
        FindsDamage(EncodeModel(damaged));
      }
    }
    std::vector<ModelSection> shorter = sections;
    shorter[s].bytes.pop_back();
    EXPECT_TRUE(FindsDamage(EncodeModel(shorter))) << "section " << sections[s].id;
    shorter.erase(shorter.begin() + static_cast<ptrdiff_t>(s));
    const bool needed = sections[s].id != model_format::kLsaLexicon;
    EXPECT_EQ(FindsDamage(EncodeModel(shorter)), needed) << "section " << sections[s].id;
  }
}

TEST(LsaModelTest, ValuesOutOfTheirRangesAreRefused) {
  LsaTrainer trainer({.small_rank = 8});
  for (const std::string& text : Texts(30)) trainer.Add("", text);
  ASSERT_OK_AND_ASSIGN(const std::vector<ModelSection> sections, trainer.Train(1, nullptr));
  const auto refused = [&](uint32_t id, size_t offset, auto value) {
    std::vector<ModelSection> changed = sections;
    for (ModelSection& section : changed) {
      if (section.id == id) std::memcpy(section.bytes.data() + offset, &value, sizeof(value));
    }
    return !LsaModel::Open(AsBytes(EncodeModel(changed))).has_value();
  };
  using namespace model_format;
  EXPECT_FALSE(refused(kLsaTerms, 0, uint32_t{30}));
  EXPECT_TRUE(refused(kLsaTerms, 0, uint32_t{31}));
  EXPECT_TRUE(refused(kLsaTerms, 0, uint32_t{0}));
  EXPECT_FALSE(refused(kLsaTerms, 4, 1.0f));
  EXPECT_TRUE(refused(kLsaTerms, 4, -1.0f));
  EXPECT_TRUE(refused(kLsaTerms, 4, std::nanf("")));
  EXPECT_TRUE(refused(kLsaTerms, 4, 2 * kMaxFactor));
  EXPECT_TRUE(refused(kLsaBuckets, 0, uint32_t{1}));
  EXPECT_TRUE(refused(kLsaBuckets, 4, ~uint32_t{0}));
  EXPECT_TRUE(refused(kLsaHashes, 0, ~uint64_t{0}));
  EXPECT_TRUE(refused(kLsaParameters, 0, uint32_t{12}));   // dim
  EXPECT_TRUE(refused(kLsaParameters, 8, ~uint32_t{0}));   // terms
  EXPECT_TRUE(refused(kLsaParameters, 12, uint32_t{40}));  // bucket_bits
  EXPECT_TRUE(refused(kLsaParameters, 28, uint32_t{2}));   // form_terms
}

TEST(LsaModelTest, FindsItsTermsAndNoOthers) {
  std::vector<std::vector<float>> rows(5000, std::vector<float>(8, .5f));
  std::vector<LsaTermRow> terms;
  for (uint32_t i = 0; i < rows.size(); ++i) {
    rows[i][0] = static_cast<float>(i);
    terms.push_back({HashStem("term" + std::to_string(i)), i + 1, rows[i].data()});
  }
  const std::string bytes = EncodeModel(EncodeLsaModel(terms, 8, 10'000));
  ASSERT_OK_AND_ASSIGN(const LsaModel model, LsaModel::Open(AsBytes(bytes)));
  EXPECT_EQ(model.terms(), 5000u);
  EXPECT_EQ(model.documents(), 10'000u);
  std::set<uint32_t> seen;
  for (uint32_t i = 0; i < rows.size(); ++i) {
    const auto found = model.Find(HashStem("term" + std::to_string(i)));
    ASSERT_TRUE(found.has_value()) << i;
    EXPECT_EQ(model.df(*found), i + 1);
    EXPECT_TRUE(seen.insert(*found).second);
    const float scale = static_cast<float>(std::max<double>(i, .5) / 7);
    EXPECT_NEAR(model.factor(*found), std::log(10'000.0 / (i + 1)) * double{scale}, 1e-3 * (i + 1));
    EXPECT_EQ(model.row(*found)[0] & 15, i == 0 ? 0 : 7);
    EXPECT_FALSE(model.Find(HashStem("other" + std::to_string(i))).has_value());
  }
  EXPECT_FALSE(model.Find(0).has_value());
  EXPECT_FALSE(model.Find(~uint64_t{0}).has_value());
}

TEST(LsaModelTest, StemHashesArePartOfTheFormat) {
  EXPECT_EQ(HashStem(""), 0x8570e250fe4c2473u);
  EXPECT_EQ(HashStem("a"), 0x82b19d9859a61322u);
  EXPECT_EQ(HashStem("librari"), 0x809d5f1a2fbb4418u);
}

TEST(LsaTrainerTest, WordsOfOneThemeComeNearEachOther) {
  const std::string bytes = TrainOn(Texts(300), {.small_rank = 8});
  ASSERT_OK_AND_ASSIGN(const LsaModel model, LsaModel::Open(AsBytes(bytes)));
  const auto wing = EmbedWith(model, "wing");
  EXPECT_GT(Cosine(wing, EmbedWith(model, "supersonic")), .4);
  EXPECT_LT(Cosine(wing, EmbedWith(model, "hormone")), .2);
  EXPECT_GT(Cosine(EmbedWith(model, "the wing's drag"), EmbedWith(model, "supersonic layer")), .6);
  EXPECT_NEAR(Cosine(wing, wing), 1, 1e-6);
  EXPECT_EQ(Cosine(EmbedWith(model, "unheard of"), wing), 0);
  EXPECT_EQ(Cosine(EmbedWith(model, ""), wing), 0);
}

// A Korean noun has a form for each particle: the question's form is in no text.
TEST(LsaTrainerTest, FormsOfAKoreanNounShareTheirMeaning) {
  std::vector<std::string> texts;
  for (size_t i = 0; i < 12; ++i) {
    const std::array<const char*, 4> particles = {"은", "이", "을", "의"};
    texts.push_back(std::string("검색") + particles[i % 4] + " 색인" + particles[i / 4] + " 질의");
    texts.push_back(std::string("날씨") + particles[i % 4] + " 구름" + particles[i / 4] + " 바람");
  }
  const std::string bytes = TrainOn(texts);
  ASSERT_OK_AND_ASSIGN(const LsaModel model, LsaModel::Open(AsBytes(bytes)));
  EXPECT_GT(Cosine(EmbedWith(model, "검색에서"), EmbedWith(model, "색인으로 질의")), .6);
  EXPECT_LT(Cosine(EmbedWith(model, "검색에서"), EmbedWith(model, "구름에서 바람")), .3);
}

// Models of former versions have whole words: their vectors stay as they are.
TEST(LsaModelTest, WordsOfHangulAreTermsOfOlderModels) {
  const std::vector<float> row = {1, 0, 0, 0, 0, 0, 0, 0};
  const std::vector<float> other = {0, 1, 0, 0, 0, 0, 0, 0};
  const auto encode = [&](FormTerms terms) {
    return EncodeModel(EncodeLsaModel(
        {{HashStem("검색은"), 2, row.data()}, {HashStem("검색"), 2, other.data()}}, 8, 10, terms));
  };
  const std::string words = encode(FormTerms::kWords);
  ASSERT_OK_AND_ASSIGN(const LsaModel of_words, LsaModel::Open(AsBytes(words)));
  EXPECT_EQ(EmbedWith(of_words, "검색은"), row);
  const std::string pieces = encode(FormTerms::kCommon);
  ASSERT_OK_AND_ASSIGN(const LsaModel of_pieces, LsaModel::Open(AsBytes(pieces)));
  EXPECT_EQ(EmbedWith(of_pieces, "검색은"), other);
  // The index has stems: one of several terms says so.
  LsaEmbedder embedder(of_pieces);
  EXPECT_TRUE(embedder.terms()->FindStem("검색"));
  EXPECT_EQ(embedder.terms()->FindStem("검색은"), TermEmbedder::kSeveralTerms);
}

// The vectors equal those of the definition, computed by a decomposition in double precision.
TEST(LsaTrainerTest, VectorsAreThoseOfTheDefinition) {
  // Texts of very different lengths, so that missing scaling of rows would show.
  std::vector<std::string> texts = Texts(60);
  for (size_t i = 0; i < 60; i += 4) {
    for (const size_t more : {3, 6, 10}) texts[i] += " " + texts[(i + more) % 60];
  }
  Tokenizer tokenizer;
  std::vector<std::map<std::string, double>> counts(texts.size());
  std::map<std::string, size_t> df;
  for (size_t i = 0; i < texts.size(); ++i) {
    LexicalText lexical;
    tokenizer.Analyze("", texts[i], &lexical);
    ForEachStem(lexical.body, [&](std::string_view stem) {
      if (stem != "the") ++counts[i][std::string(stem)];
    });
    for (const auto& [stem, count] : counts[i]) ++df[stem];
  }
  std::map<std::string, size_t> columns;
  for (const auto& [stem, frequency] : df) {
    if (frequency >= 2) columns.emplace(stem, columns.size());
  }
  DenseMatrix a{texts.size(), columns.size(), std::vector<double>(texts.size() * columns.size())};
  std::vector<std::vector<double>> raw(texts.size(), std::vector<double>(columns.size()));
  for (size_t i = 0; i < texts.size(); ++i) {
    double square = 0;
    for (const auto& [stem, count] : counts[i]) {
      if (!columns.contains(stem)) continue;
      const double idf =
          std::log(static_cast<double>(texts.size()) / static_cast<double>(df[stem]));
      raw[i][columns[stem]] = (1 + std::log(count)) * idf;
      square += raw[i][columns[stem]] * raw[i][columns[stem]];
    }
    for (size_t c = 0; c < columns.size(); ++c) a.at(i, c) = raw[i][c] / std::sqrt(square);
  }
  const JacobiSvd svd = ComputeJacobiSvd(a);
  const auto oracle = [&](size_t text) {
    std::vector<float> vector;
    double square = 0;
    for (size_t j = 0; j < 16; ++j) {
      double sum = 0;
      for (size_t c = 0; c < columns.size(); ++c) sum += raw[text][c] * svd.right.at(c, j);
      vector.push_back(static_cast<float>(sum * std::sqrt(svd.values[j])));
      square += double{vector.back()} * double{vector.back()};
    }
    for (float& component : vector) component /= static_cast<float>(std::sqrt(square));
    return vector;
  };
  const std::string bytes = TrainOn(texts, {.small_rank = 16});
  ASSERT_OK_AND_ASSIGN(const LsaModel model, LsaModel::Open(AsBytes(bytes)));
  ASSERT_EQ(model.dim(), 16u);
  double squared_difference = 0;
  for (size_t i = 0; i < texts.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      const double expected = Cosine(oracle(i), oracle(j));
      const double actual = Cosine(EmbedWith(model, texts[i]), EmbedWith(model, texts[j]));
      // 4-bit rows have errors of a few hundredths; a wrong weight would cause errors of a few
      // tenths.
      EXPECT_NEAR(actual, expected, .15) << i << " and " << j;
      squared_difference += (actual - expected) * (actual - expected);
    }
  }
  EXPECT_LT(std::sqrt(squared_difference / (60 * 59 / 2)), .04);
}

TEST(LsaTrainerTest, ThreadsAndTargetsGiveTheSameBytes) {
  const std::vector<std::string> texts = Texts(1200);
  const LsaTraining training{.rank = 24};
  const std::string bytes = TrainOn(texts, training);
  ASSERT_OK_AND_ASSIGN(const LsaModel model, LsaModel::Open(AsBytes(bytes)));
  const std::vector<float> vector = EmbedWith(model, texts[5]);
  EXPECT_EQ(TrainOn(texts, training, 2), bytes);
  EXPECT_EQ(TrainOn(texts, training, 16), bytes);
  for (const std::string& target : SupportedSimdTargets()) {
    ASSERT_TRUE(ForceSimdTarget(target));
    const std::string again = TrainOn(texts, training);
    const std::vector<float> same = EmbedWith(model, texts[5]);
    ForceSimdTarget("");
    EXPECT_EQ(again, bytes) << target;
    EXPECT_EQ(std::memcmp(same.data(), vector.data(), vector.size() * sizeof(float)), 0) << target;
  }
}

TEST(LsaTrainerTest, SmallAndEmptyStores) {
  for (const auto& [texts, dim] : {std::pair<std::vector<std::string>, uint32_t>{{}, 8},
                                   {{"one text alone"}, 8},
                                   {{"nothing", "shared", "here"}, 8},
                                   {std::vector<std::string>(10, "all of the same words"), 8},
                                   {std::vector<std::string>(10, ""), 8},
                                   {Texts(14), 16}}) {
    const std::string bytes = TrainOn(texts);
    ASSERT_OK_AND_ASSIGN(const LsaModel model, LsaModel::Open(AsBytes(bytes)));
    EXPECT_EQ(model.dim(), dim) << texts.size();
    EXPECT_EQ(model.documents(), texts.size());
    EXPECT_OK(model.file().Verify(model_format::kLsaRows));
    for (const float component : EmbedWith(model, "the same words of wing and blood")) {
      EXPECT_TRUE(std::isfinite(component));
    }
  }
}

TEST(LsaTrainerTest, TermsAreTheMostFrequentStemsThatAreNoStopWords) {
  EXPECT_TRUE(IsStopStem("the"));
  EXPECT_TRUE(IsStopStem("becaus"));
  EXPECT_FALSE(IsStopStem("because"));
  EXPECT_FALSE(IsStopStem("wing"));
  std::vector<std::string> texts = {"the often seldom once because", "the often seldom because",
                                    "the often because", "the because"};
  const auto has = [](const LsaModel& model, std::string_view stem) {
    return model.Find(HashStem(stem)).has_value();
  };
  const std::string all = TrainOn(texts);
  ASSERT_OK_AND_ASSIGN(const LsaModel model, LsaModel::Open(AsBytes(all)));
  EXPECT_TRUE(has(model, "often") && has(model, "seldom"));
  EXPECT_FALSE(has(model, "onc") || has(model, "once") || has(model, "the") ||
               has(model, "becaus"));
  texts.push_back("often more");
  texts.push_back("other words other");
  texts.push_back("words");
  const std::string two = TrainOn(texts, {.most_terms = 2});
  ASSERT_OK_AND_ASSIGN(const LsaModel small, LsaModel::Open(AsBytes(two)));
  EXPECT_TRUE(has(small, "often"));
  EXPECT_EQ(small.terms(), 2u);
}

TEST(LsaTrainerTest, AnalysedTextIsWorthTheSame) {
  LsaTrainer from_text;
  LsaTrainer from_stems;
  Tokenizer tokenizer;
  for (const std::string& text : Texts(40)) {
    LexicalText lexical;
    tokenizer.Analyze("Some heading", text, &lexical);
    from_text.Add("Some heading", text);
    from_stems.AddStems(lexical.body);
  }
  ASSERT_OK_AND_ASSIGN(auto a, from_text.Train(1, nullptr));
  ASSERT_OK_AND_ASSIGN(auto b, from_stems.Train(1, nullptr));
  const std::string bytes = EncodeModel(std::move(a));
  EXPECT_EQ(bytes, EncodeModel(std::move(b)));
  ASSERT_OK_AND_ASSIGN(const LsaModel model, LsaModel::Open(AsBytes(bytes)));
  LsaEmbedder embedder(model);
  LexicalText lexical;
  tokenizer.Analyze("", "drag and flow", &lexical);
  std::vector<float> vector(model.dim());
  const std::string_view body = lexical.body;
  ASSERT_OK(embedder.EmbedStems({&body, 1}, vector));
  EXPECT_EQ(vector, EmbedWith(model, "drag and flow"));
  EXPECT_EQ(embedder.identity().name, "lsa");
  EXPECT_EQ(embedder.identity().dim, model.dim());
}

TEST(LsaTrainerTest, Cancels) {
  LsaTrainer trainer;
  for (const std::string& text : Texts(100)) trainer.Add("", text);
  const std::atomic<bool> cancel{true};
  const auto sections = trainer.Train(2, &cancel);
  ASSERT_FALSE(sections.has_value());
  EXPECT_EQ(sections.error().code(), StatusCode::kCancelled);
}

// The texts name one thing in two ways and never together.
std::vector<std::string> TwoNames() {
  std::vector<std::string> texts;
  for (int i = 0; i < 12; ++i) {
    const std::string number = " number" + std::to_string(i);
    texts.push_back(
        std::string(i % 2 == 0 ? "phone engine wheel road" : "telephone garage driver") + number);
    texts.push_back("salary contract employer" + number);
  }
  return texts;
}

TEST(LsaLexiconTest, TermsWithACommonConceptAreNearBeforeAnyTextHasBoth) {
  const std::string with = TrainOn(TwoNames());
  LsaTraining words_alone;
  words_alone.lexicon = false;
  const std::string without = TrainOn(TwoNames(), words_alone);
  const auto cosine = [](const std::string& bytes) {
    const LsaModel model = LsaModel::Open(AsBytes(bytes)).value();
    return Cosine(EmbedWith(model, "phone"), EmbedWith(model, "telephone"));
  };
  EXPECT_GT(cosine(with), 0.2);
  EXPECT_LT(cosine(without), 0.1);
  ASSERT_OK_AND_ASSIGN(const LsaModel model, LsaModel::Open(AsBytes(with)));
  EXPECT_EQ(model.lexicon(), Lexicon::Builtin().hash());
  EXPECT_LT(Cosine(EmbedWith(model, "phone"), EmbedWith(model, "salary")), 0.1);
  ASSERT_OK_AND_ASSIGN(const LsaModel words, LsaModel::Open(AsBytes(without)));
  EXPECT_EQ(words.lexicon(), 0u);
}

TEST(LsaLexiconTest, AWordOfOneTextHasADirectionIfTheLexiconKnowsIt) {
  std::vector<std::string> texts = TwoNames();
  texts.push_back("wages qwertz");
  const std::string bytes = TrainOn(texts);
  ASSERT_OK_AND_ASSIGN(const LsaModel model, LsaModel::Open(AsBytes(bytes)));
  EXPECT_TRUE(model.Find(HashStem("wage")));
  EXPECT_FALSE(model.Find(HashStem("qwertz")));
  EXPECT_GT(Cosine(EmbedWith(model, "wage"), EmbedWith(model, "salary")), 0.15);
}

TEST(LsaLexiconTest, WordsThatNoTextHasStandNearThoseThatMeanTheSame) {
  const auto read = [](uint64_t) { return Status::Ok(); };
  const std::string bytes = TrainOn(TwoNames());
  ASSERT_OK_AND_ASSIGN(const LsaModel model, LsaModel::Open(AsBytes(bytes)));
  LsaEmbedder embedder(model);
  const auto embed = [&](std::string_view text) {
    std::vector<float> vector(model.dim());
    const std::string body(embedder.StemsOf(text));
    embedder.EmbedWith(text, FindStandIns(model, body, read).value(), vector);
    return vector;
  };
  EXPECT_GT(Cosine(embed("wage"), EmbedWith(model, "salary")), 0.5);
  EXPECT_EQ(EmbedWith(model, "wage"), std::vector<float>(model.dim()));
  EXPECT_EQ(embed("qwertz asdf"), std::vector<float>(model.dim()));
  EXPECT_EQ(embed("phone salary"), EmbedWith(model, "phone salary"));
}

// A later program may have another lexicon. It must not answer otherwise than this one would
// without any.
TEST(LsaLexiconTest, AModelOfAnotherLexiconHasNoStandIns) {
  const auto read = [](uint64_t) { return Status::Ok(); };
  LsaTrainer trainer;
  for (const std::string& text : TwoNames()) trainer.Add("", text);
  ASSERT_OK_AND_ASSIGN(std::vector<ModelSection> sections, trainer.Train(1, nullptr));
  std::erase_if(sections,
                [](const ModelSection& each) { return each.id == model_format::kLsaLexicon; });
  for (const bool other : {false, true}) {
    std::vector<ModelSection> changed = sections;
    if (other) changed.push_back(LexiconSection(1));
    const std::string bytes = EncodeModel(std::move(changed));
    ASSERT_OK_AND_ASSIGN(const LsaModel model, LsaModel::Open(AsBytes(bytes)));
    EXPECT_EQ(model.lexicon(), other ? 1u : 0u);
    ASSERT_OK_AND_ASSIGN(const std::vector<StandIn> found, FindStandIns(model, "wage", read));
    EXPECT_TRUE(found.empty());
  }
}

}  // namespace
}  // namespace recall
