// The cues that follow from the file of a chunk, and from the names that the chunk defines.
//
// Problem. Who asks how a program resolves names wants the file resolver.py and the function
// resolve_name, but the words of the question are all over the program.
//
// Idea. A file is likely to answer if its name consists of words of the question, if many of the
// best hits are in it, and if a hit defines something that is named by words of the question. Of a
// file's name both shares count: that of the question's words which it has, and that of its words
// which the question has, because short names say what a whole file is about.
//
// A message or an issue that is pasted has hundreds of words, and any name consists of some of
// them. Its first line is what it is about, so names are compared with the words of that line
// alone. But the paths that it names anywhere, as lines of a backtrace do, are those to look at:
// their files have a cue in prose, too.
//
// Which chunk of a file answers is another question, so the cues of a file go to the best of its
// chunks: the others stay where they are, and no file fills the page.
//
// They are measured with source code, so they count by its share among the hits, and not at all in
// prose. Where there are both, pages of documentation have the cues of their files, too: else code
// would come before a page that answers better.
//
// Cost: the rows of the chunks and of their documents, which the page of a search reads as well.

#include "query/ask/retrieval/file_cues.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

#include "index/base/text/stop_words.h"
#include "query/ask/cues/named_files.h"
#include "query/ask/cues/topic_line.h"
#include "storage/base/trim.h"

namespace recall {
namespace {

// A word of the question, and how much it tells texts apart.
struct AskedWord {
  std::string stem;
  double idf = 0;
};

class FileCueReader final {
 public:
  FileCueReader(const CueSources& sources, const CueWeights& weights)
      : sources_(sources), weights_(weights) {}

  Status Add(std::vector<CuedChunk>& cued) {
    std::vector<RowReader::Located> rows;
    for (const CuedChunk& chunk : cued) {
      RECALL_ASSIGN(RowReader::Located row, sources_.rows.Read(chunk.scored.candidate.chunk));
      rows.push_back(std::move(row));
    }
    const double code = ShareOfCode(cued, rows);
    const std::vector<NamedFile> named = FindNamedFiles(sources_.plan.query.wanted);
    if (!(code > 0) && named.empty()) return Status::Ok();
    if (code > 0) {
      FindAskedWords();
      AddNames(code, rows, cued);
    }
    CollectFiles(cued, rows);
    for (size_t i = 0; i < cued.size() && code > 0; ++i) {
      const DocRow& doc = *rows[i].doc;
      const File& file = files_.at(doc.row);
      if (i != file.best) continue;
      AddToScore("filename", doc.path, code * weights_.filename * NameShare(doc.path), cued[i]);
      AddToScore("support", doc.path, code * weights_.support * SupportOf(file), cued[i]);
    }
    AddNamedFiles(named, rows, cued);
    return Status::Ok();
  }

 private:
  struct File {
    double sum = 0;         // of the scores of its chunks
    double definition = 0;  // the greatest of its chunks
    size_t best = 0;        // index of its best chunk
    double value = -1;      // what that chunk counts
  };

  void AddNames(double code, const std::vector<RowReader::Located>& rows,
                std::vector<CuedChunk>& cued) {
    for (size_t i = 0; i < cued.size(); ++i) {
      if (!IsSourceCode(*rows[i].doc)) continue;
      const std::string& heading = rows[i].chunk.heading;
      AddToScore("symbols", heading, code * weights_.symbols * ShareOfNames(heading), cued[i]);
    }
  }

  void AddNamedFiles(const std::vector<NamedFile>& named,
                     const std::vector<RowReader::Located>& rows, std::vector<CuedChunk>& cued) {
    if (named.empty() || weights_.path == 0) return;
    std::vector<std::string_view> paths;
    std::vector<size_t> best;
    for (const auto& [row, file] : files_) {
      paths.push_back(rows[file.best].doc->path);
      best.push_back(file.best);
    }
    const std::vector<double> shares = SharesOfNamedFiles(named, paths);
    for (size_t i = 0; i < best.size(); ++i) {
      AddToScore("path", std::string(paths[i]), weights_.path * shares[i], cued[best[i]]);
    }
  }

  // The part of the sum of all scores that chunks of code have.
  static double ShareOfCode(const std::vector<CuedChunk>& cued,
                            const std::vector<RowReader::Located>& rows) {
    double all = 0;
    double code = 0;
    for (size_t i = 0; i < cued.size(); ++i) {
      all += cued[i].scored.score;
      if (IsSourceCode(*rows[i].doc)) code += cued[i].scored.score;
    }
    return all > 0 ? code / all : 0;
  }

  static void AddStem(std::string stem, std::vector<std::string>& stems) {
    if (IsStopWord(stem) || std::ranges::find(stems, stem) != stems.end()) return;
    stems.push_back(std::move(stem));
  }

  // The stems of a name, each once. The tokenizer caches them, as it does for the index: there are
  // hundreds of names.
  std::vector<std::string> StemsOf(std::string_view name) {
    sources_.tokenizer.Analyze({}, name, &analyzed_);
    std::vector<std::string> stems;
    for (std::string_view rest = analyzed_.body; !rest.empty();) {
      AddStem(std::string(TakeUntil(' ', rest)), stems);
    }
    return stems;
  }

