// node compare.mjs PROGRAM COUNT SEED: messages in many character sets and encodings, some of them broken, are read by
// PROGRAM (extract_mail) and by mailparser, which must agree on text, subject, sender, date, ids and attachments.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import iconv from 'iconv-lite';
import { simpleParser } from 'mailparser';
import { Random, sentence } from './random_values.mjs';

const [program, count, seed] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
const random = new Random(seed);
const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'mail-'));

const latin = ['Grüße', 'naïve', 'café', 'plain', 'words', 'and', 'more', 'of', 'them', 'a=b', 'end.'];
const cyrillic = ['Привет', 'мир', 'это', 'текст', 'words', 'и', 'ещё', 'конец.'];
const greek = ['καλημέρα', 'κόσμε', 'words', 'και'];
const polish = ['zażółć', 'gęślą', 'jaźń', 'words'];
const japanese = ['日本語', 'テスト', 'ひらがな', 'words', '表示'];
const chinese = ['中文', '简体', '这是', 'words'];
const charsets = [['utf-8', latin], ['utf-8', cyrillic], ['iso-8859-1', latin], ['ISO-8859-15', latin], ['windows-1252', latin], ['koi8-r', cyrillic],
  ['windows-1251', cyrillic], ['iso-8859-5', cyrillic.filter(word => word !== 'ещё')], ['iso-8859-7', greek], ['windows-1253', greek],
  ['iso-8859-2', polish], ['windows-1250', polish], ['cp866', cyrillic], ['koi8-u', cyrillic], ['shift_jis', japanese], ['euc-jp', japanese],
  ['gbk', chinese], ['gb2312', chinese], ['big5', ['中文', '漢字', '這是', 'words']], ['euc-kr', ['한글', '안녕하세요', 'words']]];

const wrapBase64 = bytes => bytes.toString('base64').replace(/.{76}/g, '$&\r\n');
const quoted = bytes => Array.from(bytes, byte => (byte === 10 || byte === 13 || (byte >= 32 && byte < 127 && byte !== 61) ? String.fromCharCode(byte)
  : '=' + byte.toString(16).toUpperCase().padStart(2, '0'))).join('').replace(/[^\r\n]{60}[^=\r\n]{3}(?=[^\r\n])/g, '$&=\r\n');

function encodedWord(text, charset) {
  return text.split(' ').map((word, i) => {
    const bytes = iconv.encode(i ? ' ' + word : word, charset);
    if (random.chance(0.5)) return `=?${charset}?B?${bytes.toString('base64')}?=`;
    return `=?${charset}?q?${Array.from(bytes, byte => (/[A-Za-z0-9]/.test(String.fromCharCode(byte)) ? String.fromCharCode(byte)
      : byte === 32 ? '_' : '=' + byte.toString(16).padStart(2, '0'))).join('')}?=`;
  }).join(random.pick([' ', '\r\n ', '\r\n\t']));
}

function body(text, charset, subtype) {
  const bytes = iconv.encode(text, charset);
  const encoding = random.pick(['8bit', 'base64', 'quoted-printable', 'BASE64']);
  const content = /base64/i.test(encoding) ? Buffer.from(wrapBase64(bytes)) : encoding === '8bit' ? bytes : Buffer.from(quoted(bytes));
  const name = random.pick([charset, charset.toUpperCase(), `"${charset}"`]);
  return Buffer.concat([Buffer.from(`Content-Type: text/${subtype}; charset=${name}\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n`), content,
    Buffer.from('\r\n')]);
}

