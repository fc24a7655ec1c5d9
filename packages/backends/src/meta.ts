import { fail } from '@cairn/diagnostics';
import type { BlobStore } from '@cairn/blobs';
import { layout } from './layout.js';

/** The version of the layout that is written; version 0, stacks without projects, is refused. */
const LAYOUT_VERSION = 1;

/**
 * Reads the bucket's description, and writes it into a new bucket (state.md 5.2 meta.yaml). An unusable one fails with
 * CAIRN-STATE-CORRUPT; a layout that is newer or older than ours with CAIRN-STATE-TOO-NEW or CAIRN-STATE-TOO-OLD.
 */
export async function checkMeta(store: BlobStore): Promise<void> {
  const blob = await store.get(layout.meta);
  if (blob === undefined) return describeNewBucket(store);
  const text = Buffer.from(blob.bytes).toString('utf8');
  const version = /^\s*["']?version["']?\s*:\s*["']?(\d+)["']?\s*$/m.exec(text)?.[1];
  const where = `${store.url}/${layout.meta}`;
  if (version === undefined) {
    fail('CAIRN-STATE-CORRUPT', `the description of the backend is damaged: ${where}`, {
      causes: ['it names no version'],
      hint: `write "version: ${LAYOUT_VERSION}" into it when the stacks are in folders by project`,
    });
  }
  if (Number(version) > LAYOUT_VERSION) {
    fail(
      'CAIRN-STATE-TOO-NEW',
      `the backend has layout version ${version}, which this version of Cairn does not know`,
      {
        causes: [where],
        hint: 'install a newer Cairn',
      },
    );
  }
  if (Number(version) < LAYOUT_VERSION) tooOld(store);
}

async function describeNewBucket(store: BlobStore): Promise<void> {
  const files = await store.list(layout.stacks);
  const legacy = files.some(({ key }) => /^[^/]+\.json(\.gz|\.zst)?$/.test(key.slice(layout.stacks.length)));
  if (legacy) tooOld(store);
  await store.put(layout.meta, Buffer.from(`version: ${LAYOUT_VERSION}\n`), { ifAbsent: true });
}

function tooOld(store: BlobStore): never {
  return fail(
    'CAIRN-STATE-TOO-OLD',
    `the backend ${store.url} keeps its stacks in the old layout, without projects`,
    {
      hint: 'upgrade it with `pulumi state upgrade`',
    },
  );
}
