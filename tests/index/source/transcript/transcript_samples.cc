#include <sqlite3.h>

#include "tests/index/source/transcript/transcript_fixture.h"

namespace recall {
namespace {

SampleTranscript ClaudeSample() {
  return {"claude-code", "3f2a.jsonl",
          R"({"type":"summary","summary":"Login","leafUuid":"a2"}
{"type":"user","uuid":"u1","sessionId":"0old","timestamp":"2026-02-25T09:00:00Z","cwd":"/w","message":{"role":"user","content":"Before"}}
{"type":"user","uuid":"u2","sessionId":"3f2a","timestamp":"2026-02-25T10:00:00Z","cwd":"/w","gitBranch":"main","message":{"role":"user","content":[{"type":"text","text":"Why? \u00e9\ud83d\ude00"}]}}
{"type":"assistant","uuid":"a1","sessionId":"3f2a","timestamp":"2026-02-25T10:00:01Z","message":{"id":"m1","model":"claude","content":[{"type":"text","text":"I look."}]}}
{"type":"assistant","uuid":"a2","sessionId":"3f2a","timestamp":"2026-02-25T10:00:02Z","message":{"id":"m1","model":"claude","content":[{"type":"tool_use","id":"t","name":"Edit","input":{"file_path":"/w/a.go","old_string":"{\"}","new_string":"x"}}]}}
{"type":"user","uuid":"u3","sessionId":"3f2a","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"done"}]},"toolUseResult":{"filePath":"/w/a.go"}}
{"type":"assistant","uuid":"a3","sessionId":"3f2a","timestamp":"2026-02-25T10:00:03Z","message":{"id":"m1","model":"claude","content":[{"type":"text","text":"Done."}]}}
{"type":"system","subtype":"turn_duration","sessionId":"3f2a"}
{"type":"user","uuid":"u4","sessionId":"3f2a","message":{"role":"user","content":"Thanks"}}
)",
          false};
}

SampleTranscript CodexSample() {
  return {
      "codex", "rollout-2026-02-25T10-00-00-0199f3c2-0000-7000-8000-000000000001.jsonl",
      R"({"timestamp":"2026-02-25T10:00:00Z","type":"session_meta","payload":{"id":"0199f3c2-0000-7000-8000-000000000001","cwd":"/w","git":{"branch":"main"}}}
{"timestamp":"2026-02-25T10:00:01Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"Why?"}]}}
{"timestamp":"2026-02-25T10:00:01Z","type":"event_msg","payload":{"type":"user_message","message":"Why?"}}
{"timestamp":"2026-02-25T10:00:02Z","type":"response_item","payload":{"type":"function_call","name":"shell","arguments":"{\"command\":[\"ls\",\"-l\"]}"}}
{"timestamp":"2026-02-25T10:00:03Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"So."}]}}
{"timestamp":"2026-02-25T10:00:03Z","type":"event_msg","payload":{"type":"agent_message","message":"So."}}
)",
      false};
}

SampleTranscript CopilotSample() {
  return {
      "copilot", "session-state/c1/events.jsonl",
      R"({"type":"session.start","data":{"sessionId":"c1","context":{"cwd":"/w"}},"timestamp":"2026-02-25T10:00:00Z"}
{"type":"user.message","data":{"content":"Why?"},"timestamp":"2026-02-25T10:00:01Z"}
{"type":"assistant.message","data":{"messageId":"m","content":"So.","toolRequests":[{"toolCallId":"t","name":"edit","arguments":{"path":"a"}}]}}
{"type":"tool.execution_start","data":{"toolCallId":"t","toolName":"edit","arguments":{"path":"a"}}}
)",
      false};
}

SampleTranscript GeminiSample() {
  return {"gemini", "chats/session-a.jsonl",
          R"({"sessionId":"g1","projectHash":"h","startTime":"2026-02-25T10:00:00Z"}
{"id":"1","type":"user","timestamp":"2026-02-25T10:00:01Z","content":"Why?"}
{"id":"2","type":"gemini","timestamp":"2026-02-25T10:00:02Z","content":"So","toolCalls":[{"name":"replace","args":{"file_path":"a"}}]}
{"id":"2","type":"gemini","timestamp":"2026-02-25T10:00:02Z","content":"So be it.","toolCalls":[{"name":"replace","args":{"file_path":"a"}}]}
{"$set":{"summary":"Title"}}
)",
          false};
}

}  // namespace

