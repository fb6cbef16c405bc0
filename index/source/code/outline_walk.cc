// The problem: chunks of source code should be whole definitions, each with its name, in a dozen
// languages, for files that may be broken, generated or hostile.
//
// The idea: tree-sitter gives a syntax tree for any bytes. One walk over it, with a table of node
// types for each language (node_rules.h), finds definitions and places to cut:
//
//    // Keeps a store.       <- start_byte: comments and attributes directly above, by their text
//    template <typename T>   <- code_byte: wrappers belong to the definition
//    class Store {
//     public:
//      void Commit();        <- a definition within the class
//      int Run() {
//        Step();             <- cuts: lines that begin a child of a large node
//        Step();
//      }
//    };                      <- end_byte: with the semicolon
//
// The walk visits nodes in the order of their first bytes, parents first, and keeps one run of
// comments: those that stand directly above each other. A definition or cut that follows the run
// with at most one line break takes it along. Where in the tree the comments hang, which differs
// between grammars, does not matter.
//
// What a grammar has no place for, such as macros, is blanked before (outline_parser.cc). A
// definition takes lines of blanked macros above it along, and its comments above those.
//
// An extension of a type (`extension Store` of Swift, `instance Show Store` of Haskell) is no
// definition: a type may have many, and who asks for it wants the type. Its members have the type's
// name before theirs. Equations and clauses of one name that stand directly below each other are
// one definition, and so are a signature and the body behind it.
//
// Invariants: a definition lies within the one that encloses it and behind the sibling before it,
// because its start is moved behind that. Cuts ascend, one a line: the outermost node, which comes
// first, decides about its depth.
//
// A child with a field ("body", "declarator", "condition") is a part of its parent, and no place to
// cut; children without one are the members of lists: statements, members, elements.
//
// Cost: linear in the number of nodes. The walk has its own stack, because syntax trees can be as
// deep as the text is long.

#include "index/source/code/outline_walk.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "index/source/code/definition_reader.h"
#include "index/source/code/node_rules.h"
#include "index/source/code/outline_check.h"

namespace recall {
namespace {

constexpr uint64_t kSmallNode = 512;         // bytes: smaller nodes are not cut
constexpr uint64_t kNodesForEachError = 10;  // more errors than that: no outline
constexpr TSSymbol kErrorSymbol = static_cast<TSSymbol>(-1);

// The facts about a type of node that the walk needs.
struct NodeClass {
  const NodeRule* rule = nullptr;
  bool comment = false;
  bool text = false;
  bool continuation = false;
};

std::vector<NodeClass> ClassifySymbols(const TreeSitterLibrary& ts, const TSLanguage* language,
                                       std::string_view language_name) {
  const std::span<const NodeRule> rules = NodeRulesOf(language_name);
  std::vector<NodeClass> classes(ts.language_symbol_count(language));
  for (size_t symbol = 0; symbol < classes.size(); ++symbol) {
    const auto id = static_cast<TSSymbol>(symbol);
    if (ts.language_symbol_type(language, id) != TSSymbolTypeRegular) continue;
    const std::string_view name = ts.language_symbol_name(language, id);
    NodeClass& its = classes[symbol];
    its.comment = IsCommentNode(name);
    its.text = IsTextNode(name);
    its.continuation = IsContinuationNode(name);
    for (const NodeRule& rule : rules) {
      if (rule.type == name) its.rule = &rule;
    }
  }
  return classes;
}

// Returns the result of ClassifySymbols, which is kept for each language, because it takes longer
// than to parse a short file.
const std::vector<NodeClass>& ClassesOf(const TreeSitterLibrary& ts, const TSLanguage* language,
                                        std::string_view language_name) {
  thread_local std::map<const TSLanguage*, std::vector<NodeClass>> known;
  std::vector<NodeClass>& classes = known[language];
  if (classes.empty()) classes = ClassifySymbols(ts, language, language_name);
  return classes;
}

bool IsBlankByte(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }

// Walks over one tree and collects the outline.
class OutlineWalk final {
 public:
  OutlineWalk(const TreeSitterLibrary& ts, const TSLanguage* language,
              std::string_view language_name, std::string_view text, std::string_view source)
      : ts_(ts),
        text_(text),
        source_(source),
        reader_(ts, language, language_name, text),
        classes_(ClassesOf(ts, language, language_name)),
        has_semicolons_(language_name != "python" && language_name != "ruby" &&
                        language_name != "bash" && language_name != "go") {}