  void FindAskedWords() {
    const std::vector<LexicalClause>& clauses = sources_.plan.query.clauses;
    const std::vector<LexicalTerm>& terms = sources_.hits.lexical->terms();
    std::vector<std::string> stems;
    const std::string_view topic = TopicOf(sources_.plan.query.wanted);
    for (Tokenizer::Word& word : sources_.tokenizer.AnalyzeQuery(topic)) {
      for (std::string& stem : word.stems) AddStem(std::move(stem), stems);
    }
    for (std::string& stem : stems) {
      AskedWord asked{std::move(stem), 0};
      for (size_t i = 0; i < std::min(clauses.size(), terms.size()); ++i) {
        const std::vector<std::string>& phrase = clauses[i].any_of.front().tokens;
        // A word that no text has does not tell texts apart.
        if (terms[i].matches > 0 && std::ranges::find(phrase, asked.stem) != phrase.end()) {
          asked.idf = std::max(asked.idf, terms[i].idf);
        }
      }
      asked_.push_back(std::move(asked));
    }
  }

  bool IsAsked(const std::string& stem) const {
    return std::ranges::find(asked_, stem, &AskedWord::stem) != asked_.end();
  }

  // The part of the question's words that are in `stems`.
  double ShareOfQuestionIn(const std::vector<std::string>& stems) const {
    const auto is_there = [&](const AskedWord& asked) {
      return std::ranges::find(stems, asked.stem) != stems.end();
    };
    if (asked_.empty()) return 0;
    return static_cast<double>(std::ranges::count_if(asked_, is_there)) /
           static_cast<double>(asked_.size());
  }

  // What a file's name and the question have in common, from 0 to 1, and up to a quarter more for
  // its last two directories.
  double NameShare(std::string_view path) {
    constexpr double kDirectoryShare = 0.25;
    std::vector<std::string_view> parts;
    for (std::string_view rest = path; !rest.empty();) parts.push_back(TakeUntil('/', rest));
    if (parts.empty()) return 0;
    std::string_view file = parts.back();
    file = file.substr(0, std::max<size_t>(file.find_last_of('.'), 1));
    parts.pop_back();
    std::string directories;
    for (size_t i = parts.size() - std::min<size_t>(parts.size(), 2); i < parts.size(); ++i) {
      directories += std::string(parts[i]) + " ";
    }
    const std::vector<std::string> words = StemsOf(file);
    const auto asked =
        std::ranges::count_if(words, [&](const std::string& stem) { return IsAsked(stem); });
    const double asked_share =
        words.empty() ? 0 : static_cast<double>(asked) / static_cast<double>(words.size());
    return (ShareOfQuestionIn(words) + asked_share) / 2 +
           kDirectoryShare * ShareOfQuestionIn(StemsOf(directories));
  }

  void CollectFiles(const std::vector<CuedChunk>& cued,
                    const std::vector<RowReader::Located>& rows) {
    double best = 0;
    for (const CuedChunk& chunk : cued) best = std::max(best, chunk.scored.score);
    for (size_t i = 0; i < cued.size(); ++i) {
      File& file = files_[rows[i].doc->row];
      file.sum += cued[i].scored.score;
      file.definition = std::max(file.definition, cued[i].definition);
      most_ = std::max(most_, file.sum);
      const double added = cued[i].definition + cued[i].others;
      const double value = (cued[i].scored.score / best + added) * cued[i].factor;
      if (value > file.value) {
        file.value = value;
        file.best = i;
      }
    }
  }

  // A file that defines the name that is the question needs no further hits: others may use it more
  // often.
  double SupportOf(const File& file) const {
    const double by_hits = most_ > 0 ? file.sum / most_ : 0;
    const double by_definition =
        weights_.definition > 0 ? file.definition / weights_.definition : 0;
    return std::max(by_hits, std::min(by_definition, 1.0));
  }

  // The part of the question's words, measured by their idf, in the names that a chunk defines: the
  // last part of its heading has them.
  double ShareOfNames(std::string_view heading) {
    const size_t last = heading.rfind(" > ");
    if (last != heading.npos) heading.remove_prefix(last + 3);
    if (heading.empty()) return 0;
    const std::vector<std::string> stems = StemsOf(heading);
    double all = 0;
    double named = 0;
    for (const AskedWord& asked : asked_) {
      all += asked.idf;
      if (std::ranges::find(stems, asked.stem) != stems.end()) named += asked.idf;
    }
    return all > 0 ? named / all : 0;
  }

  static void AddToScore(std::string_view cue, const std::string& note, double added,
                         CuedChunk& chunk) {
    if (added == 0) return;
    chunk.others += added;
    chunk.cues.push_back({.cue = std::string(cue), .note = note, .definition = added, .factor = 1});
  }

  const CueSources& sources_;
  const CueWeights& weights_;
  std::vector<AskedWord> asked_;
  LexicalText analyzed_;           // scratch
  std::map<int64_t, File> files_;  // by row
  double most_ = 0;                // the greatest sum of a file
};

}  // namespace

Status AddFileCues(const CueSources& sources, const CueWeights& weights,
                   std::vector<CuedChunk>& cued) {
  const bool has_cues = weights.symbols > 0 || weights.filename > 0 || weights.support > 0;
  if (!has_cues && weights.path == 0) return Status::Ok();
  if (!sources.hits.lexical) return Status::Ok();
  return FileCueReader(sources, weights).Add(cued);
}

}  // namespace recall
