// Counts costs of a command that do not depend on the machine, for `NODE_OPTIONS=--require`: bytes that it allocates on
// its heap, collected ones included (sampled), and durable writes. At its end the command adds a line of JSON to the
// file CAIRN_COUNTED. CAIRN_COUNTED_PROFILE names a file for the profile of its allocations.
const fs = require('node:fs');
const inspector = require('node:inspector');
const { syncBuiltinESMExports } = require('node:module');
const { isMainThread } = require('node:worker_threads');

const output = process.env.CAIRN_COUNTED;
/** Bytes between two samples. */
const INTERVAL = 16_384;
const counts = { heapBytes: 0, flushes: 0 };

if (isMainThread && output !== undefined && /[\\/]cairn\.cjs$/.test(process.argv[1] ?? '')) {
  const { appendFileSync, writeFileSync } = fs;
  for (const name of ['fsync', 'fsyncSync', 'fdatasync', 'fdatasyncSync']) count(fs, name);
  watchHandles();
  syncBuiltinESMExports();
  const session = new inspector.Session();
  session.connect();
  session.post('HeapProfiler.startSampling', {
    samplingInterval: INTERVAL,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true,
  });
  process.once('exit', () => {
    session.post('HeapProfiler.stopSampling', (_, { profile }) => {
      counts.heapBytes = sizeOf(profile.head);
      if (process.env.CAIRN_COUNTED_PROFILE !== undefined)
        writeFileSync(process.env.CAIRN_COUNTED_PROFILE, JSON.stringify(profile));
    });
    appendFileSync(output, `${JSON.stringify(counts)}\n`);
  });
}

function sizeOf(node) {
  return node.children.reduce((sum, child) => sum + sizeOf(child), node.selfSize);
}

function count(of, name) {
  const original = of[name];
  of[name] = function (...args) {
    counts.flushes += 1;
    return original.apply(this, args);
  };
}

/** Flushes of handles, and writes to those whose writes are durable by themselves. */
function watchHandles() {
  const { open } = fs.promises;
  fs.promises.open = async (file, flags, ...rest) => {
    const handle = await open(file, flags, ...rest);
    const isDurable = typeof flags === 'number' && (flags & fs.constants.O_DSYNC) === fs.constants.O_DSYNC;
    for (const name of isDurable ? ['write', 'writev', 'appendFile'] : ['sync', 'datasync'])
      count(handle, name);
    return handle;
  };
}