  // Returns false if the tree has too many errors.
  bool Walk(TSNode root, CodeOutline* outline) {
    outline_ = outline;
    TSTreeCursor cursor = ts_.tree_cursor_new(root);
    Frame frame;
    frame.node = root;
    frame.allows_cuts = true;
    levels_.push_back(frame);
    bool more = ts_.tree_cursor_goto_first_child(&cursor);
    while (more) {
      if (Visit(cursor) && ts_.tree_cursor_goto_first_child(&cursor)) {
        levels_.push_back(child_);
        continue;
      }
      while (!ts_.tree_cursor_goto_next_sibling(&cursor)) {
        // The cursor cannot go above the root, so the walk is over.
        if (levels_.size() == 1 || !ts_.tree_cursor_goto_parent(&cursor)) {
          more = false;
          break;
        }
        levels_.pop_back();
      }
    }
    ts_.tree_cursor_delete(&cursor);
    EndCommentRun();
    return errors_ * kNodesForEachError <= nodes_;
  }

 private:
  static constexpr uint64_t kNoWrapper = UINT64_MAX;

  // Comments that stand directly above each other.
  struct CommentRun {
    bool exists = false;
    bool has_attribute = false;
    uint64_t start = 0;  // bytes of the text
    uint64_t end = 0;
    uint64_t depth = 0;   // of a cut at its start
    bool is_cut = false;  // a cut may be at its start, and no cut has taken it along yet
  };
  // A node whose children are visited.
  struct Frame {
    TSNode node{};
    int32_t definition = -1;   // that encloses the children
    bool hidden = false;       // definitions are left out
    bool in_function = false;  // within a function without a name
    bool allows_cuts = false;  // before children that begin a line
    bool is_text = false;      // nothing in it is cut
    bool is_error = false;
    bool is_list = false;  // children with a field are members, too
    // If the children are wrapped: the beginnings of the definition and of its code, and the end of
    // both, which is that of the wrapper.
    uint64_t wrapper_start = kNoWrapper;
    uint64_t wrapper_code = kNoWrapper;
    uint64_t wrapper_end = 0;
  };

  // Returns the first byte of the line of `byte` if only white space precedes it, else the first
  // byte of the white space before it.
  uint64_t StartInLine(uint64_t byte, bool* begins_line) {
    if (byte != line_of_) {
      line_of_ = byte;
      line_start_ = byte;
      while (line_start_ > 0 && (text_[line_start_ - 1] == ' ' || text_[line_start_ - 1] == '\t')) {
        --line_start_;
      }
      begins_line_ = line_start_ == 0 || text_[line_start_ - 1] == '\n';
    }
    *begins_line = begins_line_;
    return line_start_;
  }

  // Whether a byte is a part of a macro that was blanked.
  bool IsBlanked(uint64_t byte) const { return text_[byte] != source_[byte]; }

  // Returns where the lines begin that contain only blanked macros and stand directly above the
  // line that begins at `line`: they belong to the definition below them.
  uint64_t WithMacrosAbove(uint64_t line) const {
    uint64_t start = line;
    bool blanked = false;
    for (uint64_t i = line; i > 0 && IsBlankByte(text_[i - 1]); --i) {
      if (text_[i - 1] == '\n' && i < line) {
        if (!blanked) break;
        start = i;
        blanked = false;
      }
      blanked = blanked || IsBlanked(i - 1);
    }
    return start;
  }

  // Whether `byte` directly follows the run of comments: white space with one line break at most,
  // and lines of blanked macros.
  bool FollowsComments(uint64_t byte) const {
    if (!run_.exists || byte < run_.end) return false;
    int breaks = 0;
    for (uint64_t i = run_.end; i < byte; ++i) {
      if (!IsBlankByte(text_[i])) return false;
      if (IsBlanked(i)) breaks = 0;
      if (text_[i] == '\n' && ++breaks > 1) return false;
    }
    return true;
  }

