#include "index/search/filter/filter.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include "index/search/filter/predicate_printer.h"
#include "index/search/filter/predicate_scan.h"
#include "storage/base/overloaded.h"

namespace recall {

// A filter is a Boolean expression over predicates. Its result is an exact set (a compressed
// bitmap), which the search then uses to restrict candidates. Evaluation is set at a time, one
// predicate after the other:
//
//   doc.tag = 'a' AND NOT (chunk.text LIKE '%x%' OR doc.mtime < '-7d')
//     --negation normal form-->
//   doc.tag = 'a' AND NOT chunk.text LIKE '%x%' AND NOT doc.mtime < '-7d'
//     --cheapest first-->
//   index on tag -> A;  index on mtime -> A and B;  scan of texts within A and B
//
// NOT is moved to the predicates by De Morgan's laws, which also hold in three-valued logic. A row
// for which a predicate is unknown (NULL) is then in the set of neither the predicate nor its
// negation, so no set needs a complement, and unknown needs no representation.
//
// AND evaluates its cheapest child first and passes the result to the next as `within`. Predicates
// on chunks read only those rows; an empty result ends the evaluation. OR evaluates all children
// and joins their sets.
//
// For documents, a filter with chunk fields is satisfied if one chunk satisfies the whole filter.
// The chunks are found first and then mapped to their documents. Documents without chunks are
// evaluated with NULL for all chunk fields.

// A filter in negation normal form: only predicates are negated.
struct FilterNode {
  FilterExpr::Kind kind = FilterExpr::Kind::kPredicate;  // never kNot
  CompiledPredicate predicate;
  std::vector<FilterNode> children;  // of AND: the cheapest first
  int cost = 0;
  bool on_chunks = false;  // some predicate is on a chunk field
};

namespace {

using ExprKind = FilterExpr::Kind;

class FilterCompiler final {
 public:
  FilterCompiler(UnixNanos now, std::vector<std::string>* warnings, bool* depends_on_now)
      : now_(now), warnings_(warnings), depends_on_now_(depends_on_now) {}

  tl::expected<FilterNode, FilterError> Compile(const FilterExpr& expr) {
    FilterNode root;
    CompileTo(&expr, false, &root);
    if (error_) return tl::unexpected(*std::move(error_));
    return root;
  }

 private:
  // Filters may be nested kMaxFilterDepth deep, and stacks may be small, so this function has few
  // locals. Sets error_ if it fails.
  void CompileTo(const FilterExpr* expr, bool negated, FilterNode* node) {
    for (; expr->kind == ExprKind::kNot; expr = expr->children.data()) negated = !negated;
    if (expr->kind == ExprKind::kPredicate) return CompileLeaf(expr->predicate, negated, node);
    // De Morgan's laws hold in three-valued logic, too.
    node->kind = (expr->kind == ExprKind::kAnd) != negated ? ExprKind::kAnd : ExprKind::kOr;
    node->children.reserve(expr->children.size());
    for (const FilterExpr& child : expr->children) {
      CompileTo(&child, negated, &node->children.emplace_back());
      if (error_) return;
    }
    Summarize(node);
  }

  void CompileLeaf(const Predicate& written, bool negated, FilterNode* node) {
    auto predicate = CompilePredicate(written, now_, warnings_, depends_on_now_);
    if (!predicate) {
      error_ = std::move(predicate.error());
      return;
    }
    predicate->negated = predicate->negated != negated;
    predicate->shown = negated ? "NOT " + PrintPredicate(written) : PrintPredicate(written);
    node->cost = MethodOf(*predicate).cost;
    node->on_chunks = IsOnChunks(*predicate);
    node->predicate = *std::move(predicate);
  }

  static void Summarize(FilterNode* node) {
    for (const FilterNode& child : node->children) {
      node->cost = std::max(node->cost, child.cost);
      node->on_chunks |= child.on_chunks;
    }
    if (node->kind != ExprKind::kAnd) return;
    std::ranges::stable_sort(node->children, {}, &FilterNode::cost);
  }

