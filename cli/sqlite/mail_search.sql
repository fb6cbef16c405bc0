-- Letters that answer a question, with what a table of contacts says about those who wrote them.
--
--     recall init && recall add inbox.mbox
--     sqlite3 -box -cmd '.load recall' -cmd '.parameter set :question "unpaid invoices"' contacts.db <mail_search.sql
--
-- A letter has its headers as metadata (docs/formats.md). `from` is "Ann Lee <ann@example.org>", or the address alone.

ATTACH 'recall.db' AS mail;

CREATE TABLE IF NOT EXISTS contact(address TEXT PRIMARY KEY, name TEXT, company TEXT);

WITH letter AS (
  SELECT rank, path, snippet, meta ->> '$.date' AS date, meta ->> '$.subject' AS subject,
         rtrim(substr(meta ->> '$.from', instr(meta ->> '$.from', '<') + 1), '>') AS address
  FROM recall_search(:question, 20, 'doc.meta.format = ''mail''', 'mail')
)
SELECT substr(letter.date, 1, 10) AS date, coalesce(contact.name, letter.address) AS sender, contact.company,
       letter.subject, letter.snippet
FROM letter LEFT JOIN contact ON contact.address = letter.address
ORDER BY letter.rank;