  void AddCut(uint64_t byte, uint64_t depth) {
    auto& cuts = outline_->cuts;
    if (!cuts.empty() && cuts.back().byte >= byte) return;
    if (cuts.size() >= MostOutlineEntries(text_.size())) return;
    cuts.push_back({byte, static_cast<uint32_t>(depth)});
  }

  // Ends the run. If no cut has taken it along, it becomes a cut itself.
  void EndCommentRun() {
    if (run_.exists && run_.is_cut) AddCut(run_.start, run_.depth);
    run_.is_cut = false;
  }

  void VisitComment(uint64_t start, uint64_t end, bool is_attribute, const Frame& frame) {
    while (end > start && IsBlankByte(text_[end - 1])) --end;
    const bool continues = FollowsComments(start);
    bool begins_line = false;
    const uint64_t line = StartInLine(start, &begins_line);
    if (!continues) {
      EndCommentRun();
      // A comment at the end of a line belongs to that line.
      run_.exists = begins_line;
      run_.has_attribute = false;
      run_.start = line;
      run_.depth = levels_.size();
      run_.is_cut = begins_line && frame.allows_cuts;
    }
    if (run_.exists) run_.end = end;
    run_.has_attribute = run_.has_attribute || is_attribute;
  }

  void VisitCut(uint64_t start, bool named, bool has_field, const NodeClass& its,
                const Frame& frame) {
    const bool follows = FollowsComments(start);
    bool begins_line = false;
    const uint64_t line = StartInLine(start, &begins_line);
    const bool is_cut =
        named && begins_line && frame.allows_cuts && !has_field && !its.continuation;
    if (!follows || !named) EndCommentRun();
    if (!is_cut) return;
    AddCut(follows ? std::min(run_.start, line) : line, levels_.size());
    run_.is_cut = false;
  }

  // Returns where a definition or wrapper that begins at `start` begins with its comments.
  uint64_t WithComments(uint64_t start) {
    bool begins_line = false;
    const uint64_t line = StartInLine(start, &begins_line);
    const uint64_t above = begins_line ? WithMacrosAbove(line) : line;
    return FollowsComments(start) ? std::min(run_.start, above) : above;
  }

  uint64_t EndOfDefinition(uint64_t start, uint64_t end, uint64_t limit) const {
    while (end > start && IsBlankByte(text_[end - 1])) --end;
    if (!has_semicolons_ || end == 0 || text_[end - 1] == ';') return end;
    uint64_t next = end;
    while (next < limit && (text_[next] == ' ' || text_[next] == '\t')) ++next;
    return next < limit && text_[next] == ';' ? next + 1 : end;
  }

  // Whether `byte` is directly behind the definition: nothing but white space and comments, not
  // even an attribute, is between them.
  bool FollowsDefinition(const Definition& definition, uint64_t byte) const {
    if (byte < definition.end_byte) return false;
    const bool skips_run =
        run_.exists && !run_.has_attribute && run_.start >= definition.end_byte && run_.end <= byte;
    for (uint64_t i = definition.end_byte; i < byte; ++i) {
      if (skips_run && i == run_.start) i = run_.end;
      if (i < byte && !IsBlankByte(text_[i])) return false;
    }
    return true;
  }

  // The definition that was added last in the one that encloses `frame`; -1 if the last one is
  // elsewhere.
  int32_t LastIn(const Frame& frame) const {
    const auto& definitions = outline_->definitions;
    if (definitions.empty() || definitions.back().parent != frame.definition) return -1;
    return static_cast<int32_t>(definitions.size() - 1);
  }

  // Moves the end of a definition to `end`.
  void Extend(int32_t index, uint64_t end, const Frame& frame) {
    Definition& definition = outline_->definitions[static_cast<size_t>(index)];
    definition.end_byte = std::max(definition.end_byte, end);
    FreeFrom(frame) = definition.end_byte;
  }

  // The first byte where the next definition may begin in the one that encloses `frame`.
  uint64_t& FreeFrom(const Frame& frame) {
    return frame.definition < 0 ? free_in_file_ : free_from_[static_cast<size_t>(frame.definition)];
  }

