// An LSA model in the parts that a store contains, in the present layout and in that before format
// 7.

#include "index/embed/lsa/stored_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "index/embed/lsa/model_format.h"
#include "storage/base/bytes.h"
#include "storage/base/checksum.h"
#include "storage/schema/schema.h"
#include "storage/store/store.h"
#include "tests/storage/store/store_test_util.h"

namespace recall {
namespace {

namespace format = model_format;

constexpr uint32_t kRank = 12;
constexpr uint32_t kTerms = 1000;  // 15 full pieces and a partial one

class StoredModelTest : public ::testing::Test {
 protected:
  void SetUp() override {
    rows_.resize(size_t{kTerms} * kRank);
    for (float& value : rows_) value = static_cast<float>(random_() % 2000) / 1000 - 1;
    std::vector<LsaTermRow> terms;
    for (uint32_t i = 0; i < kTerms; ++i) {
      hashes_.push_back(random_());
      terms.push_back(
          {hashes_.back(), 1 + static_cast<uint32_t>(random_() % 50), &rows_[i * kRank]});
    }
    sections_ = EncodeLsaModel(terms, kRank, 100);
    whole_ = EncodeModel(sections_);
    expected_ = std::make_unique<const LsaModel>(Must(LsaModel::Open(AsBytes(whole_))));
    connection_ = Must(Connection::Open(dir_ / "recall.db", {.mode = ConnectionMode::kCreate}));
    ASSERT_OK(MigrateSchema(*connection_));
  }

  // Splits the model like programs of formats 5 and 6.
  std::vector<ModelPart> PartsOfFormat6() const {
    std::vector<ModelSection> sections = sections_;
    const auto rows = std::ranges::find(sections, format::kLsaRows, &ModelSection::id);
    const std::string bytes = rows->bytes;
    *rows = {format::kLsaPiecesChecksum, std::string(4, '\0')};
    std::vector<ModelPart> parts = {{"latent", EncodeModel(sections)}};
    const size_t piece_bytes = size_t{64} * expected_->dim() / 2;
    for (size_t begin = 0; begin < bytes.size(); begin += piece_bytes) {
      std::string data = bytes.substr(begin, piece_bytes);
      const uint32_t checksum = Crc32c(AsBytes(data));
      data.append(reinterpret_cast<const char*>(&checksum), sizeof(checksum));
      parts.push_back({"latent_rows/" + std::to_string(begin / piece_bytes), data});
    }
    return parts;
  }

  // Stores the parts. Returns: the id of the model.
  int64_t Store(const std::vector<ModelPart>& parts) {
    EXPECT_OK(connection_->Execute("DELETE FROM model_part"));
    for (const ModelPart& part : parts) {
      Statement insert =
          Must(connection_->Prepare("INSERT INTO model_part(model, kind, data) VALUES(1, ?1, ?2)"));
      insert.BindText(1, part.kind);
      insert.BindBlob(2, AsBytes(part.data));
      EXPECT_OK(insert.Run());
    }
    return 1;
  }

  void ExpectTerm(const LsaModel& model, uint64_t hash) const {
    const std::optional<uint32_t> term = model.Find(hash);
    ASSERT_EQ(term, expected_->Find(hash)) << hash;
    if (!term) return;
    EXPECT_EQ(model.df(*term), expected_->df(*term));
    EXPECT_EQ(model.factor(*term), expected_->factor(*term));
    EXPECT_TRUE(
        std::equal(model.row(*term), model.row(*term) + model.dim() / 2, expected_->row(*term)));
  }

