// Counts costs of a command that do not depend on the machine, for `NODE_OPTIONS=--require`: bytes that it allocates on
// its heap, collected ones included (sampled), durable writes, and gRPC messages. `served` messages pass between the
// command and processes that call it, which are programs; `called` ones between it and its plugins. At its end the
// command adds a line of JSON to the file CAIRN_COUNTED. CAIRN_COUNTED_PROFILE names a file for the profile of its
// allocations.
const fs = require('node:fs');
const http2 = require('node:http2');
const inspector = require('node:inspector');
const { syncBuiltinESMExports } = require('node:module');
const { isMainThread } = require('node:worker_threads');

const output = process.env.CAIRN_COUNTED;
/** Bytes between two samples. */
const INTERVAL = 16_384;
const counts = { heapBytes: 0, flushes: 0, served: 0, called: 0 };
/** Bytes before each message of a stream: a flag and the length. */
const PREFIX = 5;

if (isMainThread && output !== undefined && /[\\/]cairn\.cjs$/.test(process.argv[1] ?? '')) {
  const { appendFileSync, writeFileSync } = fs;
  for (const name of ['fsync', 'fsyncSync', 'fdatasync', 'fdatasyncSync']) count(fs, name);
  watchHandles();
  watchServers();
  watchConnections();
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

function watchServers() {
  for (const name of ['createServer', 'createSecureServer']) {
    const create = http2[name];
    http2[name] = (...args) => create(...args).prependListener('stream', (stream) => watch(stream, 'served'));
  }
}

function watchConnections() {
  const { connect } = http2;
  http2.connect = (...args) => {
    const session = connect(...args);
    const { request } = session;
    session.request = (...headers) => {
      const stream = request.apply(session, headers);
      watch(stream, 'called');
      return stream;
    };
    return session;
  };
}

/** Counts the messages of a stream in both directions. A message that is sent is one write. */
function watch(stream, kind) {
  for (const name of ['write', 'end']) {
    const original = stream[name];
    stream[name] = (...args) => {
      if (args[0] instanceof Uint8Array) counts[kind] += 1;
      return original.apply(stream, args);
    };
  }
  let rest = Buffer.alloc(0);
  stream.on('data', (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= PREFIX && rest.length >= PREFIX + rest.readUInt32BE(1)) {
      counts[kind] += 1;
      rest = rest.subarray(PREFIX + rest.readUInt32BE(1));
    }
  });
}
