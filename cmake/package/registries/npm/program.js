'use strict';
// Finds the program, the library and its addon: they are in the optional packages for this machine.
const manifest = require('./package.json');

const machine = `${process.platform}-${process.arch}`;
const PROGRAM = `${manifest.name}-`;
const LIBRARY = `${manifest.name.split('/')[0]}/librecall-`;

// The absolute path of a file of the package whose name begins with `prefix`. Throws an Error whose message says what is
// missing.
function pathOf(file, prefix, what) {
  const name = `${prefix}${machine}`;
  const known = Object.keys(manifest.optionalDependencies).filter((other) => other.startsWith(prefix));
  if (!known.includes(name)) {
    const machines = known.map((other) => other.slice(prefix.length)).join(' and ');
    throw new Error(`${manifest.name} ${manifest.version} has no ${what} for ${machine}, only for ${machines}`);
  }
  try {
    return require.resolve(`${name}/${file}`);
  } catch {
    const libc = manifest.glibc ? ` It needs the GNU C library ${manifest.glibc} or later (not musl).` : '';
    throw new Error(`the package ${name} is not installed; install ${manifest.name} without --omit=optional.${libc}`);
  }
}

const programPath = () => pathOf('bin/recall', PROGRAM, 'program');
const libraryPath = () => pathOf('lib/librecall.so.1', LIBRARY, 'library');
const addonPath = () => pathOf('lib/recall.node', LIBRARY, 'library');

module.exports = {addonPath, libraryPath, programPath, version: manifest.version};
