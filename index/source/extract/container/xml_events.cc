#include "index/source/extract/container/xml_events.h"

#include <algorithm>
#include <deque>
#include <unordered_map>
#include <utility>
#include <vector>

#include "index/base/paths/doc_path.h"
#include "index/source/extract/container/container_libraries.h"

namespace recall {
namespace {

// The problem: XML of unknown origin. Known attacks are entities that expand to gigabytes or to
// files of the machine, elements nested until a stack is full, names chosen to collide in a hash
// table, and tokens (a comment, an attribute) so large that scanning them again for every block
// takes quadratic time (CVE-2023-52425).
//
// The reader lets no entity be declared, counts the depth, limits the number of different names and
// the size of one token, and salts expat's hash tables by the document itself, which keeps the
// result a function of the bytes.
//
// Names are translated once per different name: "http://...main\np" -> "w:p".

constexpr XML_Char kNameSeparator = '\n';
constexpr size_t kMaxNames = 50'000;
// The limit of one tag, comment or instruction.
constexpr int64_t kMaxTokenBytes = 16 << 20;
constexpr size_t kFeedBytes = 1 << 20;

uint64_t SaltOf(std::string_view text) {
  uint64_t hash = 14695981039346656037u;  // FNV-1a
  for (const char c : text) hash = (hash ^ static_cast<uint8_t>(c)) * 1099511628211u;
  return hash | 1;
}

}  // namespace

class XmlReader::State final {
 public:
  State(std::span<const XmlNamespace> namespaces, int max_depth, XmlHandler* handler)
      : expat_(*ExpatLibrary::Get()),
        namespaces_(namespaces),
        max_depth_(max_depth),
        handler_(handler),
        parser_(expat_.create(nullptr, kNameSeparator)) {
    if (parser_ == nullptr) return;
    expat_.set_user_data(parser_, this);
    expat_.set_element_handler(parser_, OnStart, OnEnd);
    expat_.set_character_data_handler(parser_, OnText);
    expat_.set_entity_decl_handler(parser_, OnEntityDeclaration);
    expat_.set_skipped_entity_handler(parser_, OnSkippedEntity);
  }
  ~State() {
    if (parser_ != nullptr) expat_.free(parser_);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  bool made() const { return parser_ != nullptr; }
  bool stopped() const { return stopped_; }

  Status Parse(std::string_view block, bool last) {
    if (!error_.ok() || stopped_) return error_;
    if (fed_ == 0) expat_.set_hash_salt(parser_, SaltOf(block.substr(0, 4096)));
    do {
      const std::string_view piece = block.substr(0, kFeedBytes);
      block.remove_prefix(piece.size());
      fed_ += static_cast<int64_t>(piece.size());
      const bool is_final = last && block.empty();
      if (expat_.parse(parser_, piece.data(), static_cast<int>(piece.size()), is_final ? 1 : 0) !=
          XML_STATUS_OK) {
        return Failed();
      }
      if (!is_final && fed_ - expat_.byte_index(parser_) > kMaxTokenBytes) {
        error_ = Status::LimitExceeded("a tag or comment in it is too long");
        return error_;
      }
    } while (!block.empty());
    return {};
  }

 private:
  static State& Of(void* data) { return *static_cast<State*>(data); }

  static void OnStart(void* data, const XML_Char* name, const XML_Char** attributes) {
    State& state = Of(data);
    if (state.ended()) return;
    if (static_cast<int>(state.open_.size()) >= state.max_depth_) {
      state.End(Status::LimitExceeded("its elements are nested more than " +
                                      std::to_string(state.max_depth_) + " deep"));
      return;
    }
    state.attributes_.clear();
    for (; *attributes != nullptr; attributes += 2) {
      state.attributes_.push_back({state.NameOf(attributes[0]), attributes[1]});
    }
    state.open_.push_back(state.NameOf(name));
    if (state.ended()) return;
    state.Answer(state.handler_->Start(state.open_.back(), state.attributes_));
  }

  static void OnEnd(void* data, const XML_Char*) {
    State& state = Of(data);
    if (state.ended() || state.open_.empty()) return;
    const std::string_view name = state.open_.back();
    state.open_.pop_back();
    state.Answer(state.handler_->End(name));
  }

  static void OnText(void* data, const XML_Char* text, int size) {
    State& state = Of(data);
    if (state.ended()) return;
    state.Answer(state.handler_->Text({text, static_cast<size_t>(size)}));
  }

  static void OnEntityDeclaration(void* data, const XML_Char*, int, const XML_Char*, int,
                                  const XML_Char*, const XML_Char*, const XML_Char*,
                                  const XML_Char*) {
    Of(data).End(Status::Corruption("it declares entities, which are not read"));
  }

  // Called for an entity that an external DTD declares, such as "&nbsp;".
  static void OnSkippedEntity(void* data, const XML_Char*, int is_parameter) {
    State& state = Of(data);
    if (is_parameter != 0 || state.ended()) return;
    state.Answer(state.handler_->Text(" "));
  }

  bool ended() const { return stopped_ || !error_.ok(); }

  void Answer(bool more) {
    if (more) return;
    stopped_ = true;
    expat_.stop(parser_, XML_FALSE);
  }

  void End(Status error) {
    if (ended()) return;
    error_ = std::move(error);
    expat_.stop(parser_, XML_FALSE);
  }

  Status Failed() {
    if (ended()) return error_;
    const char* const text = expat_.error_string(expat_.error_code(parser_));
    error_ = Status::Corruption("line " + std::to_string(expat_.line(parser_)) + ": " +
                                (text != nullptr ? text : "it is not XML"));
    return error_;
  }

  std::string_view NameOf(const XML_Char* raw) {
    const std::string_view full(raw);
    if (const auto found = names_.find(full); found != names_.end()) return found->second;
    if (names_.size() >= kMaxNames) {
      End(Status::LimitExceeded("it has more than " + std::to_string(kMaxNames) +
                                " different names of elements and attributes"));
      return {};
    }
    const size_t separator = full.find(kNameSeparator);
    std::string name;
    if (separator == full.npos) {
      name = full;
    } else {
      const std::string_view uri = full.substr(0, separator);
      const auto known = std::ranges::find(namespaces_, uri, &XmlNamespace::uri);
      name = known != namespaces_.end() ? std::string(known->prefix) : "?";
      name += ':';
      name += full.substr(separator + 1);
    }
    const std::string& key = strings_.emplace_back(full);
    return names_.emplace(key, strings_.emplace_back(std::move(name))).first->second;
  }

  const ExpatLibrary& expat_;
  std::span<const XmlNamespace> namespaces_;
  int max_depth_;
  XmlHandler* handler_;
  XML_Parser parser_;
  std::deque<std::string> strings_;  // their addresses stay
  std::unordered_map<std::string_view, std::string_view> names_;
  std::vector<XmlAttribute> attributes_;
  std::vector<std::string_view> open_;
  int64_t fed_ = 0;
  bool stopped_ = false;
  Status error_;
};

XmlReader::XmlReader(std::unique_ptr<State> state) : state_(std::move(state)) {}
XmlReader::~XmlReader() = default;
XmlReader::XmlReader(XmlReader&&) noexcept = default;
XmlReader& XmlReader::operator=(XmlReader&&) noexcept = default;

Result<XmlReader> XmlReader::Make(std::span<const XmlNamespace> namespaces, int max_depth,
                                  XmlHandler* handler) {
  if (ExpatLibrary::Get() == nullptr) {
    return Fail(Status::Unsupported("expat, which reads it, cannot be loaded: install libexpat1"));
  }
  auto state = std::make_unique<State>(namespaces, max_depth, handler);
  if (!state->made()) return Fail(Status::NotEnoughMemory("XML"));
  return XmlReader(std::move(state));
}

Status XmlReader::Feed(std::string_view block) {
  if (block.empty()) return {};
  return state_->Parse(block, false);
}

Status XmlReader::Finish() { return state_->Parse({}, true); }

bool XmlReader::stopped() const { return state_->stopped(); }

Status ReadXml(std::string_view bytes, std::span<const XmlNamespace> namespaces, int max_depth,
               XmlHandler* handler) {
  RECALL_ASSIGN(XmlReader reader, XmlReader::Make(namespaces, max_depth, handler));
  RECALL_TRY(reader.Feed(bytes));
  return reader.Finish();
}

Status ReadXmlEntry(ZipContainer* container, std::string_view name,
                    std::span<const XmlNamespace> namespaces, int max_depth, XmlHandler* handler) {
  RECALL_ASSIGN(XmlReader reader, XmlReader::Make(namespaces, max_depth, handler));
  Status parsed;
  RECALL_TRY(container->ReadBlocks(name, [&](std::string_view block) {
    parsed = reader.Feed(block);
    return parsed.ok() && !reader.stopped();
  }));
  if (parsed.ok()) parsed = reader.Finish();
  if (parsed.ok()) return parsed;
  return Status(parsed.code(),
                "its member " + PrintablePath(name) + ": " + std::string(parsed.message()),
                std::string(parsed.hint()));
}

}  // namespace recall
