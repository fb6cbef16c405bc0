#include "index/embed/lsa/stored_model.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "index/embed/lsa/model_format.h"
#include "storage/base/bytes.h"
#include "storage/base/check.h"
#include "storage/base/checksum.h"

namespace recall {
namespace {

// The problem: an LSA model of a large store has up to 60,000 terms of about 140 bytes. A
// command-line query needs three or four of them, so reading and checking 8 MB would dominate its
// time.
//
// The idea: the terms, sorted by hash, are stored in pieces of 64 terms. Each piece is one row of
// the table of model parts:
//
//   part "latent"           parameters | CRC of all pieces | first hash of piece 0, 1, 2, ...
//   part "latent_terms/0"   64 hashes | 64 weights | 64 rows | CRC-32C
//   part "latent_terms/1"   ...
//
// A query hashes its stems, selects each piece by binary search in the first hashes, and reads one
// row of about 9 KB per distinct piece. Memory for all terms is allocated by calloc at once, so a
// term has the same address whether a query or a scan of the whole store reads it, and the pages of
// pieces that are never read are never touched. A piece that was not read is zero, so the hash of
// none of its terms is found.
//
// Before format 7 only the rows were in pieces ("latent_rows/"), and "latent" contained all hashes
// and weights. Such models are still read.
//
// Invariants: the first hash of each piece agrees with the index and its last hash is below the
// next first hash; each piece has its own checksum; the fingerprint of "latent" depends on every
// byte of all pieces through the CRC of all pieces.

namespace format = model_format;

Status DamagedPart(const std::string& kind) {
  return Status::Corruption(
      "the part \"" + kind + "\" of the model of the store is missing or damaged",
      "run `recall doctor --fix`");
}

size_t RowBytes(const LsaModel& model) { return model.dim() / 2; }

void AppendChecksum(std::string* bytes) {
  uint8_t checksum[format::kChecksumBytes];
  StoreLittle<uint32_t>(checksum, Crc32c(AsBytes(*bytes)));
  bytes->append(reinterpret_cast<const char*>(checksum), sizeof(checksum));
}

// The part of a section that belongs to the terms of one piece. `bytes`: size of one term in the
// section.
ByteSpan Slice(ByteSpan section, size_t piece, size_t bytes) {
  const size_t first = std::min(piece * format::kTermsPerPiece * bytes, section.size());
  return section.subspan(first, std::min(format::kTermsPerPiece * bytes, section.size() - first));
}

const std::string& Bytes(const std::vector<ModelSection>& sections, uint32_t id) {
  const auto found = std::ranges::find(sections, id, &ModelSection::id);
  RECALL_CHECK(found != sections.end());
  return found->bytes;
}

// Gives write access to bytes of memory_.
uint8_t* Mutable(ByteSpan bytes) { return const_cast<uint8_t*>(bytes.data()); }

}  // namespace

bool IsLsaPart(std::string_view kind) {
  return kind == kLsaPart || kind.starts_with(kLsaTermsPart) || kind.starts_with(kLsaRowsPart);
}

std::vector<ModelPart> StoredLsaModel::Split(std::vector<ModelSection> sections) {
  std::string encoded = Bytes(sections, format::kLsaParameters);
  auto parameters = ByteReader(AsBytes(encoded)).Read<format::LsaParameters>();
  parameters.bucket_bits = 0;
  std::memcpy(encoded.data(), &parameters, sizeof(parameters));
  const ByteSpan hashes = AsBytes(Bytes(sections, format::kLsaHashes));
  const ByteSpan weights = AsBytes(Bytes(sections, format::kLsaTerms));
  const ByteSpan rows = AsBytes(Bytes(sections, format::kLsaRows));

  std::string firsts;
  std::vector<ModelPart> parts(1);
  uint32_t checksum = 0;
  for (size_t piece = 0; piece * format::kTermsPerPiece < parameters.terms; ++piece) {
    const ByteSpan of_piece = Slice(hashes, piece, sizeof(uint64_t));
    firsts += AsText(of_piece.first(sizeof(uint64_t)));
    std::string data(AsText(of_piece));
    data += AsText(Slice(weights, piece, sizeof(format::LsaTerm)));
    data += AsText(Slice(rows, piece, parameters.dim / 2));
    checksum = Crc32c(AsBytes(data), checksum);
    AppendChecksum(&data);
    parts.push_back({std::string(kLsaTermsPart) + std::to_string(piece), std::move(data)});
  }
  // With this checksum, the fingerprint depends on every byte of the pieces.
  std::string all(sizeof(checksum), '\0');
  StoreLittle<uint32_t>(reinterpret_cast<uint8_t*>(all.data()), checksum);
  std::vector<ModelSection> index = {{format::kLsaParameters, encoded},
                                     {format::kLsaPiecesChecksum, all},
                                     {format::kLsaPieces, firsts}};
  const auto lexicon = std::ranges::find(sections, format::kLsaLexicon, &ModelSection::id);
  if (lexicon != sections.end()) index.push_back(std::move(*lexicon));
  parts[0] = {std::string(kLsaPart), EncodeModel(std::move(index))};
  return parts;
}

Result<std::unique_ptr<StoredLsaModel>> StoredLsaModel::OfIndex(int64_t id, std::string index) {
  std::unique_ptr<StoredLsaModel> stored(new StoredLsaModel(id, std::move(index)));
  RECALL_ASSIGN(const ModelFile file, ModelFile::Open(AsBytes(stored->index_)));
  const bool pieces = file.Find(format::kLsaPieces).has_value();
  RECALL_TRY(pieces ? stored->OpenPieces() : stored->OpenRows());
  stored->read_.resize(stored->model_->pieces());
  return stored;
}

uint8_t* StoredLsaModel::Allocate(size_t bytes) {
  memory_.reset(static_cast<uint8_t*>(std::calloc(std::max<size_t>(bytes, 1), 1)));
  if (!memory_) throw std::bad_alloc();
  return memory_.get();
}

Status StoredLsaModel::OpenPieces() {
  RECALL_ASSIGN(LsaModel model, LsaModel::OfPieces(AsBytes(index_)));
  const size_t hashes = size_t{model.terms()} * sizeof(uint64_t);
  const size_t weights = size_t{model.terms()} * sizeof(format::LsaTerm);
  const size_t rows = size_t{model.terms()} * RowBytes(model);
  const uint8_t* memory = Allocate(hashes + weights + rows);
  terms_ = {{memory, hashes}, {memory + hashes, weights}, {memory + hashes + weights, rows}};
  model.UseTerms(terms_);
  model_ = std::make_unique<const LsaModel>(std::move(model));
  return Status::Ok();
}

Status StoredLsaModel::OpenRows() {
  RECALL_ASSIGN(LsaModel model, LsaModel::Open(AsBytes(index_), std::nullopt));
  const size_t rows = size_t{model.terms()} * RowBytes(model);
  terms_.rows = {Allocate(rows), rows};
  model.UseRows(terms_.rows);
  model_ = std::make_unique<const LsaModel>(std::move(model));
  return Status::Ok();
}

Result<std::unique_ptr<StoredLsaModel>> StoredLsaModel::Open(const ModelReader& models,
                                                             int64_t model) {
  RECALL_ASSIGN(auto index, models.ReadPart(model, kLsaPart));
  if (!index) return Fail(DamagedPart(std::string(kLsaPart)));
  return OfIndex(model, *std::move(index));
}

Result<std::unique_ptr<StoredLsaModel>> StoredLsaModel::OfParts(
    const std::vector<ModelPart>& parts) {
  const auto index = std::ranges::find(parts, kLsaPart, &ModelPart::kind);
  if (index == parts.end()) return Fail(DamagedPart(std::string(kLsaPart)));
  RECALL_ASSIGN(auto stored, OfIndex(0, index->data));
  for (size_t piece = 0; piece < stored->read_.size(); ++piece) {
    const auto part = std::ranges::find(parts, stored->PieceName(piece), &ModelPart::kind);
    if (part == parts.end()) return Fail(DamagedPart(stored->PieceName(piece)));
    RECALL_TRY(stored->LoadPiece(piece, part->data));
  }
  return stored;
}

std::string StoredLsaModel::PieceName(size_t piece) const {
  const std::string_view kind = terms_.hashes.empty() ? kLsaRowsPart : kLsaTermsPart;
  return std::string(kind) + std::to_string(piece);
}

LsaModel::Terms StoredLsaModel::TermsOf(size_t piece) const {
  return {Slice(terms_.hashes, piece, sizeof(uint64_t)),
          Slice(terms_.weights, piece, sizeof(format::LsaTerm)),
          Slice(terms_.rows, piece, RowBytes(*model_))};
}

Status StoredLsaModel::LoadPiece(size_t piece, std::string_view bytes) {
  const LsaModel::Terms terms = TermsOf(piece);
  const size_t size = terms.hashes.size() + terms.weights.size() + terms.rows.size();
  const ByteSpan data = AsBytes(bytes);
  if (data.size() != size + format::kChecksumBytes ||
      LoadLittle<uint32_t>(data.data() + size) != Crc32c(data.first(size))) {
    return DamagedPart(PieceName(piece));
  }
  const uint8_t* from = data.data();
  for (const ByteSpan to : {terms.hashes, terms.weights, terms.rows}) {
    std::copy_n(from, to.size(), Mutable(to));
    from += to.size();
  }
  if (!terms.hashes.empty() && !model_->IsPiece(piece, terms)) return DamagedPart(PieceName(piece));
  read_[piece] = true;
  return Status::Ok();
}

Status StoredLsaModel::ReadPiece(const ModelReader& models, size_t piece) {
  if (read_[piece]) return Status::Ok();
  RECALL_ASSIGN(const auto bytes, models.ReadPart(id_, PieceName(piece)));
  if (!bytes) return DamagedPart(PieceName(piece));
  return LoadPiece(piece, *bytes);
}

std::optional<size_t> StoredLsaModel::PieceOf(uint64_t stem_hash) const {
  if (!terms_.hashes.empty()) return model_->PieceOf(stem_hash);
  const std::optional<uint32_t> term = model_->Find(stem_hash);
  if (!term) return std::nullopt;
  return *term / format::kTermsPerPiece;
}

Status StoredLsaModel::ReadTerms(const ModelReader& models, std::span<const uint64_t> stem_hashes) {
  for (const uint64_t hash : stem_hashes) {
    if (const auto piece = PieceOf(hash)) RECALL_TRY(ReadPiece(models, *piece));
  }
  return Status::Ok();
}

Status StoredLsaModel::ReadAllTerms(const ModelReader& models) {
  for (size_t piece = 0; piece < read_.size(); ++piece) RECALL_TRY(ReadPiece(models, piece));
  return Status::Ok();
}

Status CheckLsaParts(const std::vector<ModelPart>& parts) {
  return internal::ToStatus(StoredLsaModel::OfParts(parts));
}

}  // namespace recall
