import { openBlobStore } from '@cairn/blobs';
import { startS3Server } from '@cairn/testkit/servers';
import type { BucketBackend } from '../src/index.js';
import { operate } from './operations.js';
import { DEV, Recorder, newStack, open, providerEntry, root, thing } from './world.js';

/** The history becomes this many times as long. */
const TIMES = 100;
/** Journals that are kept unless a setting says otherwise. */
const KEPT = 30;
/** The most that requests and bytes of a command may grow by. */
const GROWTH = 1.3;
/** Bytes of a listing of the kept journals. Commands that read less than that grow by it. */
const LISTING = 32_000;
const THINGS = 500;
const NOTHING: readonly never[] = [];

interface Traffic {
  readonly requests: number;
  readonly bytes: number;
}

const COMMANDS: Readonly<Record<string, (backend: BucketBackend) => Promise<unknown>>> = {
  'an operation': (backend) => operate(backend, NOTHING, 'succeeded'),
  outputs: (backend) => backend.readRoot(DEV),
  'a row of a listing': (backend) => backend.summary(DEV),
  'a reading': (backend) => backend.read(DEV),
  'the newest change': (backend) => backend.newestChange(DEV),
};

/** Returns the requests and bytes of each command, in a process of its own. */
async function trafficOf(server: Server): Promise<Readonly<Record<string, Traffic>>> {
  const bytes = (): number => server.requests.reduce((sum, { bodySize }) => sum + bodySize, server.sent());
  const found: Record<string, Traffic> = {};
  for (const [name, run] of Object.entries(COMMANDS)) {
    const backend = await open(await storeOn(server), { pid: 11, dead: new Set() });
    const before = { requests: server.requests.length, bytes: bytes() };
    await run(backend);
    await backend.close();
    found[name] = { requests: server.requests.length - before.requests, bytes: bytes() - before.bytes };
  }
  return found;
}

type Server = Awaited<ReturnType<typeof startS3Server>>;

async function storeOn(server: Server): ReturnType<typeof openBlobStore> {
  // The vendor's library looks for credentials in the process's own variables.
  Object.assign(process.env, server.env);
  return openBlobStore(server.bucketUrl('bucket'), { env: server.env });
}

/** Makes more journals and updates of the past out of those that are there. */
function multiply(server: Server): void {
  const objects = server.buckets.get('bucket') as unknown as Map<
    string,
    { bytes: Buffer; etag: string; modified: number }
  >;
  const kept = [...objects];
  for (let copy = 1; copy < 2 * TIMES; copy += 1)
    for (const [key, object] of kept) {
      const number = String(copy + 2).padStart(8, '0');
      if (copy + 3 < KEPT && key.includes('/journals/') && key.includes('/00000002/'))
        objects.set(key.replace('/00000002/', `/${number}/`), object);
      if (key.includes('/history/')) objects.set(key.replace(/-\d+\./, `-${copy}$&`), object);
    }
}

test('requests and bytes of commands on a bucket do not grow with what it keeps', async () => {
  const server = await startS3Server();
  try {
    const things = Array.from({ length: THINGS }, (_, index) => thing(`thing-${index}`));
    const { backend } = await newStack(await storeOn(server));
    await operate(backend, new Recorder().creates(root, providerEntry, ...things), 'succeeded');
    await operate(backend, NOTHING, 'succeeded');
    await backend.close();
    const few = await trafficOf(server);
    multiply(server);
    const many = await trafficOf(server);
    const grown = Object.entries(many).filter(([name, { requests, bytes }]) => {
      const before = few[name] as Traffic;
      const more = Math.max(before.bytes * GROWTH, before.bytes + LISTING);
      return requests > before.requests * GROWTH || bytes > more;
    });
    expect(grown).toEqual([]);
  } finally {
    await server.close();
  }
});
