// Writes DOCX files of random texts, as tests/clients/office does: node make_docx.mjs OUT FILES
// Runs in the folder of build/clients_office, beside the scripts and packages of tests/clients/office.
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {Random} from './known_documents.mjs';
import {makers} from './office_makers.mjs';

const [out, files] = process.argv.slice(2);
mkdirSync(out, {recursive: true});
for (let i = 0; i < Number(files); i += 1) {
  const {bytes} = await makers.docx(new Random(7000 + i));
  writeFileSync(join(out, `${i}.docx`), bytes);
}
