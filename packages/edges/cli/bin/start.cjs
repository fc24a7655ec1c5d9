'use strict';
try {
  require('../dist/start.cjs').runProcess();
} catch (error) {
  process.stderr.write(`error[CAIRN-INTERNAL]: the cairn command is not built: ${error.message}\n`);
  process.exitCode = 255;
}
