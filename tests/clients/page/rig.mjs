// A store, its server, and a browser whose pages must behave.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import puppeteer from 'puppeteer-core';

const { RECALL, CHROMIUM } = process.env;

// Makes a store with these files: {name: text}. Returns: its directory.
export function makeStore(files) {
  const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'recall-page-'));
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(directory, name)), { recursive: true });
    fs.writeFileSync(path.join(directory, name), text);
  }
  recall(directory, 'init');
  addTo(directory, ...Object.keys(files));
  return directory;
}

export const addTo = (directory, ...names) => recall(directory, 'add', '--', ...names);

export function recall(directory, ...args) {
  execFileSync(RECALL, args, { cwd: directory, stdio: ['ignore', 'ignore', 'inherit'] });
}

// A server of the store that has said where it listens.
export class Server {
  static async start(directory, options = [], env = {}) {
    const socket = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'recall-sock-')), 's');
    const child = spawn(RECALL, ['serve', '--json', '--socket', socket, ...options],
      { cwd: directory, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = await once(child.stdout, 'data');
    const { url, page } = JSON.parse(line).serve;
    return Object.assign(new Server(), { child, url, page, port: Number(new URL(url).port), socket });
  }

  async stop(signal = 'SIGTERM') {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      this.child.kill(signal);
      await once(this.child, 'exit');
    }
    fs.rmSync(path.dirname(this.socket), { recursive: true, force: true });
  }

  // Asks as a program does, over the Unix socket: the oracle of what the page shows.
  request(method, route, body) {
    return new Promise((resolve, reject) => {
      const request = http.request(
        { socketPath: this.socket, method, path: route, headers: body && { 'Content-Type': 'application/json' } },
        async (response) => {
          let text = '';
          for await (const part of response) text += part;
          resolve({ status: response.statusCode, text });
        });
      request.on('error', reject);
      request.end(body);
    });
  }

  async run(command, body) {
    return JSON.parse((await this.request('POST', `/v1/${command}`, JSON.stringify(body))).text);
  }
}

export const launch = () => puppeteer.launch({
  executablePath: CHROMIUM,
  args: process.getuid() === 0 ? ['--no-sandbox'] : [],
});

// Opens an empty tab with storage of its own, and closes it after the test. A test fails if the page
// throws, logs an error, or breaks its policy.
export async function openTab(browser, test, { width = 1200, height = 800 } = {}) {
  const context = await browser.createBrowserContext();
  const tab = await context.newPage();
  await tab.setViewport({ width, height });
  const faults = [];
  tab.on('pageerror', (error) => faults.push(`thrown: ${error.message}`));
  tab.on('console', (message) => {
    // The browser logs each status above 399, and each connection that fails.
    const isStatus = message.text().startsWith('Failed to load resource: ') && !message.text().includes('BLOCKED');
    if (['error', 'warn'].includes(message.type()) && !isStatus) faults.push(`logged: ${message.text()}`);
  });
  await tab.exposeFunction('reportViolation', (what) => faults.push(`violated: ${what}`));
  await tab.evaluateOnNewDocument(() => {
    document.addEventListener('securitypolicyviolation', (event) =>
      window.reportViolation(`${event.effectiveDirective} ${event.blockedURI} ${event.sample}`));
  });
  tab.faults = faults;
  test.after(async () => {
    await context.close();
    assert.deepEqual(faults, []);
  });
  return tab;
}

// Waits until `read`, in the page, gives `expected`; the test fails with the last value.
export async function becomes(tab, read, expected, ...args) {
  const deadline = Date.now() + 10_000;
  for (;;) {
    const value = await tab.evaluate(read, ...args);
    try {
      assert.deepEqual(value, expected);
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
    await tab.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  }
}

export const shows = (tab, selector) => tab.waitForSelector(selector, { visible: true, timeout: 10_000 });
export const hides = (tab, selector) => tab.waitForSelector(selector, { hidden: true, timeout: 10_000 });
export const textOf = (tab, selector) => tab.$eval(selector, (element) => element.textContent);
export const textsOf = (tab, selector) => tab.$$eval(selector, (elements) => elements.map((element) => element.textContent));

// What axe finds wrong with the page as it is shown: a text for each rule.
export async function axeFindings(tab) {
  const axe = fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  await tab.evaluate(axe);
  const { violations, passes } = await tab.evaluate(() => window.axe.run({ rules: { 'target-size': { enabled: true } } }));
  assert.ok(passes.length > 10);
  // Numbers of lines are as high as their lines, so they are not 24 pixels apart.
  for (const one of violations) if (one.id === 'target-size') one.nodes = one.nodes.filter(({ html }) => !html.includes('class="number"'));
  return violations.filter(({ nodes }) => nodes.length > 0).map(({ id, nodes }) => `${id} ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`)}`);
}

// What is wider than the window. A part that is moved within its place is not.
export const widerThanWindow = (tab) => tab.evaluate(() => [...document.querySelectorAll('body *')]
  .filter((element) => element.checkVisibility() && !element.closest('.graph svg, .rendered .table, .rendered pre')
    && element.getBoundingClientRect().right > innerWidth + 0.5)
  .map((element) => `${element.tagName}.${element.className}`));

// Sets the theme, without motion.
export const emulateScheme = (tab, scheme) => tab.emulateMediaFeatures([
  { name: 'prefers-color-scheme', value: scheme }, { name: 'prefers-reduced-motion', value: 'reduce' }]);