std::vector<SampleTranscript> SampleTranscripts() {
  return {
      ClaudeSample(),
      CodexSample(),
      CopilotSample(),
      GeminiSample(),
      {"gemini", "chats/session-b.json",
       R"({"sessionId":"g2","projectHash":"h","messages":[{"id":"1","type":"user","content":[{"text":"Why?"}]},{"id":"2","type":"gemini","content":"So."}]})",
       true},
      {"aider", ".aider.chat.history.md",
       "\n# aider chat started at 2026-02-25 10:00:00\n\n> Main model: m\n\n#### Why?  \n#### "
       "Really?\n\nSo.\n\n- a\n- b\n\n> Applied edit to a.go\n\n# aider chat started at 2026-02-26 "
       "10:00:00\n\n#### Again\n\nYes.\n",
       false},
      {"jsonl", "log.jsonl",
       R"({"session":"s","role":"human","text":"Why?","at":"2026-02-25T10:00:00Z"}
{"session":"s","role":"assistant","text":"So.","at":1772013601}
{"session":"s","tool":"Edit","path":"a.go"}
{"session":"t","role":"human","text":"Other"}
)",
       false}};
}

namespace {

void RunSql(const std::string& path, const std::string& sql) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  sqlite3* handle = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &handle), SQLITE_OK);
  char* error = nullptr;
  EXPECT_EQ(sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, &error), SQLITE_OK)
      << (error ? error : "");
  sqlite3_close(handle);
}

}  // namespace

void MakeOpenCodeDatabase(const std::string& path) {
  RunSql(path, R"(
CREATE TABLE session(id TEXT PRIMARY KEY, project_id TEXT, parent_id TEXT, directory TEXT, title TEXT,
                     version TEXT, time_created INTEGER, time_updated INTEGER);
CREATE TABLE message(id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, data TEXT);
CREATE TABLE part(id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, data TEXT);
INSERT INTO session VALUES('ses_1','p',NULL,'/work/app','Login','1.2',1772013600000,0),
  ('ses_2','p','ses_1','/work/app','New session - 2026','1.2',1772013600000,0),
  ('ses_3','p',NULL,'/work/app','Empty','1.2',1772013600000,0);
INSERT INTO message VALUES
  ('msg_2','ses_1',1772013602000,'{"role":"assistant","modelID":"claude","time":{"created":1772013602000}}'),
  ('msg_1','ses_1',1772013601000,'{"role":"user","time":{"created":1772013601000},"summary":{"title":"t"}}'),
  ('msg_3','ses_2',1772013603000,'{"role":"user","time":{"created":1772013603000}}'),
  ('msg_4','ses_1',1772013604000,'{"role":"assistant","summary":true}');
INSERT INTO part VALUES
  ('prt_1','msg_1','ses_1','{"type":"text","text":"Why does the login fail?"}'),
  ('prt_2','msg_1','ses_1','{"type":"text","text":"Called the Read tool","synthetic":true}'),
  ('prt_3','msg_2','ses_1','{"type":"step-start"}'),
  ('prt_4','msg_2','ses_1','{"type":"reasoning","text":"Hm"}'),
  ('prt_5','msg_2','ses_1','{"type":"text","text":"I edit."}'),
  ('prt_6','msg_2','ses_1','{"type":"tool","tool":"edit","callID":"c","state":{"status":"completed","input":{"filePath":"/work/app/a.go"},"output":"x"}}'),
  ('prt_7','msg_2','ses_1','{"type":"text","text":"Done."}'),
  ('prt_8','msg_3','ses_2','{"type":"text","text":"Look"}'),
  ('prt_9','msg_4','ses_1','{"type":"text","text":"Summary of all"}'),
  ('prt_a','msg_2','ses_1','{"type":"telepathy"}'),
  ('prt_b','msg_2','ses_1','no json');
)");
}

