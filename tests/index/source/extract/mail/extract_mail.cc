// extract_mail FILE...          prints a JSON line for each message
// extract_mail --mbox FILE      prints a JSON line for each piece of a mailbox
// extract_mail --count FILE     reads a mailbox and prints its rate and the peak of memory
// extract_mail --rate FILE...   reads the messages for some seconds and prints the rate

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "index/source/extract/mail/mail_extract.h"
#include "index/source/extract/mail/mbox_reader.h"
#include "storage/base/bytes.h"
#include "storage/base/json_writer.h"
#include "tests/index/source/extract/extraction_check.h"

namespace recall {
namespace {

double SecondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::string BytesOf(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void Print(const std::string& line) { std::fwrite(line.data(), 1, line.size(), stdout); }

void PrintMessage(const char* path) {
  const Extraction got = ExtractMail(BytesOf(path), {});
  std::string line;
  JsonWriter json(&line);
  json.BeginObject();
  json.Field("file", std::string_view(path));
  json.Field("outcome", static_cast<int>(got.outcome));
  json.Field("reason", got.reason);
  json.Field("broken", BrokenRuleOf(got));
  json.Field("text", got.text);
  json.Key("spans");
  json.BeginArray();
  for (const LocatorSpan& span : got.spans) {
    json.BeginObject();
    json.Field("name", span.locator.name);
    json.Field("range", span.locator.range);
    json.Field("text", std::string_view(got.text).substr(span.start, span.end - span.start));
    json.EndObject();
  }
  json.EndArray();
  json.Key("meta");
  json.BeginObject();
  for (const auto& [key, values] : got.meta) json.Field(key, values);
  json.EndObject();
  json.Field("warnings", got.warnings);
  json.Key("files");
  json.BeginArray();
  for (const AttachedFile& file : got.files) {
    json.BeginObject();
    json.Field("name", file.name);
    json.Key("bytes");
    json.Base64(AsBytes(file.bytes));
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
  json.EndLine();
  Print(line);
}

int ReadMailbox(const char* path, bool print) {
  const int fd = ::open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 1;
  FileMboxInput input(fd);
  MboxReader reader(&input, 256 << 20);
  MboxPiece piece;
  int64_t pieces = 0;
  uint64_t bytes = 0;
  const auto start = std::chrono::steady_clock::now();
  for (;;) {
    const auto more = reader.Next(&piece);
    if (!more || !*more) break;
    ++pieces;
    bytes += piece.length;
    if (!print) continue;
    std::string line;
    JsonWriter json(&line);
    json.BeginObject();
    json.Field("kind", static_cast<int>(piece.kind));
    json.Field("offset", piece.offset);
    json.Field("length", piece.length);
    json.Field("envelope", piece.envelope);
    json.Key("bytes");
    json.Base64(AsBytes(piece.bytes));
    json.EndObject();
    json.EndLine();
    Print(line);
  }
  const double seconds = SecondsSince(start);
  ::close(fd);
  if (!print) {
    struct rusage usage;
    ::getrusage(RUSAGE_SELF, &usage);
    std::printf("%lld pieces, %.0f MB, %.2f s, %.0f MB/s, peak %ld KiB\n",
                static_cast<long long>(pieces), static_cast<double>(bytes) / 1e6, seconds,
                static_cast<double>(bytes) / 1e6 / seconds, usage.ru_maxrss);
  }
  return 0;
}

void Measure(int count, char** paths) {
  std::vector<std::string> messages;
  for (int i = 0; i < count; ++i) messages.push_back(BytesOf(paths[i]));
  const auto start = std::chrono::steady_clock::now();
  int64_t read = 0;
  uint64_t bytes = 0, text = 0;
  while (SecondsSince(start) < 3) {
    for (const std::string& message : messages) {
      text += ExtractMail(message, {}).text.size();
      bytes += message.size();
      ++read;
    }
  }
  const double seconds = SecondsSince(start);
  std::printf("%.0f messages/s, %.1f MB/s, %.0f bytes of text a message\n",
              static_cast<double>(read) / seconds, static_cast<double>(bytes) / 1e6 / seconds,
              static_cast<double>(text) / static_cast<double>(read));
}

}  // namespace
}  // namespace recall

int main(int argc, char** argv) {
  const std::string_view mode = argc > 1 ? argv[1] : "";
  if (argc == 3 && (mode == "--mbox" || mode == "--count")) {
    return recall::ReadMailbox(argv[2], mode == "--mbox");
  }
  if (mode == "--rate") {
    recall::Measure(argc - 2, argv + 2);
    return 0;
  }
  for (int i = 1; i < argc; ++i) recall::PrintMessage(argv[i]);
  return 0;
}
