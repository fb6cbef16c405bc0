#!/usr/bin/env node
'use strict';
// Runs the program with the arguments, the streams, the signals and the exit status of this process.
const {spawn} = require('node:child_process');
const {readFileSync} = require('node:fs');
const {constants} = require('node:os');
const {programPath} = require('./program.js');

// As a shell says that there is no such program. Recall itself never ends with this status.
const NOT_FOUND = 127;

function fail(message) {
  process.stderr.write(`recall: ${message}\n`);
  process.exitCode = NOT_FOUND;
}

// Whether this process is in the foreground of a terminal: Ctrl-C then reaches the program, too.
function inForeground() {
  try {
    const stat = readFileSync('/proc/self/stat', 'latin1');
    // Behind the name, which may have any characters: state, parent, group, session, terminal, group in its foreground.
    const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return group === foreground;
  } catch {
    return false;
  }
}

function run(program) {
  const child = spawn(program, process.argv.slice(2), {stdio: 'inherit'});
  const handlers = {};
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT']) {
    const typed = signal === 'SIGINT' || signal === 'SIGQUIT';
    handlers[signal] = () => {
      // A second interrupt would end the program without waiting for its transaction.
      if (!typed || !inForeground()) child.kill(signal);
    };
    process.on(signal, handlers[signal]);
  }
  child.on('error', (error) => fail(`cannot start ${program}: ${error.message}`));
  child.on('exit', (status, signal) => {
    for (const [name, handler] of Object.entries(handlers)) process.off(name, handler);
    process.exitCode = signal ? 128 + constants.signals[signal] : status;
    if (signal) process.kill(process.pid, signal);
  });
}

let path;
try {
  path = programPath();
} catch (error) {
  fail(error.message);
}
if (path) run(path);
