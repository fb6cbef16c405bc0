// Draws docs/pictures/page.webp from the page itself, over the documents of this repository:
// RECALL=build/release/recall CHROMIUM=chromium node build/clients/page/picture.mjs docs/pictures/page.webp
import fs from 'node:fs';
import { launch, makeStore, Server, shows } from './rig.mjs';

const names = ['README.md', ...fs.readdirSync('docs').filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`)];
const directory = makeStore(Object.fromEntries(names.map((name) => [name, fs.readFileSync(name, 'utf8')])));
const server = await Server.start(directory, ['--http', '0']);
const browser = await launch();
const tab = await browser.newPage();
await tab.setViewport({ width: 1200, height: 720 });
await tab.goto(server.url);
await tab.type('#query', 'how does a snapshot survive a commit');
await shows(tab, '.hit');
await tab.keyboard.press('ArrowDown');
await tab.keyboard.press('e');
await shows(tab, '.parts');
await tab.keyboard.press('Enter');
await shows(tab, '#document .cited');
await tab.screenshot({ path: process.argv[2], type: 'webp', quality: 85 });
await browser.close();
await server.stop();
fs.rmSync(directory, { recursive: true });
