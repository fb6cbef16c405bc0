'use strict';
// Finds the program: it is in the optional package for this machine.
const manifest = require('./package.json');

const machine = `${process.platform}-${process.arch}`;
const package_of = (name) => `${manifest.name}-${name}`;

// The absolute path. Throws an Error whose message says what is missing.
function programPath() {
  const name = package_of(machine);
  const known = Object.keys(manifest.optionalDependencies);
  if (!known.includes(name)) {
    const machines = known.map((other) => other.slice(package_of('').length)).join(' and ');
    throw new Error(`${manifest.name} ${manifest.version} has no program for ${machine}, only for ${machines}`);
  }
  try {
    return require.resolve(`${name}/bin/recall`);
  } catch {
    const libc = manifest.glibc ? ` It needs the GNU C library ${manifest.glibc} or later (not musl).` : '';
    throw new Error(`the package ${name} is not installed; install ${manifest.name} without --omit=optional.${libc}`);
  }
}

module.exports = {programPath, version: manifest.version};
