'use strict';
import('../dist/main.js').then(
  (main) => main.runProcess(),
  (error) => {
    process.stderr.write(`error[CAIRN-INTERNAL]: the cairn command is not built: ${error.message}\n`);
    process.exitCode = 255;
  },
);