function make() {
  const [charset, list] = random.pick(charsets);
  const text = Array.from({ length: 1 + random.below(8) }, () => sentence(random, 10, list)).join('\r\n');
  const chunks = [`From: ${encodedWord(sentence(random, 2, list), charset)} <a@example.org>\r\n`, `Subject: ${encodedWord(sentence(random, 9, list), charset)}\r\n`,
    `Date: ${random.pick(['Fri, 27 Nov 2026 08:41:18 +0130', '27 Nov 2026 08:41:18 -0800', 'Fri, 27 Nov 2026 08:41:18 GMT', '7 Nov 1999 08:41 +0000'])}\r\n`,
    `Message-ID: <${random.below(1e9)}@x>\r\n`, 'MIME-Version: 1.0\r\n'];
  const kind = random.below(5);
  const boundary = random.pick(['b', '=_x:y', '----=_Part', 'a b', "q'()+_,-./:=?"]);
  const file = random.bytes(random.below(500));
  const fileName = random.pick(["filename=a.bin", 'filename="a b;c.bin"', "filename*=utf-8''%C3%A9%20x.bin", "filename*0=\"long\"; filename*1=\"name.bin\"",
    `filename="${encodedWord('é.bin', 'utf-8').replace(/\r\n\s/g, ' ')}"`]);
  const attachment = Buffer.from(`Content-Type: application/octet-stream\r\nContent-Disposition: attachment; ${fileName}\r\nContent-Transfer-Encoding: base64\r\n\r\n${wrapBase64(file)}\r\n`);
  const multipart = (subtype, parts, bound) => [`Content-Type: multipart/${subtype};\r\n boundary="${bound}"\r\n\r\n`,
    random.chance(0.3) ? 'preamble\r\n' : '', ...parts.flatMap(part => [`--${bound}\r\n`, part]), random.chance(0.8) ? `--${bound}--\r\n` : ''];
  const plain = body(text, charset, 'plain');
  if (kind === 0) chunks.push(plain);
  if (kind === 1) chunks.push(...multipart('mixed', [plain, attachment], boundary));
  if (kind === 2) chunks.push(...multipart('alternative', [plain, body('<b>html</b>', charset, 'html')], boundary));
  if (kind === 3) {
    const inner = multipart('alternative', [plain, body('<b>html</b>', charset, 'html')], boundary + 'x');
    chunks.push(...multipart('mixed', [Buffer.concat(inner.map(chunk => Buffer.from(chunk))), attachment, attachment], boundary));
  }
  if (kind === 4) chunks.push(...multipart('signed', [plain, 'Content-Type: application/pgp-signature\r\n\r\nxx\r\n'], boundary));
  return Buffer.concat(chunks.map(chunk => Buffer.from(chunk)));
}

const paths = [];
for (let i = 0; i < count; ++i) {
  paths.push(path.join(dir, `${i}.eml`));
  fs.writeFileSync(paths.at(-1), make());
}
const lines = [];
for (let start = 0; start < count; start += 100) {
  lines.push(...execFileSync(program, paths.slice(start, start + 100), { maxBuffer: 1 << 30 }).toString().trimEnd().split('\n'));
}
const normal = text => (text ?? '').replace(/\r/g, '').replace(/[ \t]+$/gm, '').trim();
let failures = 0;
for (let i = 0; i < count; ++i) {
  const got = JSON.parse(lines[i]);
  const other = await simpleParser(fs.readFileSync(paths[i]), { skipHtmlToText: true, skipTextToHtml: true });
  const files = other.attachments.filter(file => file.contentType !== 'application/pgp-signature');
  const pairs = {
    text: [got.spans.filter(span => span.range !== 'header').map(span => normal(span.text)).join('\n'), normal(other.text)],
    subject: [got.meta.subject[0], other.subject.replace(/\s+/g, ' ')],
    from: [got.meta.from[0], `${other.from.value[0].name.replace(/\s+/g, ' ')} <a@example.org>`],
    date: [got.meta.date[0], other.date.toISOString().replace('.000', '')],
    id: [`<${got.meta.message_id}>`, other.messageId],
    names: [got.files.map(file => file.name), files.map(file => file.filename)],
    files: [got.files.map(file => file.bytes), files.map(file => file.content.toString('base64'))],
  };
  for (const [what, [ours, theirs]] of Object.entries(pairs)) {
    if (JSON.stringify(ours) === JSON.stringify(theirs)) continue;
    if (++failures <= 10) console.error(JSON.stringify({ path: paths[i], what, ours, theirs }).slice(0, 1500));
  }
}
console.log(`${count} messages beside mailparser, ${failures} differences`);
if (failures > 0) process.exit(1);
fs.rmSync(dir, { recursive: true });
