#!/usr/bin/env node
'use strict';
// Any Node can read this file: code that needs a recent one is loaded only there.
var words = process.argv.slice(2);
var own = require('../package.json');

/** Tells whether a version is at least the one that package.json requires, e.g. `>=20.19.0`. */
function isRecent(version, wanted) {
  var have = version.split('.').map(Number);
  var need = wanted.replace(/^>=/, '').split('.').map(Number);
  for (var part = 0; part < 3; part += 1) if (have[part] !== need[part]) return have[part] > need[part];
  return true;
}

// The version is answered before anything else is loaded, so that scripts can ask for it at the price of starting node.
// Under another name (`cairn alias`) the answer differs.
var isOwnName = /[\\/]cairn(\.cjs)?$/.test(process.argv[1]);
if (isOwnName && words.length === 1 && (words[0] === 'version' || words[0] === '--version')) {
  process.stdout.write('v' + own.version + '\n');
} else if (!isRecent(process.versions.node, own.engines.node)) {
  process.stderr.write(
    'error[CAIRN-NODE-VERSION]: Cairn needs Node ' +
      own.engines.node.replace('>=', '') +
      ' or later; this is Node ' +
      process.versions.node +
      ' (' +
      process.execPath +
      ')\n',
  );
  process.exitCode = 2;
} else {
  require('./start.cjs');
}