void MakeCursorDatabase(const std::string& path) {
  RunSql(path, R"(
CREATE TABLE ItemTable(key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
CREATE TABLE cursorDiskKV(key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
INSERT INTO ItemTable VALUES('composer.composerHeaders',
  '{"allComposers":[{"type":"head","composerId":"c1","name":"Login","workspaceIdentifier":{"id":"w","uri":{"fsPath":"/work/app","path":"/work/app","scheme":"file"}}}]}');
INSERT INTO cursorDiskKV VALUES
  ('composerData:c1','{"composerId":"c1","createdAt":1772013600000,"modelConfig":{"modelName":"default"},"fullConversationHeadersOnly":[{"bubbleId":"b2","type":1},{"bubbleId":"b1","type":2},{"bubbleId":"b3","type":2},{"bubbleId":"gone","type":2}]}'),
  ('bubbleId:c1:b1','{"bubbleId":"b1","type":2,"text":"I edit.","createdAt":"2026-02-25T10:00:02Z","modelInfo":{"modelName":"claude-4.5"}}'),
  ('bubbleId:c1:b2','{"bubbleId":"b2","type":1,"text":"Why does the login fail?","createdAt":"2026-02-25T10:00:01Z"}'),
  ('bubbleId:c1:b3','{"bubbleId":"b3","type":2,"text":"","thinking":{"text":"Hm"},"toolFormerData":{"name":"edit_file_v2","rawArgs":"{\"path\":\"/work/app/a.go\"}","status":"completed","result":"{}"}}'),
  ('bubbleId:c2:x','{"bubbleId":"x","type":1,"text":"Without a list","workspaceUris":["file:///work/my%20app"]}'),
  ('composerData:c2','{"composerId":"c2","name":"Second","fullConversationHeadersOnly":[{"bubbleId":"x"}]}'),
  ('composerData:old','{"composerId":"old","name":"Old","createdAt":1772013600000,"conversation":[{"type":1,"text":"Hello"},{"type":2,"text":"Hi"}]}'),
  ('composerData:empty','{"composerId":"empty"}'),
  ('composerData:gone',NULL),
  ('checkpointId:c1','not read');
)");
}

void MakeCursorWorkspace(const std::string& path) {
  RunSql(path, R"(
CREATE TABLE ItemTable(key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
INSERT INTO ItemTable VALUES
  ('composer.composerData','{"allComposers":[{"composerId":"old"}]}'),
  ('workbench.panel.aichat.view.aichat.chatdata','{"tabs":[{"tabId":"tab1","chatTitle":"Chat","bubbles":[{"type":"user","text":"Hello"},{"type":"ai","rawText":"Hi"}]}]}');
)");
}

void MakeCursorChat(const std::string& path) {
  // Ids are 32 times the same byte; a field of protobuf is its number, its size, and bytes.
  const auto id = [](char digit) { return std::string(64, digit); };
  std::string root = "1801";  // a number, of another field
  for (const char message : {'1', '2', '3', '4', '5', '6', '9'}) root += "0a20" + id(message);
  root += "4220" + id('7');
  const std::string uri = "66696c653a2f2f2f776f726b2f6d79253230617070";  // file:///work/my%20app
  root += "4a15" + uri;
  const auto blob = [&](char digit, const std::string& json) {
    return "INSERT INTO blobs VALUES('" + id(digit) + "', CAST('" + json + "' AS BLOB));\n";
  };
  RunSql(
      path,
      "CREATE TABLE blobs(id TEXT PRIMARY KEY, data BLOB);\n"
      "CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT);\n"
      "INSERT INTO meta VALUES('0', lower(hex('{\"agentId\":\"chat-1\",\"latestRootBlobId\":\"" +
          id('8') +
          "\",\"name\":\"Login\",\"mode\":\"default\",\"createdAt\":1772013600000,"
          "\"lastUsedModel\":\"sonnet-4\",\"blobEncryptionKey\":\"k\"}')));\n"
          "INSERT INTO blobs VALUES('" +
          id('8') + "', x'" + root + "');\n" +
          blob('1', R"({"role":"system","content":"You are an agent."})") +
          blob('2', R"({"role":"user","content":"<user_info>\nOS: linux\n</user_info>"})") +
          blob('3',
               R"({"role":"user","content":[{"type":"text","text":"<user_info>\nx\n</user_info>\n)"
               R"(<user_query>\nWhy does the login fail?\n</user_query>"}]})") +
          blob('4', R"({"id":"1","role":"assistant","content":[{"type":"reasoning","text":"Hm"},)"
                    R"({"type":"text","text":"I look."},{"type":"tool-call","toolCallId":"t",)"
                    R"("toolName":"Read","args":{"path":"/work/app/a.go"}}]})") +
          blob('5', R"({"role":"tool","id":"t","content":[{"type":"tool-result","toolName":"Read",)"
                    R"("result":"all of it"}]})") +
          blob('6', R"({"id":"1","role":"assistant","content":"The token has expired."})") +
          blob('9', "no JSON"));
}

}  // namespace recall
