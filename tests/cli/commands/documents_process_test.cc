// `recall add` of PDF, HTML, office documents, mail and notebooks; places in `get`, `search` and
// `context`.

#include <filesystem>

#include "storage/base/base64.h"
#include "storage/base/bytes.h"
#include "tests/cli/made_documents.h"
#include "tests/cli/recall_process.h"
#include "tests/cli/shell.h"
#include "tests/index/source/archive/archive_maker.h"
#include "tests/index/source/extract/mail/tnef_maker.h"
#include "tests/index/source/extract/pdf/encrypted_pdfs.h"

namespace recall {
namespace {

using Json = nlohmann::ordered_json;
using Names = std::vector<std::string>;
namespace fs = std::filesystem;

class DocumentsTest : public RecallTest {
 protected:
  void SetUp() override { ASSERT_EQ(Run({"init"}).exit, 0); }

  Json Add(Names args = {"."}, int exit = 0) {
    args.insert(args.begin(), {"add", "--json"});
    const RunResult result = Run(args);
    EXPECT_EQ(result.exit, exit) << result;
    return result.Json()["add"];
  }
  // "path outcome" of all documents that match.
  std::string Outcomes(const std::string& filter = "doc.path IS NOT NULL") {
    return Run({"query", "FROM doc FILTER " + filter +
                             " SELECT doc.path, doc.format, doc.extracted ORDER BY doc.path ASC"})
        .out;
  }
  std::string Get(const std::string& target) {
    const RunResult result = Run({"get", target});
    EXPECT_EQ(result.exit, 0) << result;
    return result.out;
  }
  std::string Verify(const std::string& path, int exit) {
    const RunResult result = Run({"get", "--verify", "--json", path});
    EXPECT_EQ(result.exit, exit) << result;
    return exit == 0 ? result.Json()["get"]["verify"].get<std::string>() : "";
  }
};

TEST_F(DocumentsTest, AreFoundByTheirTextAndCitedByTheirPlace) {
  Write("report.pdf", MakePdf({"The bridge over the river", "costs nine million crowns", ""}));
  Write("letter.docx", MakeDocx({"# Greetings", "Dear heron", "the pond has frozen over"}));
  Write("plot.ipynb", MakeNotebook({"# Analysis", "print('kingfisher')"}));
  Write("page.html",
        "<!doctype html><html><head><title>Ducks</title></head><body>"
        "<h1 id=top>Ducks</h1><p id=feed>Teals eat seeds.</p></body></html>");
  const Json added = Add();
  EXPECT_EQ(added["added"], 4);
  EXPECT_EQ(added["extracted"]["text"], 4);
  EXPECT_EQ(Outcomes(),
            "letter.docx\tdocx\ttext\npage.html\thtml\ttext\n"
            "plot.ipynb\tnotebook\ttext\nreport.pdf\tpdf\ttext\n");

  const auto locator = [&](const std::string& word) {
    const Json answer = Run({"search", "--json", "--k", "1", word}).Json();
    const Json& hit = answer["results"][0];
    return hit["doc"]["path"].get<std::string>() + " " +
           hit["chunk"]["locator"]["text"].get<std::string>();
  };
  EXPECT_EQ(locator("crowns"), "report.pdf p. 2");
  EXPECT_EQ(locator("frozen"), "letter.docx paras. 1-3");
  EXPECT_EQ(locator("kingfisher"), "plot.ipynb cells 1-2");
  EXPECT_EQ(locator("teals"), "page.html #top to #feed");

  EXPECT_NE(Get("report.pdf@p2").find("costs nine million crowns"), std::string::npos);
  EXPECT_EQ(Get("report.pdf@p2").find("bridge"), std::string::npos);
  EXPECT_NE(Get("letter.docx@para3").find("the pond has frozen over"), std::string::npos);
  EXPECT_NE(Get("plot.ipynb@cell2").find("kingfisher"), std::string::npos);
  EXPECT_EQ(Get("plot.ipynb@cell2").find("Analysis"), std::string::npos);
  const RunResult absent = Run({"get", "report.pdf@p9"});
  EXPECT_EQ(absent.exit, 1);
  EXPECT_NE(absent.err.find("report.pdf has no place p9"), std::string::npos) << absent;

  const RunResult context = Run({"context", "crowns", "--budget-tokens", "40"});
  EXPECT_NE(context.out.find("[report.pdf:3-3 (p. 2)]"), std::string::npos) << context;
}

TEST_F(DocumentsTest, AreFoundByTheirTitlesAndWithoutTextByTheirNames) {
  Write("page.html",
        "<!doctype html><html><head><title>Antarctic harbour</title></head><body>"
        "<p>Lead words of it.</p></body></html>");
  Write("scan-2024-117.pdf", MakePdf({""}));
  Write("other.txt", "nothing of it\n");
  Add();
  EXPECT_EQ(Outcomes("doc.extracted = 'no_text'"), "scan-2024-117.pdf\tpdf\tno_text\n");
  const auto found = [&](const std::string& words) {
    const RunResult result = Run({"search", "--k", "1", "--fields", "path", words});
    EXPECT_EQ(result.exit, 0) << result;
    return result.out;
  };
  EXPECT_EQ(found("antarctic"), "page.html\n");
  EXPECT_EQ(found("117"), "scan-2024-117.pdf\n");
  const RunResult shown = Run({"search", "scan"});
  EXPECT_NE(shown.out.find("(no text)"), std::string::npos) << shown;
  // A citation of a search can be read.
  const RunResult read = Run({"get", "--verify", "scan-2024-117.pdf:1-1"});
  EXPECT_EQ(read.exit, 0) << read;
  EXPECT_EQ(Add()["unchanged"], 3);
  // What a file of another title replaces is found by that one.
  Write("page.html",
        "<!doctype html><html><head><title>Arctic quay</title></head><body>"
        "<p>Lead words of it.</p></body></html>");
  Add();
  EXPECT_EQ(found("quay"), "page.html\n");
  EXPECT_EQ(Run({"search", "--mode", "lexical", "antarctic"}).out.find("page.html"),
            std::string::npos);
  EXPECT_EQ(Run({"doctor"}).exit, 0);
}

TEST_F(DocumentsTest, NotesAndOutlinesOfPdfFilesAreFoundAtTheirPages) {
  std::string pdf = MakePdf({"The bridge over the river", "costs nine million crowns"});
  // An incremental update, as a viewer that adds a note writes it.
  pdf +=
      "6 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 7 0 R "
      "/Resources << /Font << /F1 3 0 R >> >> /Annots [20 0 R] >>\nendobj\n"
      "20 0 obj\n<< /Type /Annot /Subtype /Text /Rect [9 9 20 20] /T (Ann) "
      "/Contents (Ask the treasurer) >>\nendobj\n"
      "1 0 obj\n<< /Type /Catalog /Pages 2 0 R /Outlines 21 0 R >>\nendobj\n"
      "21 0 obj\n<< /First 22 0 R /Last 22 0 R /Count 1 >>\nendobj\n"
      "22 0 obj\n<< /Title (Expenditure) /Parent 21 0 R /Dest [6 0 R /Fit] >>\nendobj\n"
      "trailer\n<< /Size 23 /Root 1 0 R >>\n%%EOF\n";
  Write("report.pdf", pdf);
  EXPECT_EQ(Add()["extracted"]["text"], 1);
  for (const std::string word : {"treasurer", "expenditure"}) {
    const Json answer = Run({"search", "--json", "--k", "1", word}).Json();
    ASSERT_FALSE(answer["results"].empty()) << word;
    EXPECT_EQ(answer["results"][0]["chunk"]["locator"]["text"], "p. 2") << word;
  }
  EXPECT_NE(Get("report.pdf@p2").find("Comment (Ann): Ask the treasurer"), std::string::npos);
  EXPECT_NE(Get("report.pdf@p2").find("# Expenditure"), std::string::npos);
}

TEST_F(DocumentsTest, PlacesAreFieldsOfChunks) {
  Write("report.pdf", MakePdf({"The bridge over the river", "costs nine million crowns", ""}));
  Write("plot.ipynb", MakeNotebook({"# Analysis", "print('kingfisher')"}));
  Write("notes.txt", "nothing but text\n");
  Add();
  const auto rows = [&](const std::string& filter) {
    return Run({"query", "FROM chunk FILTER " + filter +
                             " SELECT doc.path, chunk.page, chunk.cell ORDER BY doc.path ASC"})
        .out;
  };
  EXPECT_EQ(rows("chunk.page = 2"), "report.pdf\t[2]\t\n");
  EXPECT_EQ(rows("chunk.page > 2"), "");
  EXPECT_EQ(rows("chunk.cell IN (2, 5)"), "plot.ipynb\t\t[1,2]\n");
  EXPECT_EQ(rows("chunk.page IS NULL AND chunk.cell IS NULL"), "notes.txt\t\t\n");
  const Json found =
      Run({"query", "--json", "FROM chunk FILTER chunk.page = 1 SELECT chunk.page, chunk.symbol"})
          .Json()["results"];
  EXPECT_EQ(found[0]["chunk"]["page"], Json::array({1})) << found;
  EXPECT_TRUE(found[0]["chunk"]["symbol"].is_null()) << found;
  const RunResult searched =
      Run({"search", "crowns", "--filter", "chunk.page = 2", "--fields", "path,chunk.page"});
  EXPECT_EQ(searched.exit, 0) << searched;
  EXPECT_NE(searched.out.find("report.pdf"), std::string::npos) << searched;
  EXPECT_NE(searched.out.find("[2]"), std::string::npos) << searched;
}

TEST_F(DocumentsTest, UnchangedFilesAreNotExtractedAgain) {
  Write("report.pdf", MakePdf({"One page"}));
  Write("plot.ipynb", "{ no notebook");
  Add();
  const Json again = Add();
  EXPECT_EQ(again["unchanged"], 2);
  EXPECT_TRUE(again["extracted"].empty()) << again;
  const Json redone = Add({"--reextract", "."});
  EXPECT_EQ(redone["unchanged"], 2) << redone;  // the text is the same
  // A file whose time is the same is read nevertheless.
  const auto time = fs::last_write_time(Path("plot.ipynb"));
  Write("plot.ipynb", MakeNotebook({"# Mended"}));
  fs::last_write_time(Path("plot.ipynb"), time);
  EXPECT_EQ(Add({"--mtime-only", "."})["updated"], 0);
  EXPECT_EQ(Add({"--mtime-only", "--retry-failed", "."})["updated"], 1);
  Write("report.pdf", MakePdf({"One page", "and another"}));
  EXPECT_EQ(Add()["updated"], 1);
  EXPECT_NE(Get("report.pdf").find("another"), std::string::npos);
}

TEST_F(DocumentsTest, KeepTheirPlacesWhenTheyAreLabelledAndMerged) {
  Write("report.pdf", MakePdf({"One page", "and another"}));
  Add();
  const std::string text = Get("report.pdf");
  Write("labels.jsonl",
        Json({{"path", "report.pdf"}, {"text", text}, {"tag", "read"}}).dump() + "\n");
  EXPECT_EQ(Add({"--jsonl", "labels.jsonl"})["refreshed"], 1);
  EXPECT_NE(Get("report.pdf@p2").find("and another"), std::string::npos);
  EXPECT_EQ(Add()["unchanged"], 1);
  ASSERT_EQ(Run({"--store", "other.db", "init"}).exit, 0);
  ASSERT_EQ(Run({"--store", "other.db", "merge", "recall.db"}).exit, 0);
  const RunResult merged = Run({"--store", "other.db", "get", "report.pdf@p2"});
  EXPECT_NE(merged.out.find("and another"), std::string::npos) << merged;
  const Json rows =
      Run({"query", "--json", "FROM chunk FILTER doc.path = 'report.pdf' SELECT chunk.text"})
          .Json()["results"];
  EXPECT_EQ(rows[0]["chunk"]["locator"]["kind"], "page") << rows;
}

TEST_F(DocumentsTest, WithoutTextSayWhy) {
  Write("scan.pdf", MakePdf({"", ""}));
  Write("broken.ipynb", "{ no notebook");
  Write("broken.pdf", "%PDF-1.4\n" + std::string(100, '\x01'));
  const RunResult added = Run({"add", "."});
  EXPECT_EQ(added.exit, 0) << added;
  EXPECT_NE(added.err.find("no text in scan.pdf (no_text): "), std::string::npos) << added;
  EXPECT_NE(added.err.find("no text in broken.ipynb (damaged): "), std::string::npos) << added;
  EXPECT_EQ(Outcomes("doc.extracted <> 'text'"),
            "broken.ipynb\tnotebook\tdamaged\nbroken.pdf\tpdf\tdamaged\n"
            "scan.pdf\tpdf\tno_text\n");
  EXPECT_EQ(Get("scan.pdf"), "");
  EXPECT_EQ(Run({"doctor"}).exit, 0);
}

// Sanitizers need more address space than the limit.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_F(DocumentsTest, MemoryLimitsReachTheExtractors) {
  std::string page = "<!doctype html><title>Herons</title><body>";
  while (page.size() < (12 << 20)) page += "<p><b>a</b><i>b</i>\n";
  Write("page.html", page);
  Write("report.pdf", MakePdf({"The bridge over the river"}));
  Write("letter.docx", MakeDocx({"# Greetings", "Dear heron"}));
  Write("net.py", "def retry():\n    pass\n");
  const RunResult small = Run({"add", "--memory-limit", "320MiB", "--threads", "4", "."});
  EXPECT_EQ(small.exit, 0) << small;
  EXPECT_NE(small.err.find("no text in page.html (too_large): extracting its text takes more than "
                           "256 MiB of memory"),
            std::string::npos)
      << small;
  EXPECT_EQ(Outcomes(),
            "letter.docx\tdocx\ttext\nnet.py\t\t\npage.html\thtml\ttoo_large\n"
            "report.pdf\tpdf\ttext\n");
  EXPECT_EQ(Add({"--retry-failed", "."})["extracted"]["text"], 1);
  EXPECT_EQ(Outcomes("doc.path = 'page.html'"), "page.html\thtml\ttext\n");
}
#endif

TEST_F(DocumentsTest, AreLeftAsTheyAreWithoutExtraction) {
  Write("report.pdf", MakePdf({"One page"}) + std::string(1, '\0'));
  Write("page.html", "<!doctype html><p>Teals</p>");
  const Json added = Add({"--no-extract", "."});
  EXPECT_EQ(added["added"], 1);
  EXPECT_EQ(added["skipped"], 1);
  EXPECT_EQ(Get("page.html"), "<!doctype html><p>Teals</p>");
  // Now they are extracted, and then they are text again.
  EXPECT_EQ(Add()["added"], 1);
  EXPECT_EQ(Outcomes("doc.path = 'page.html'"), "page.html\thtml\ttext\n");
  EXPECT_EQ(Add({"--no-extract", "page.html"})["updated"], 1);
  EXPECT_EQ(Get("page.html"), "<!doctype html><p>Teals</p>");
}

TEST_F(DocumentsTest, AreComparedWithTheirFiles) {
  const std::string pdf = MakePdf({"One page"});
  Write("report.pdf", pdf);
  Add();
  EXPECT_EQ(Verify("report.pdf", 0), "same");
  const RunResult original = Run({"get", "--original", "report.pdf"});
  EXPECT_EQ(original.out, pdf);
  Write("report.pdf", pdf + "\n% saved anew\n");
  EXPECT_EQ(Verify("report.pdf", 0), "same_text");
  EXPECT_EQ(Run({"get", "--original", "report.pdf"}).exit, 1);
  Write("report.pdf", MakePdf({"Another page"}));
  Verify("report.pdf", 1);
  fs::remove(Path("report.pdf"));
  Verify("report.pdf", 1);
}

TEST_F(DocumentsTest, InArchivesAndCompressedAreExtractedToo) {
  Write("papers.tar", MakeArchive("tar", {{"a/report.pdf", MakePdf({"In the archive"})}}));
  Write("plot.ipynb.gz", MakeArchive("gz", {{"", MakeNotebook({"# Packed"})}}));
  Add({"papers.tar", "plot.ipynb.gz"});
  EXPECT_EQ(Outcomes(), "papers.tar!/a/report.pdf\tpdf\ttext\nplot.ipynb.gz\tnotebook\ttext\n");
  EXPECT_NE(Get("papers.tar!/a/report.pdf@p1").find("In the archive"), std::string::npos);
  EXPECT_EQ(Verify("papers.tar!/a/report.pdf", 0), "same");
}

TEST_F(DocumentsTest, OfAMailboxAreItsMessagesAndTheirAttachments) {
  const std::string first =
      "From a@example.org Mon Jan  5 10:00:00 2026\n"
      "Message-ID: <one@example.org>\nSubject: Heron\n"
      "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=B\n\n"
      "--B\nContent-Type: text/plain\n\nIt waits.\n--B\n"
      "Content-Type: text/plain\nContent-Disposition: attachment; "
      "filename=otters.txt\n\nOtters swim.\n--B--\n\n";
  const std::string second =
      "From b@example.org Mon Jan  5 11:00:00 2026\n"
      "Message-ID: <two@example.org>\nIn-Reply-To: <one@example.org>\n"
      "Subject: Re: Heron\n\nIt has flown.\n";
  Write("box.mbox", first + second);
  EXPECT_EQ(Add()["added"], 3);
  EXPECT_EQ(Run({"query", "FROM doc SELECT doc.path, doc.meta.thread ORDER BY doc.path ASC"}).out,
            "box.mbox!/one@example.org.eml\tone@example.org\n"
            "box.mbox!/one@example.org.eml!/otters.txt\t\n"
            "box.mbox!/two@example.org.eml\tone@example.org\n");
  EXPECT_NE(Get("box.mbox!/one@example.org.eml!/otters.txt").find("Otters swim."),
            std::string::npos);
  EXPECT_EQ(Verify("box.mbox!/two@example.org.eml", 0), "same");
  EXPECT_EQ(Add()["unchanged"], 2);
  // A message that was deleted.
  Write("box.mbox", first);
  const Json synced = Add({"--sync", "."});
  EXPECT_EQ(synced["removed_paths"].dump(), R"(["box.mbox!/two@example.org.eml"])");
}

TEST_F(DocumentsTest, OfOutlookAreReadAloneAndInMail) {
  const std::string tnef = MakeTnef(
      TnefPropertiesOfMessage({TnefPropertyBytes(0x1E, 0x0037, "Ponds"),
                               TnefPropertyBytes(0x102, 0x1009, PackedRtf("{\\rtf1 The heron}"))}) +
      TnefFileBytes("report.pdf", MakePdf({"Forty eels"})));
  Write("winmail.dat", tnef);
  std::string text;
  AppendBase64(AsBytes(tnef), &text);
  Write("letter.eml",
        "Subject: x\nContent-Type: application/ms-tnef; name=winmail.dat\n"
        "Content-Transfer-Encoding: base64\n\n" +
            text + "\n");
  Add();
  EXPECT_EQ(Outcomes(),
            "letter.eml\tmail\ttext\nletter.eml!/report.pdf\tpdf\ttext\n"
            "winmail.dat\tmail\ttext\nwinmail.dat!/report.pdf\tpdf\ttext\n");
  EXPECT_EQ(Get("winmail.dat"), "# Ponds\n\nThe heron\n");
  EXPECT_NE(Get("winmail.dat!/report.pdf@p1").find("Forty eels"), std::string::npos);
}

TEST_F(DocumentsTest, CanBeExtractedByAProgramOfTheUser) {
  Write("own.toml",
        "[extractors.shout]\nsuffixes = ['.shout']\n"
        "command = ['sh', '-c', 'tr a-z A-Z; printf \"\\fsecond page\"']\n");
  Write("a.shout", std::string("quiet\0words", 11));
  EXPECT_EQ(Add({"--config", "own.toml", "a.shout"})["extracted"]["damaged"], 1);
  EXPECT_EQ(Outcomes(), "a.shout\tshout\tdamaged\n") << "the program wrote a NUL";
  Write("a.shout", "quiet words");
  Add({"--config", "own.toml", "a.shout"});
  EXPECT_EQ(Outcomes(), "a.shout\tshout\ttext\n");
  EXPECT_EQ(Get("a.shout@p1"), "QUIET WORDS\n");
  EXPECT_EQ(Get("a.shout@p2"), "second page\n");
  // A file beside the store names no programs.
  Write("recall.toml", "[extractors.shout]\nsuffixes = ['.shout']\ncommand = ['touch', 'ran']\n");
  Write("b.shout", "text");
  const RunResult added = Run({"add", "b.shout"});
  EXPECT_NE(added.err.find("only your own recall.toml may name programs"), std::string::npos)
      << added;
  EXPECT_EQ(Get("b.shout"), "text");
  EXPECT_FALSE(fs::exists(Path("ran")));
  Write("bad.toml", "[extractors.shout]\nsuffixes = ['shout']\ncommand = ['cat']\n");
  const RunResult bad = Run({"--config", "bad.toml", "add", "b.shout"});
  EXPECT_EQ(bad.exit, 2);
  EXPECT_NE(bad.err.find("a suffix begins with a dot"), std::string::npos) << bad;
}

TEST_F(DocumentsTest, WithPasswordsAreReadWithThem) {
  const std::string locked = DecodeBase64(kEncryptedPdfs[4].base64).value();
  Write("locked.pdf", locked);
  Write("other.pdf", MakePdf({"Teals dive"}));
  Write("letter.eml",
        "Subject: nest\nContent-Type: multipart/mixed; boundary=b\n\n--b\n"
        "Content-Type: application/pdf; name=nest.pdf\n"
        "Content-Transfer-Encoding: base64\n\n" +
            std::string(kEncryptedPdfs[2].base64) + "\n--b--\n");
  Add();
  const std::string is_pdf = "doc.format = 'pdf'";
  EXPECT_EQ(Outcomes(is_pdf),
            "letter.eml!/nest.pdf\tpdf\tencrypted\nlocked.pdf\tpdf\tencrypted\n"
            "other.pdf\tpdf\ttext\n");
  // A password that does not open it is no error of the others.
  Write("wrong.txt", "swordfish\nhaddock\n");
  Write("new.pdf", MakePdf({"Coots swim"}));
  const RunResult wrong = Run({"add", "--json", "--password-file", "wrong.txt", "."});
  EXPECT_EQ(wrong.exit, 0) << wrong;
  EXPECT_NE(wrong.out.find("none of the 2 passwords opens it"), std::string::npos) << wrong;
  EXPECT_EQ((wrong.out + wrong.err).find("swordfish"), std::string::npos) << wrong;
  EXPECT_EQ(Outcomes("doc.path = 'new.pdf'"), "new.pdf\tpdf\ttext\n");
  // A file of passwords is no document.
  Write("right.txt", "swordfish\nreed\n");
  Add({"--password-file", "right.txt", "."});
  EXPECT_EQ(Outcomes("doc.path = 'right.txt'"), "");
  EXPECT_EQ(Outcomes("doc.path = 'locked.pdf'"), "locked.pdf\tpdf\ttext\n");
  EXPECT_NE(Get("locked.pdf@p1").find("Herons nest"), std::string::npos);
  EXPECT_NE(Get("locked.pdf@p1").find("Comment (Ann): egrets (too)"), std::string::npos);
  EXPECT_EQ(Verify("locked.pdf", 0), "same");
  const RunResult missing = Run({"add", "--password-file", "absent.txt", "."});
  EXPECT_EQ(missing.exit, 1) << missing;
  EXPECT_NE(missing.err.find("cannot read the passwords of absent.txt"), std::string::npos);
}

TEST_F(DocumentsTest, WithPasswordsAreReadByTheSettingsOfTheUser) {
  Write("locked.pdf", DecodeBase64(kEncryptedPdfs[0].base64).value());
  Write("own.toml", "[passwords]\ncommand = ['printf', 'haddock\\nreed\\n']\n");
  Write("failing.toml", "[passwords]\ncommand = ['sh', '-c', 'echo reed; exit 3']\n");
  Write("file.toml", "[passwords]\nfile = '" + Path("words.txt") + "'\n");
  Write("words.txt", "owner\n");
  const RunResult failed = Run({"--config", "failing.toml", "add", "--json", "locked.pdf"});
  EXPECT_NE(failed.out.find("the command of the passwords failed"), std::string::npos) << failed;
  EXPECT_EQ(failed.out.find("reed"), std::string::npos) << failed;
  const std::string is_pdf = "doc.format = 'pdf'";
  for (const std::string config : {"own.toml", "file.toml"}) {
    Add({"--config", config, "--reextract", config == "file.toml" ? "." : "locked.pdf"});
    EXPECT_EQ(Outcomes(is_pdf), "locked.pdf\tpdf\ttext\n") << config;
  }
  EXPECT_EQ(Outcomes("doc.path = 'words.txt'"), "") << "a file of passwords is no document";
  // A file beside the store names no programs.
  Write("recall.toml", "[passwords]\ncommand = ['touch', 'ran']\n");
  const RunResult added = Run({"add", "--reextract", "locked.pdf"});
  EXPECT_NE(added.err.find("passwords are ignored here"), std::string::npos) << added;
  EXPECT_FALSE(fs::exists(Path("ran")));
  EXPECT_EQ(Outcomes(is_pdf), "locked.pdf\tpdf\tencrypted\n");
  Write("bad.toml", "[passwords]\nfile = 'words.txt'\n");
  const RunResult bad = Run({"--config", "bad.toml", "add", "locked.pdf"});
  EXPECT_EQ(bad.exit, 2);
  EXPECT_NE(bad.err.find("file must be an absolute path"), std::string::npos) << bad;
}

TEST_F(DocumentsTest, DoNotDependOnLocaleTimeZoneAndThreads) {
  Write("report.pdf", MakePdf({"Eleven pages", "of eleven"}));
  Write("letter.docx", MakeDocx({"# A", "b", "c"}));
  const std::string one = RunShell(
                              "LC_ALL=C TZ=UTC recall add . --quiet --threads 1 && recall "
                              "export --out - | sed 1d",
                              directory())
                              .out;
  const std::string other =
      RunShell(
          "rm recall.db && recall init --quiet; LC_ALL=tr_TR.UTF-8 TZ=Asia/Tokyo recall add . "
          "--quiet --threads 4 && recall export --out - | sed 1d",
          directory())
          .out;
  EXPECT_NE(one.find("eleven"), std::string::npos);
  EXPECT_EQ(one, other);
}

}  // namespace
}  // namespace recall