  const UnixNanos now_;
  std::vector<std::string>* warnings_;
  bool* depends_on_now_;
  std::optional<FilterError> error_;
};

class FilterRun final {
 public:
  // `visible`: null if all rows are.
  FilterRun(const ReadTransaction& transaction, const VisibleRows* visible,
            std::vector<FilterStep>* steps)
      : transaction_(transaction),
        visible_docs_(visible ? &visible->docs : nullptr),
        visible_chunks_(visible ? &visible->chunks : nullptr),
        steps_(steps) {}

  // The visible chunks that satisfy the node.
  Result<Bitmap> EvaluateChunks(const FilterNode& node) {
    return Evaluate(node, RowUnit::kChunks, visible_chunks_);
  }

  // Visible documents of which one visible chunk satisfies the whole filter, and documents without
  // chunks that satisfy it.
  Result<Bitmap> EvaluateDocs(const FilterNode& node) {
    if (!node.on_chunks) return Evaluate(node, RowUnit::kDocs, visible_docs_);
    RECALL_ASSIGN(const Bitmap chunks, EvaluateChunks(node));
    RECALL_ASSIGN(Bitmap chunkless, DocsWithoutChunks());
    if (visible_docs_) chunkless = chunkless.And(*visible_docs_);
    Bitmap docs;
    if (!chunkless.Empty()) {
      RECALL_ASSIGN(docs, Evaluate(node, RowUnit::kDocs, &chunkless));
    }
    RECALL_ASSIGN(const Bitmap owners, OwnersOf(chunks));
    return docs.Or(owners);
  }

 private:
  // The rows of the unit that satisfy the node, among `within` (null: all live rows).
  Result<Bitmap> Evaluate(const FilterNode& node, RowUnit unit, const Bitmap* within) {
    if (node.kind == ExprKind::kPredicate) return EvaluatePredicate(node.predicate, unit, within);
    if (node.kind == ExprKind::kOr) {
      Bitmap any;
      for (const FilterNode& child : node.children) {
        RECALL_ASSIGN(const Bitmap set, Evaluate(child, unit, within));
        any = any.Or(set);
      }
      return any;
    }
    Bitmap left;
    for (const FilterNode& child : node.children) {
      RECALL_ASSIGN(left, Evaluate(child, unit, within));
      within = &left;
      if (left.Empty()) break;
    }
    return left;
  }

  Result<Bitmap> EvaluatePredicate(const CompiledPredicate& predicate, RowUnit unit,
                                   const Bitmap* within) {
    const int64_t start = SteadyMicros();
    RECALL_ASSIGN(Bitmap set, Scan(predicate, unit, within));
    if (within) set = set.And(*within);
    steps_->push_back({predicate.shown, std::string(MethodOf(predicate).name), set.Count(),
                       SteadyMicros() - start});
    return set;
  }

  Result<Bitmap> Scan(const CompiledPredicate& predicate, RowUnit unit, const Bitmap* within) {
    return std::visit(
        Overloaded{[&](const DocColumn& column) {
                     return ScanDocPredicate(transaction_, predicate, column, unit);
                   },
                   [&](const ComputedColumn& column) {
                     return ScanNotePredicate(transaction_, predicate, column, unit, visible_docs_);
                   },
                   [&](const ChunkColumn& column) {
                     return ScanChunks(predicate, column, ScanChunkPredicate, unit, within);
                   },
                   [&](const PartColumn& column) {
                     return ScanChunks(predicate, column, ScanPartPredicate, unit, within);
                   }},
        FieldColumnOf(predicate.field.field));
  }

  template <typename Column, typename Scan>
  Result<Bitmap> ScanChunks(const CompiledPredicate& predicate, const Column& column, Scan scan,
                            RowUnit unit, const Bitmap* within) {
    // Without a chunk all chunk fields are NULL.
    if (unit == RowUnit::kDocs) {
      const bool passes = predicate.op == FilterOp::kIsNull && !predicate.negated;
      return passes && within ? *within : Bitmap();
    }
    if (within) return scan(transaction_, predicate, column, *within);
    RECALL_ASSIGN(const Bitmap all, AllLive(transaction_, unit));
    return scan(transaction_, predicate, column, all);
  }

  Result<Bitmap> DocsWithoutChunks() {
    Bitmap docs;
    RECALL_TRY(ScanDocNumbers(transaction_, DocNumber::kChunks, RowUnit::kDocs,
                              [&](int64_t count, RowSpan doc) {
                                if (count == 0) docs.Add(doc.first);
                              }));
    return docs;
  }

