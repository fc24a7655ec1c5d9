'use strict';
// Preloaded into a command with --require: writes which files it opens and which scripts it compiles to the file that
// START_RECORD names, as JSON, when the command ends. For the process of its program, to that file with `.program`.
const fs = require('node:fs');
const path = require('node:path');
const { fileURLToPath } = require('node:url');
const vm = require('node:vm');

const main = process.argv[1] ?? '';
const ending = /cairn\.cjs$/.test(main)
  ? ''
  : /sdk.dist.(program\.cjs|run\.js)$/.test(main)
    ? '.program'
    : undefined;
if (
  process.env.START_RECORD !== undefined &&
  ending !== undefined &&
  require('node:worker_threads').isMainThread
) {
  const record = `${process.env.START_RECORD}${ending}`;
  const files = {};
  const scripts = [];
  const { openSync, readFileSync, statSync, writeFileSync } = fs;
  const note = (file) => {
    if (typeof file !== 'string' || file in files) return;
    files[file] = statSync(file, { throwIfNoEntry: false })?.size;
  };
  fs.openSync = (file, ...rest) => {
    note(file);
    return openSync(file, ...rest);
  };
  fs.readFileSync = (file, ...rest) => {
    note(file);
    return readFileSync(file, ...rest);
  };
  vm.Script = class extends vm.Script {
    constructor(text, options) {
      super(text, options);
      scripts.push({
        file: options.filename,
        isStored: options.cachedData !== undefined,
        isRejected: this.cachedDataRejected === true,
      });
    }
  };
  // Modules are read in a way that cannot be watched; all code that is compiled is reported.
  if (ending !== '') {
    const { Session } = require('node:inspector');
    const session = new Session();
    session.connect();
    session.on('Debugger.scriptParsed', ({ params: { url, length } }) => {
      if (url.startsWith('file:')) files[fileURLToPath(url)] = length;
      else if (path.isAbsolute(url)) files[url] = length;
    });
    session.post('Debugger.enable');
  }
  process.on('exit', () => writeFileSync(record, JSON.stringify({ files, scripts })));
}
