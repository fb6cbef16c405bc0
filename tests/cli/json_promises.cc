#include "tests/cli/json_promises.h"

#include <algorithm>
#include <sstream>

#include "tests/cli/json_schema.h"
#include "tests/test_paths.h"

namespace recall {
namespace {

using Args = std::vector<std::string>;
using Json = SchemaSet::Json;

enum class Form { kPlain, kJson, kLines, kLean };

// The words before "--", which may be flags.
Args BeforeTwoDashes(const Args& args) {
  return Args(args.begin(), std::find(args.begin(), args.end(), "--"));
}

bool Has(const Args& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

Form FormOf(const Args& words) {
  if (Has(words, "-h") || Has(words, "--help")) return Form::kPlain;
  if (Has(words, "--lean")) return Form::kLean;
  if (Has(words, "--jsonl") && !Has(words, "add")) return Form::kLines;
  const auto format = std::find(words.begin(), words.end(), "--format");
  const bool by_format =
      Has(words, "--format=json") ||
      (format != words.end() && format + 1 != words.end() && format[1] == "json");
  return by_format || Has(words, "--json") ? Form::kJson : Form::kPlain;
}

// The schema of the command; that of a search if there is a word that is none, else that of errors.
std::string SchemaOf(const SchemaSet& schemas, const Args& words) {
  size_t i = 0;
  while (i < words.size() && words[i].starts_with('-')) {
    const bool takes_value =
        words[i] == "--store" || words[i] == "--color" || words[i] == "--config";
    i += takes_value ? 2 : 1;
  }
  const bool version = i >= words.size() && (Has(words, "--version") || Has(words, "-V"));
  const std::string verb = version ? "version" : i < words.size() ? words[i] : "";
  const std::string file = verb + ".schema.json";
  if (schemas.Has(file) && verb != "common" && verb != "lines" && verb != "lean") return file;
  return i < words.size() ? "search.schema.json" : "error.schema.json";
}

void ExpectFits(const SchemaSet& schemas, const std::string& file, const std::string& text,
                const RunResult& result) {
  const Json json = Json::parse(text, nullptr, false);
  ASSERT_FALSE(json.is_discarded()) << "not JSON: " << result;
  for (const std::string& violation : schemas.Violations(file, json)) {
    ADD_FAILURE() << file << " " << violation << "\n" << result;
  }
  if (json.contains("ok")) {
    EXPECT_EQ(json["ok"], result.exit == 0) << result;
  }
}

}  // namespace

void ExpectPromisedJson(const Args& args, const RunResult& result) {
  static const SchemaSet schemas = SchemaSet::Load(SourceDir() + "/docs/schema");
  const Args words = BeforeTwoDashes(args);
  const Form form = FormOf(words);
  if (form == Form::kPlain || result.signal != 0) return;
  if (form == Form::kJson) return ExpectFits(schemas, SchemaOf(schemas, words), result.out, result);
  std::istringstream lines(result.out);
  for (std::string line; std::getline(lines, line);) {
    ExpectFits(schemas, form == Form::kLean ? "lean.schema.json" : "lines.schema.json", line,
               result);
  }
}

}  // namespace recall