  TempDir dir_;
  std::mt19937_64 random_{TestSeed(3)};
  std::vector<float> rows_;
  std::vector<uint64_t> hashes_;
  std::vector<ModelSection> sections_;
  std::string whole_;
  std::unique_ptr<const LsaModel> expected_;
  std::unique_ptr<Connection> connection_;
};

TEST_F(StoredModelTest, BothLayoutsHoldTheModel) {
  for (const std::vector<ModelPart>& parts : {StoredLsaModel::Split(sections_), PartsOfFormat6()}) {
    EXPECT_OK(CheckLsaParts(parts));
    const int64_t id = Store(parts);
    ASSERT_OK_AND_ASSIGN(const auto stored, StoredLsaModel::Open(StoredModels(*connection_), id));
    EXPECT_EQ(stored->model().dim(), expected_->dim());
    EXPECT_EQ(stored->model().documents(), expected_->documents());
    // Some terms, and hashes that no term has, among them one below and one above all others.
    std::vector<uint64_t> asked = {0, ~uint64_t{0}, hashes_[7], hashes_[8], hashes_[7] + 1};
    for (int i = 0; i < 20; ++i) asked.push_back(random_());
    ASSERT_OK(stored->ReadTerms(StoredModels(*connection_), asked));
    for (const uint64_t hash : asked) ExpectTerm(stored->model(), hash);
    ASSERT_OK(stored->ReadAllTerms(StoredModels(*connection_)));
    for (const uint64_t hash : hashes_) ExpectTerm(stored->model(), hash);
  }
}

// A query reads only the pieces with its own terms.
TEST_F(StoredModelTest, OnlyPiecesThatAreAskedForAreRead) {
  const int64_t id = Store(StoredLsaModel::Split(sections_));
  ASSERT_OK_AND_ASSIGN(const auto stored, StoredLsaModel::Open(StoredModels(*connection_), id));
  const std::string kept =
      std::string(kLsaTermsPart) + std::to_string(*expected_->Find(hashes_[5]) / 64);
  ASSERT_OK(connection_->Execute("DELETE FROM model_part WHERE kind <> '" + kept + "'"));
  EXPECT_OK(stored->ReadTerms(StoredModels(*connection_), {&hashes_[5], 1}));
  ExpectTerm(stored->model(), hashes_[5]);
  EXPECT_EQ(stored->ReadAllTerms(StoredModels(*connection_)).code(), StatusCode::kCorruption);
}

TEST_F(StoredModelTest, EveryDamagedByteOfAPartIsFound) {
  const auto expect_found = [](std::vector<ModelPart> parts, size_t part) {
    std::string& data = parts[part].data;
    const std::string whole = data;
    for (size_t i = 0; i < whole.size(); ++i) {
      data[i] ^= 4;
      EXPECT_FALSE(CheckLsaParts(parts).ok()) << parts[part].kind << " " << i;
      data[i] = whole[i];
    }
    data.pop_back();
    EXPECT_FALSE(CheckLsaParts(parts).ok()) << parts[part].kind;
    data = whole + "x";
    EXPECT_FALSE(CheckLsaParts(parts).ok()) << parts[part].kind;
  };
  const std::vector<ModelPart> parts = StoredLsaModel::Split(sections_);
  for (const size_t part : {size_t{0}, size_t{3}, parts.size() - 1}) expect_found(parts, part);
  expect_found(PartsOfFormat6(), 3);
}

// Checksums do not detect that a piece is at the wrong place.
TEST_F(StoredModelTest, PiecesThatAreNotTheirsAreFound) {
  std::vector<ModelPart> parts = StoredLsaModel::Split(sections_);
  std::swap(parts[2].data, parts[3].data);
  EXPECT_EQ(CheckLsaParts(parts).code(), StatusCode::kCorruption);
  std::swap(parts[2].data, parts[3].data);
  EXPECT_OK(CheckLsaParts(parts));
  parts.erase(parts.begin() + 2);
  EXPECT_EQ(CheckLsaParts(parts).code(), StatusCode::kCorruption);
}

TEST_F(StoredModelTest, TheVersionDependsOnEveryTerm) {
  const auto fingerprint = [](const std::vector<ModelPart>& parts) {
    return Must(StoredLsaModel::OfParts(parts))->model().file().fingerprint();
  };
  const uint64_t before = fingerprint(StoredLsaModel::Split(sections_));
  for (const uint32_t id : {format::kLsaTerms, format::kLsaRows}) {
    std::vector<ModelSection> sections = sections_;
    const auto section = std::ranges::find(sections, id, &ModelSection::id);
    section->bytes[4] ^= 1;  // the first term's factor, or some component
    EXPECT_NE(fingerprint(StoredLsaModel::Split(sections)), before) << id;
  }
}

TEST_F(StoredModelTest, AModelWithoutTermsHasNoPieces) {
  const std::vector<ModelPart> parts = StoredLsaModel::Split(EncodeLsaModel({}, 8, 1));
  EXPECT_EQ(parts.size(), 1u);
  ASSERT_OK_AND_ASSIGN(const auto stored, StoredLsaModel::OfParts(parts));
  EXPECT_EQ(stored->model().Find(17), std::nullopt);
  EXPECT_OK(stored->ReadTerms(StoredModels(*connection_), hashes_));
}

}  // namespace
}  // namespace recall
