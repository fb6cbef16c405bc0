// node roundtrip.mjs PROGRAM COUNT SEED: nodemailer writes COUNT random messages; PROGRAM (extract_mail) must read back
// all texts in order, the bytes and names of all attachments, and the header.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import MailComposer from 'nodemailer/lib/mail-composer/index.js';
import { paragraphs, Random, sentence } from './random_values.mjs';

const [program, count, seed] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
const random = new Random(seed);
const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'mail-'));

const oneLine = text => text.replace(/\s+/g, ' ').trim();
// Spaces at the end of lines do not survive quoted-printable and format=flowed.
const normal = text => text.replace(/[ \t]+$/gm, '').replace(/^\n+|\n+$/g, '');

const names = ['Ann', 'Bärbel Groß', 'Иван', 'Doe, John', 'O"Neil', '田中', ''];
function address() {
  const name = random.pick(names);
  return { name, address: `${random.pick(['a', 'b.c', 'x+y', 'long.name'])}${random.below(100)}@example.org` };
}
const shown = ({ name, address: at }) => (name ? `${oneLine(name)} <${at}>` : at);
const fileNames = ['a.txt', 'Bericht für März.pdf', 'данные.csv', 'a "b".bin', 'very-long-' + 'name-'.repeat(30) + '.zip', 'semi;colon.doc',
  '日本語.pdf', "it's.tar.gz", 'percent%20.txt'];

function addContent(mail, expected, depth) {
  const text = paragraphs(random);
  mail.textEncoding = random.pick(['quoted-printable', 'base64', undefined]);
  const kind = random.below(4);
  const html = `<p>${'html'}</p><p>only ${random.below(1000)}</p>`;
  if (kind !== 1) {
    mail.text = text;
    expected.texts.push(text);
  }
  if (kind === 1 || kind === 2) mail.html = html;
  // Without a word in the plain text, the HTML is read.
  if (kind === 1 || (kind === 2 && !text.trim())) expected.texts.push(html.replace(/<\/p><p>/, '\n\n').replace(/<\/?p>/g, ''));
  mail.attachments = [];
  for (let i = random.below(4); i > 0; --i) {
    const filename = random.pick(fileNames);
    const bytes = random.bytes(random.below(3000));
    const contentType = random.pick(['application/pdf', 'application/octet-stream', 'image/png', 'text/plain', undefined]);
    mail.attachments.push({ filename, content: bytes, contentType, contentDisposition: 'attachment' });
    expected.files.push({ name: oneLine(filename), bytes });
  }
  if (mail.html && random.chance(0.3)) {
    mail.attachments.push({ filename: 'inline.png', content: random.bytes(100), cid: 'image@x', contentDisposition: 'inline' });
  }
  // A part alone would replace the whole message.
  if (depth > 0 && (mail.text || mail.html) && random.chance(0.4)) mail.nested = depth;
}

async function compose(depth, expected) {
  const mail = {
    from: address(), to: Array.from({ length: 1 + random.below(4) }, address), cc: Array.from({ length: random.below(3) }, address),
    subject: sentence(random, 20), date: new Date(Date.UTC(1990 + random.below(60), random.below(12), 1 + random.below(28), random.below(24), random.below(60), random.below(60))),
    messageId: `<m${random.below(1e9)}@example.org>`,
  };
  if (random.chance(0.5)) mail.inReplyTo = '<r1@example.org>';
  if (random.chance(0.5)) mail.references = ['<r0@example.org>', '<r1@example.org>'];
  addContent(mail, expected, depth);
  const nested = mail.nested;
  delete mail.nested;
  if (nested) {
    const inner = { texts: [], files: [] };
    const raw = await compose(nested - 1, inner);
    mail.attachments.push({ raw: Buffer.concat([Buffer.from('Content-Type: message/rfc822\r\n\r\n'), raw]) });
    expected.texts.push(...inner.texts);
    expected.files.push(...inner.files);
  }
  expected.mail = mail;
  return new Promise((resolve, reject) => {
    new MailComposer(mail).compile().build((error, raw) => (error ? reject(error) : resolve(raw)));
  });
}

const expectations = [];
for (let i = 0; i < count; ++i) {
  const expected = { texts: [], files: [], path: path.join(dir, `${i}.eml`) };
  let raw = await compose(3, expected);
  if (random.chance(0.5)) raw = Buffer.from(raw.toString('latin1').replace(/\r\n/g, '\n'), 'latin1');
  fs.writeFileSync(expected.path, raw);
  expectations.push(expected);
}

const failures = [];
for (let start = 0; start < count; start += 100) {
  const part = expectations.slice(start, start + 100);
  const lines = execFileSync(program, part.map(one => one.path), { maxBuffer: 1 << 30 }).toString().trimEnd().split('\n');
  part.forEach((expected, i) => {
    const got = JSON.parse(lines[i]);
    const { mail } = expected;
    const check = (what, a, b) => {
      const [one, other] = [JSON.stringify(a) ?? '', JSON.stringify(b) ?? ''];
      if (one === other) return;
      let at = 0;
      while (one[at] === other[at]) ++at;
      const near = text => text.slice(Math.max(0, at - 60), at + 60);
      failures.push({ path: expected.path, what, got: near(one), expected: near(other) });
    };
    check('outcome', [got.outcome, got.broken, got.warnings], [0, '', []]);
    check('texts', got.spans.filter(span => !span.range.endsWith('header')).map(span => normal(span.text)), expected.texts.map(normal).filter(text => text));
    check('files', got.files.map(file => file.name), expected.files.map(file => file.name));
    check('bytes', got.files.map(file => file.bytes), expected.files.map(file => file.bytes.toString('base64')));
    check('subject', got.meta.subject, [oneLine(mail.subject)]);
    check('from', got.meta.from, [shown(mail.from)]);
    check('to', got.meta.to, mail.to.map(shown));
    check('cc', got.meta.cc ?? [], mail.cc.map(shown));
    check('date', got.meta.date, [mail.date.toISOString().replace('.000', '')]);
    check('id', got.meta.message_id, [mail.messageId.slice(1, -1)]);
    check('in reply to', got.meta.in_reply_to, mail.inReplyTo && ['r1@example.org']);
    check('references', got.meta.references, mail.references && ['r0@example.org', 'r1@example.org']);
    check('thread', got.meta.thread, [mail.references ? 'r0@example.org' : mail.inReplyTo ? 'r1@example.org' : mail.messageId.slice(1, -1)]);
  });
}
for (const failure of failures.slice(0, 10)) console.error(JSON.stringify(failure));
console.log(`${count} messages of nodemailer, ${failures.length} differences`);
if (failures.length > 0) process.exit(1);
fs.rmSync(dir, { recursive: true });