  // Extends the definition directly before a node that continues it. Returns: its index, -1 if
  // there is none.
  int32_t JoinDefinition(const NodeDefinition& described, uint64_t start, uint64_t end,
                         const Frame& frame) {
    const int32_t last = LastIn(frame);
    if (!described.joins || last < 0) return -1;
    const Definition& definition = outline_->definitions[static_cast<size_t>(last)];
    if (definition.kind != described.kind || definition.name != CleanSymbolName(described.name) ||
        !FollowsDefinition(definition, start)) {
      return -1;
    }
    Extend(last, EndOfDefinition(start, end, end), frame);
    return last;
  }

  // Returns: the index of the definition, -1 if there is none.
  int32_t AddDefinition(NodeDefinition described, uint64_t node_start, uint64_t node_end,
                        const Frame& frame) {
    std::string name = CleanSymbolName(described.name);
    auto& definitions = outline_->definitions;
    if (name.empty() || definitions.size() >= MostOutlineEntries(text_.size())) return -1;
    const bool wrapped = frame.wrapper_start != kNoWrapper;
    Definition definition;
    definition.kind = described.kind;
    definition.extends = described.extends;
    definition.name = std::move(name);
    definition.parent = frame.definition;
    definition.code_byte =
        wrapped && frame.wrapper_code != kNoWrapper ? frame.wrapper_code : node_start;
    definition.start_byte = wrapped ? frame.wrapper_start : WithComments(node_start);
    uint64_t& free_from = FreeFrom(frame);
    const uint64_t limit = frame.definition < 0
                               ? text_.size()
                               : definitions[static_cast<size_t>(frame.definition)].end_byte;
    definition.end_byte = EndOfDefinition(
        node_start, std::min(limit, wrapped ? std::max(frame.wrapper_end, node_end) : node_end),
        limit);
    definition.start_byte = std::max(definition.start_byte, free_from);
    if (definition.start_byte > definition.code_byte ||
        definition.code_byte >= definition.end_byte) {
      return -1;
    }
    free_from = definition.end_byte;
    free_from_.push_back(definition.code_byte);
    definitions.push_back(std::move(definition));
    return static_cast<int32_t>(definitions.size() - 1);
  }

  // The named children that have a rule, 2 if there are more.
  int CountItems(TSNode node) const {
    int items = 0;
    const uint32_t count = ts_.node_named_child_count(node);
    for (uint32_t i = 0; i < count && items < 2; ++i) {
      const TSSymbol symbol = ts_.node_symbol(ts_.node_named_child(node, i));
      if (symbol < classes_.size() && classes_[symbol].rule != nullptr) ++items;
    }
    return items;
  }

  void SetWrapper(const NodeRule& rule, TSNode node, uint64_t start, uint64_t end,
                  const Frame& frame) {
    if (rule.role == NodeRole::kSingleWrapper && ts_.node_named_child_count(node) != 1) return;
    if (rule.role == NodeRole::kItemWrapper && CountItems(node) != 1) return;
    const bool within = frame.wrapper_start != kNoWrapper;
    child_.wrapper_start = within ? frame.wrapper_start : WithComments(start);
    child_.wrapper_code = within ? frame.wrapper_code : start;
    if (rule.role == NodeRole::kDecorated && !within) child_.wrapper_code = kNoWrapper;
    child_.wrapper_end = within ? frame.wrapper_end : end;
  }

  bool IsAttribute(const NodeRule& rule, TSNode node) const {
    return rule.role == NodeRole::kAttribute ||
           (rule.role == NodeRole::kDirective && DescribesNextOfElixir(reader_, node));
  }

