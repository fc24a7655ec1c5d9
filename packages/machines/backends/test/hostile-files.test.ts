import { memoryBlobStore } from '@cairn/blobs';
import type { BlobStore } from '@cairn/blobs';
import { isCairnError } from '@cairn/diagnostics';
import { ChangeRecorder, begin, operate, part } from './operations.js';
import { DEV, keysOf, lease, newStack, open } from './world.js';

/**
 * Files of a stack that were broken by hand or by accident. Whatever their content, every command either works or says
 * which file is wrong and what to do about it. It never overwrites a file that it does not understand.
 */

const CONTENTS: Readonly<Record<string, string | Uint8Array>> = {
  empty: '',
  'no JSON': 'hello: [world',
  'cut JSON': '{"version":1,"pid":3,"tags":{"a"',
  null: 'null',
  'a list': '[1,2]',
  'a number': '17',
  'wrong types':
    '{"version":"1","pid":"x","hostname":7,"timestamp":{},"lease":[],"claims":7,"tags":3,"kind":5,"cairn":1}',
  'a hostile lease': '{"cairn":true,"pid":-1,"hostname":"h","lease":{"term":1e308,"renewals":"many"}}',
  prototypes: '{"__proto__":{"cairn":true},"constructor":1,"version":1,"tags":{"__proto__":"x"}}',
  'deep nesting': `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  binary: Uint8Array.from({ length: 300 }, (_, index) => (index * 7) % 256),
  'a byte order mark': '\uFEFF{"version":1}',
  'a gzip head': Uint8Array.from([0x1f, 0x8b, 8, 0, 1, 2]),
};

const FILES: Readonly<Record<string, string>> = {
  'lock file': '.pulumi/locks/organization/shop/dev/5e1f0000-0000-4000-8000-000000000000.json',
  tags: '.pulumi/stacks/shop/dev.pulumi-tags',
  'meta.yaml': '.pulumi/meta.yaml',
  'history entry': '.pulumi/history/shop/dev/dev-1893456000000000001.history.json',
  'control file': '.pulumi/journals/shop/dev/00000002/control-000001.json',
  'claims file': '.pulumi/journals/shop/dev/00000002/claims.json',
  'end of one beside others': '.pulumi/journals/shop/dev/00000002/ended.json',
  seal: '.pulumi/journals/shop/dev/00000001/sealed.json',
  'previous checkpoint': '.pulumi/stacks/shop/dev.json.bak',
};

const KNOWN = /^CAIRN-(STATE|JOURNAL|STORE|LEASE)-/;

async function tolerated(what: string, file: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    if (!isCairnError(thrown)) throw new Error(what, { cause: thrown });
    const [first] = thrown.diagnostics;
    const text = [first?.summary, ...(first?.causes ?? [])].join('\n');
    expect({ what, code: first?.code }).toEqual({ what, code: expect.stringMatching(KNOWN) });
    expect({ what, hint: first?.hint ?? '' }).not.toEqual({ what, hint: '' });
    expect({ what, text }).toEqual({
      what,
      text: expect.stringContaining(file.slice(file.lastIndexOf('/') + 1)),
    });
  }
}

/** Returns the store of a stack with one operation that ended and one that died. */
async function stack(): Promise<BlobStore> {
  const { store, backend } = await newStack(memoryBlobStore());
  await operate(backend, new ChangeRecorder().creates(part('a')).records, 'succeeded');
  await begin(backend, new ChangeRecorder().creates(part('b')).records);
  return store;
}

describe.each(Object.entries(FILES))('a broken %s', (_title, file) => {
  test.each(Object.keys(CONTENTS))('%s: every command works, or names it', async (kind) => {
    const store = await stack();
    const bytes = Buffer.from(CONTENTS[kind]!);
    await store.put(file, bytes);
    const process = { pid: 30, dead: new Set([10]) };
    const what = `${file}: ${kind}`;
    const opened = async () => open(store, process);
    const reads = [
      async () => (await opened()).list(),
      async () => (await opened()).bucket.locks(DEV),
      async () => (await opened()).summary(DEV),
      async () => (await opened()).history(DEV),
      async () => (await opened()).changes(DEV),
      async () => (await opened()).change(DEV, 2),
      async () => (await opened()).exportText(DEV),
    ];
    for (const read of reads) await tolerated(what, file, read);
    expect(Buffer.from((await store.get(file))!.bytes)).toEqual(bytes);
    await tolerated(what, file, async () => (await lease(await opened())).release());
    if (!file.endsWith('.bak')) expect(Buffer.from((await store.get(file))!.bytes)).toEqual(bytes);
    await tolerated(what, file, async () => (await opened()).cancel(DEV));
    expect((await keysOf(store, '.pulumi/stacks/shop/')).length).toBeGreaterThan(0);
  });
});
