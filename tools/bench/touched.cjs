// Counts what a Node process touches, for `NODE_OPTIONS=--require`: code files, and below the folder
// CAIRN_TOUCHED_STORE directories, files and flushes. At its end the process adds a line of JSON to the file
// CAIRN_TOUCHED.
const fs = require('node:fs');
const inspector = require('node:inspector');
const { syncBuiltinESMExports } = require('node:module');
const path = require('node:path');
const { fileURLToPath } = require('node:url');
const { isMainThread } = require('node:worker_threads');

const output = process.env.CAIRN_TOUCHED;
const store = process.env.CAIRN_TOUCHED_STORE;
const CODE = /\.(?:[cm]?js|json|node|ts)$/;
const OPENS = ['open', 'openSync', 'readFile', 'readFileSync'];
const LISTS = ['readdir', 'readdirSync', 'opendir', 'opendirSync'];
const ASKS = ['stat', 'statSync', 'lstat', 'lstatSync', 'access', 'accessSync', 'existsSync'];
const FLUSHES = ['fsync', 'fsyncSync', 'fdatasync', 'fdatasyncSync'];

const code = new Set();
const counts = { directories: 0, files: 0, attributes: 0, flushes: 0 };

if (isMainThread && output !== undefined) {
  const { appendFileSync, statSync } = fs;
  const nameOf = (of) => (of instanceof URL ? fileURLToPath(of) : typeof of === 'string' ? of : undefined);
  const isInStore = (file) =>
    store !== undefined && (file === store || file.startsWith(`${store}${path.sep}`));
  const opened = (of) => {
    const file = nameOf(of);
    if (file === undefined) return;
    if (isInStore(path.resolve(file))) counts.files += 1;
    else if (CODE.test(file)) code.add(path.resolve(file));
  };
  const inStore = (key) => (of) => {
    const file = nameOf(of);
    if (file !== undefined && isInStore(path.resolve(file))) counts[key] += 1;
  };
  // A file is opened by one of these only: those that read a whole file do not call the ones that open it.
  watch(fs, OPENS, opened);
  watch(fs.promises, OPENS, opened);
  for (const of of [fs, fs.promises]) {
    watch(of, LISTS, inStore('directories'));
    watch(of, ASKS, inStore('attributes'));
  }
  watch(fs, FLUSHES, () => (counts.flushes += 1));
  watchHandles();
  syncBuiltinESMExports();
  // Modules that Node reads by itself: every script has its file.
  const session = new inspector.Session();
  session.connect();
  session.on('Debugger.scriptParsed', ({ params: { url } }) => {
    const file = url.startsWith('file:') ? fileURLToPath(url) : url;
    if (path.isAbsolute(file) && file !== __filename) code.add(file);
  });
  session.post('Debugger.enable');
  process.once('exit', () => {
    session.disconnect();
    const sizes = [...code].map((file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0);
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    const line = { command: process.argv[1], codeFiles: code.size, codeBytes: bytes, ...counts };
    appendFileSync(output, `${JSON.stringify(line)}\n`);
  });
}

function watch(of, names, see) {
  for (const name of names) {
    const original = of[name];
    if (typeof original !== 'function') continue;
    of[name] = function (...args) {
      see(args[0]);
      return original.apply(this, args);
    };
    Object.assign(of[name], original);
  }
}

/** Flushes of handles, whose class is known once there is one. */
function watchHandles() {
  const { open } = fs.promises;
  let isWatched = false;
  fs.promises.open = async (...args) => {
    const handle = await open(...args);
    if (!isWatched) watch(Object.getPrototypeOf(handle), ['sync', 'datasync'], () => (counts.flushes += 1));
    isWatched = true;
    return handle;
  };
}
