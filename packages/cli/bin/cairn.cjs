#!/usr/bin/env node
'use strict';
// The version is answered before anything else is loaded, so that scripts can ask for it at the price of starting node.
const words = process.argv.slice(2);
if (words.length === 1 && (words[0] === 'version' || words[0] === '--version')) {
  process.stdout.write(`v${require('../package.json').version}\n`);
} else {
  import('../dist/main.js').then(
    (main) => main.runProcess(),
    (error) => {
      process.stderr.write(`error[CAIRN-INTERNAL]: the cairn command is not built: ${error.message}\n`);
      process.exitCode = 255;
    },
  );
}
