'use strict';
// Preloaded into a command with --require: writes which files it opens and which scripts it compiles to the file that
// START_RECORD names, as JSON, when the command ends.
const fs = require('node:fs');
const vm = require('node:vm');

const record = process.env.START_RECORD;
if (record !== undefined && /cairn\.cjs$/.test(process.argv[1] ?? '')) {
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
  process.on('exit', () => writeFileSync(record, JSON.stringify({ files, scripts })));
}
