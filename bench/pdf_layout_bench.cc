// How fast the output of `pdftotext -bbox-layout` becomes text, on one core, and how fast
// pdftotext makes it: pdf_layout_bench [--small] [--repeats N] [FILE.pdf...]. Without files: a made
// output of 1,000 pages (--small: 20), for the reader only. For trusted files: pdftotext is run
// without a sandbox.

#include <sys/resource.h>

#include <cstdio>
#include <string>
#include <string_view>

#include "bench/bench_util.h"
#include "index/source/extract/pdf/pdf_text.h"
#include "tests/index/source/extract/pdf/bbox_maker.h"

namespace recall {
namespace {

std::string MadeOutput(int pages) {
  BboxMaker maker;
  for (int page = 1; page <= pages; ++page) {
    maker.Page().Block().Line(72, 20, "The title of a made book");
    for (int block = 0; block < 6; ++block) {
      std::vector<std::string> lines;
      for (int line = 0; line < 7; ++line) {
        lines.push_back("word" + std::to_string(page * 7 + line) +
                        " of running text with some common words that fill a line of infor-");
      }
      maker.Lines(72, 80 + 110 * block, lines);
    }
    maker.Block().Line(300, 770, std::to_string(page));
  }
  return maker.Finish();
}

double ChildSeconds() {
  rusage usage;
  ::getrusage(RUSAGE_CHILDREN, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

struct PipedRun {
  std::string output;
  double wall = 0, child = 0, reader = 0;  // seconds
};

// Runs pdftotext and reads what it prints while it is printed.
PipedRun RunPiped(const std::string& file) {
  PipedRun run;
  const double wall = Now(), child = ChildSeconds(), own = ProcessorTime();
  std::FILE* pipe = ::popen(("pdftotext -bbox-layout '" + file + "' - 2>/dev/null").c_str(), "r");
  if (!pipe) Die("cannot run pdftotext");
  PdfTextReader reader({});
  std::string buffer(1 << 16, '\0');
  while (const size_t got = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
    reader.Feed(std::string_view(buffer).substr(0, got));
    run.output.append(buffer, 0, got);
  }
  if (::pclose(pipe) != 0) Die("pdftotext failed on " + file);
  if (reader.Finish().text.empty()) Die(file + " has no text");
  run.wall = Now() - wall;
  run.child = ChildSeconds() - child;
  run.reader = ProcessorTime() - own;
  return run;
}

void PrintRow(const std::string& name, const std::string& output, int repeats, double child,
              double wall) {
  std::vector<double> seconds;
  size_t pages = 0;
  for (int i = 0; i < repeats; ++i) {
    const double start = ProcessorTime();
    const Extraction read = ExtractPdfLayout(output, {});
    seconds.push_back(ProcessorTime() - start);
    pages = static_cast<size_t>(std::stoul(read.meta.at("pages").at(0)));
  }
  const double reader = Median(seconds), count = static_cast<double>(pages);
  std::printf("| %s | %zu | %.1f | %.0f | %.0f |", name.substr(name.rfind('/') + 1).c_str(), pages,
              static_cast<double>(output.size()) / 1e6,
              static_cast<double>(output.size()) / 1e6 / reader, count / reader);
  if (child > 0) {
    std::printf(" %.0f | %.0f |\n", count / child, count / wall);
  } else {
    std::printf(" | |\n");
  }
}

}  // namespace
}  // namespace recall

int main(int argc, char** argv) {
  using namespace recall;
  const BenchArgs args = ParseBenchArgs(argc, argv);
  std::printf(
      "| file | pages | output MB | reader MB/s | reader pages/s | pdftotext pages/s (processor) | "
      "piped "
      "pages/s (wall) |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n");
  if (args.rest.empty()) {
    PrintRow("made", MadeOutput(args.small ? 20 : 1000), args.repeats, 0, 0);
    return 0;
  }
  for (const std::string& file : args.rest) {
    std::vector<double> child, wall;
    std::string output;
    for (int i = 0; i < args.repeats; ++i) {
      PipedRun run = RunPiped(file);
      child.push_back(run.child);
      wall.push_back(run.wall);
      output = std::move(run.output);
    }
    PrintRow(file, output, args.repeats, Median(child), Median(wall));
  }
  return 0;
}
