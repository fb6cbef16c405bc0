'use strict';
// The package, for require().
const {programPath, version} = require('./program.js');
const {DocumentSet, Store, libraryVersion, open, openSync} = require('./node_stores.js');
const {RecallError} = require('./values.js');

module.exports = {DocumentSet, RecallError, Store, libraryVersion, open, openSync, programPath, version};