  // Maps chunks to their documents. Both scans visit documents in the same order.
  Result<Bitmap> OwnersOf(const Bitmap& chunks) {
    std::vector<bool> owns;
    RECALL_TRY(ScanDocNumbers(
        transaction_, DocNumber::kChunks, RowUnit::kChunks, [&](int64_t, RowSpan span) {
          owns.push_back(span.count > 0 &&
                         chunks.CountRange(span.first, span.first + span.count - 1) > 0);
        }));
    Bitmap docs;
    size_t next = 0;
    RECALL_TRY(
        ScanDocNumbers(transaction_, DocNumber::kChunks, RowUnit::kDocs, [&](int64_t, RowSpan doc) {
          if (next < owns.size() && owns[next]) docs.Add(doc.first);
          ++next;
        }));
    return docs;
  }

  const ReadTransaction& transaction_;
  const Bitmap* visible_docs_;
  const Bitmap* visible_chunks_;
  std::vector<FilterStep>* steps_;
};

// A key that no document has is probably misspelt.
Status WarnAboutUnknownKey(const ReadTransaction& transaction, const FieldRef& field,
                           std::vector<std::string>* warnings) {
  if (field.field != Field::kDocMetaKey) return Status::Ok();
  RECALL_ASSIGN(const bool indexed, HasMetadataIndex(transaction));
  if (!indexed) return Status::Ok();
  RECALL_ASSIGN(const bool known, HasMetadataKey(transaction, field.meta_path[0]));
  if (known) return Status::Ok();
  FieldRef key;
  key.field = Field::kDocMetaKey;
  key.meta_path = {field.meta_path[0]};
  std::string warning = "no document has " + FieldName(key);
  if (std::ranges::count(*warnings, warning) == 0) warnings->push_back(std::move(warning));
  return Status::Ok();
}

// In the order of the children.
Status WarnAboutUnknownKeys(const ReadTransaction& transaction, const FilterNode& root,
                            std::vector<std::string>* warnings) {
  std::vector<const FilterNode*> waiting = {&root};
  while (!waiting.empty()) {
    const FilterNode& node = *waiting.back();
    waiting.pop_back();
    if (node.kind == ExprKind::kPredicate) {
      RECALL_TRY(WarnAboutUnknownKey(transaction, node.predicate.field, warnings));
    }
    for (size_t i = node.children.size(); i-- > 0;) waiting.push_back(&node.children[i]);
  }
  return Status::Ok();
}

}  // namespace

CompiledFilter::CompiledFilter(std::unique_ptr<FilterNode> root) : root_(std::move(root)) {}
CompiledFilter::CompiledFilter(CompiledFilter&&) noexcept = default;
CompiledFilter& CompiledFilter::operator=(CompiledFilter&&) noexcept = default;
CompiledFilter::~CompiledFilter() = default;

tl::expected<CompiledFilter, FilterError> CompiledFilter::Compile(const FilterExpr& expr,
                                                                  UnixNanos now) {
  std::vector<std::string> warnings;
  bool depends_on_now = false;
  auto root = FilterCompiler(now, &warnings, &depends_on_now).Compile(expr);
  if (!root) return tl::unexpected(root.error());
  CompiledFilter filter(std::make_unique<FilterNode>(*std::move(root)));
  filter.warnings_ = std::move(warnings);
  filter.depends_on_now_ = depends_on_now;
  return filter;
}

bool CompiledFilter::depends_on_now() const { return depends_on_now_; }
const std::vector<std::string>& CompiledFilter::warnings() const { return warnings_; }

Result<FilterOutcome> CompiledFilter::Evaluate(const ReadTransaction& transaction,
                                               FilterDomain domain,
                                               const VisibleRows* visible) const {
  FilterOutcome outcome;
  FilterRun run(transaction, visible, &outcome.steps);
  if (domain == FilterDomain::kDocs) {
    RECALL_ASSIGN(outcome.set, run.EvaluateDocs(*root_));
  } else {
    RECALL_ASSIGN(outcome.set, run.EvaluateChunks(*root_));
  }
  RECALL_TRY(WarnAboutUnknownKeys(transaction, *root_, &outcome.warnings));
  return outcome;
}

}  // namespace recall