  // Prepares `child_`. Returns: whether the children of the node are to be visited.
  bool Visit(const TSTreeCursor& cursor) {
    const Frame& frame = levels_.back();
    const TSNode node = ts_.tree_cursor_current_node(&cursor);
    const TSSymbol symbol = ts_.node_symbol(node);
    const uint64_t start = std::min<uint64_t>(ts_.node_start_byte(node), text_.size());
    const uint64_t end =
        std::max<uint64_t>(start, std::min<uint64_t>(ts_.node_end_byte(node), text_.size()));
    const bool is_error = symbol == kErrorSymbol;
    ++nodes_;
    if (is_error || frame.is_error || ts_.node_is_missing(node)) ++errors_;

    static constexpr NodeClass kNoClass;
    const NodeClass& its = symbol < classes_.size() ? classes_[symbol] : kNoClass;
    const bool is_attribute = its.rule != nullptr && IsAttribute(*its.rule, node);
    if (its.comment || is_attribute) {
      VisitComment(start, end, is_attribute, frame);
      return false;
    }
    const bool named = ts_.node_is_named(node) && !is_error;
    if (start < end) {
      const bool has_field = !frame.is_list && ts_.tree_cursor_current_field_id(&cursor) != 0;
      VisitCut(start, named, has_field, its, frame);
    }
    const uint32_t children = ts_.node_child_count(node);

    child_ = Frame();
    child_.node = node;
    child_.definition = frame.definition;
    child_.hidden = frame.hidden;
    child_.in_function = frame.in_function;
    child_.is_text = frame.is_text || its.text;
    child_.is_error = is_error;
    child_.is_list = its.rule != nullptr && its.rule->role == NodeRole::kList;
    bool wraps = false;
    if (its.rule != nullptr && !frame.hidden && start < end) {
      wraps = ApplyRule(*its.rule, node, start, end, frame);
    }
    child_.allows_cuts = !child_.is_text && !wraps && end - start > kSmallNode &&
                         ts_.node_named_child_count(node) > 1;
    return children > 0;
  }

  // Returns: whether the node is a wrapper, which is not cut.
  bool ApplyRule(const NodeRule& rule, TSNode node, uint64_t start, uint64_t end,
                 const Frame& frame) {
    switch (rule.role) {
      case NodeRole::kWrapper:
      case NodeRole::kSingleWrapper:
      case NodeRole::kItemWrapper:
      case NodeRole::kDecorated:
        SetWrapper(rule, node, start, end, frame);
        return child_.wrapper_start != kNoWrapper;
      case NodeRole::kAnonymous:
      case NodeRole::kHidden:
        child_.hidden = true;
        return false;
      case NodeRole::kList:
        return false;
      case NodeRole::kModule:
        child_.hidden = frame.in_function || frame.definition >= 0;
        child_.in_function = true;
        return false;
      default:
        break;
    }
    auto described = reader_.Read(rule, node, frame.node, EnclosingKind(frame));
    // `typedef struct point {...} point;` is one definition.
    if (!described || IsNamedByTypedef(rule, *described, frame)) return false;
    const bool hides = described->hides;
    int32_t added = JoinDefinition(*described, start, end, frame);
    if (added < 0) added = AddDefinition(std::move(*described), start, end, frame);
    if (added >= 0) child_.definition = added;
    child_.hidden = hides;
    return false;
  }

  std::optional<SymbolKind> EnclosingKind(const Frame& frame) const {
    if (frame.definition < 0) return std::nullopt;
    return outline_->definitions[static_cast<size_t>(frame.definition)].kind;
  }

  bool IsNamedByTypedef(const NodeRule& rule, const NodeDefinition& described,
                        const Frame& frame) const {
    if (rule.role != NodeRole::kBodied || frame.definition < 0) return false;
    const Definition& parent = outline_->definitions[static_cast<size_t>(frame.definition)];
    return parent.kind == described.kind && parent.name == CleanSymbolName(described.name) &&
           reader_.Type(frame.node) == "type_definition";
  }

  const TreeSitterLibrary& ts_;
  const std::string_view text_;    // which was parsed
  const std::string_view source_;  // the same, with its macros
  const DefinitionReader reader_;
  const std::vector<NodeClass>& classes_;
  const bool has_semicolons_;  // which belong to the definitions that they end
  CodeOutline* outline_ = nullptr;

  std::vector<Frame> levels_;
  Frame child_;  // of the node that was visited last
  uint64_t nodes_ = 0;
  uint64_t errors_ = 0;

  // The first byte where the next definition may begin: in the file, and in each definition.
  uint64_t free_in_file_ = 0;
  std::vector<uint64_t> free_from_;

  CommentRun run_;  // the last one

  // The last result of StartInLine, which is often asked for again.
  uint64_t line_of_ = UINT64_MAX;
  uint64_t line_start_ = 0;
  bool begins_line_ = false;
};

}  // namespace

bool WalkTree(const TreeSitterLibrary& ts, const TSLanguage* language,
              std::string_view language_name, const WalkedText& text, TSNode root,
              CodeOutline* outline) {
  return OutlineWalk(ts, language, language_name, text.parsed, text.source).Walk(root, outline);
}

}  // namespace recall
