import type { BlobStore } from '@cairn/blobs';
import { fail, warningDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { isLegacyCheckpoint, layout } from '../layout.js';

const VERSION_LINE = /^"?version"?[ \t]*:[ \t]*(\S+)[ \t]*(?:#.*)?$/m;

/**
 * Refuses a store whose layout is not the project layout (state.md 5.2). A store without `meta.yaml` is new or of the old layout. Writes
 * nothing, so that a store that cannot be written can be read.
 */
export async function checkMeta(store: BlobStore): Promise<'present' | 'missing'> {
  const blob = await store.get(layout.meta);
  if (blob !== undefined) {
    checkVersion(Buffer.from(blob.bytes).toString('utf8'), store.url);
    return 'present';
  }
  if ((await legacyKeys(store)).length > 0) refuseLegacy(store.url);
  return 'missing';
}

/** {@link checkMeta}, and gives a new store its `meta.yaml`. Before the first write. */
export async function ensureMeta(store: BlobStore): Promise<void> {
  if ((await checkMeta(store)) === 'missing')
    await store.put(layout.meta, Buffer.from('version: 1\n'), { ifAbsent: true });
}

/** What to say about stacks of the old layout beside those of the project layout; nothing when there are none. */
export async function legacyNotes(store: BlobStore): Promise<readonly Diagnostic[]> {
  const keys = await legacyKeys(store);
  if (keys.length === 0) return [];
  return [
    warningDiagnostic(
      'CAIRN-BACKEND-URL',
      `the backend ${store.url} has ${keys.length} stacks of an old layout, which are not shown`,
      {
        causes: keys,
        hint: 'Move them with `pulumi state upgrade`, or set PULUMI_DIY_BACKEND_NO_LEGACY_WARNING=1.',
      },
    ),
  ];
}

async function legacyKeys(store: BlobStore): Promise<readonly string[]> {
  return (await store.list(layout.stacks)).map((row) => row.key).filter(isLegacyCheckpoint);
}

function checkVersion(text: string, url: string): void {
  const version = VERSION_LINE.exec(text)?.[1];
  if (version === '1') return;
  if (version === '0') refuseLegacy(url);
  const known = version !== undefined && /^\d+$/.test(version);
  fail(
    known ? 'CAIRN-STATE-TOO-NEW' : 'CAIRN-STATE-CORRUPT',
    known
      ? `cannot use the backend ${url}: its layout has version ${version}, and this software knows version 1`
      : `cannot use the backend ${url}: ${layout.meta} has no version`,
    {
      hint: known
        ? 'Install a newer version of cairn.'
        : `Write "version: 1" into ${layout.meta} when its stacks are kept by project.`,
    },
  );
}

function refuseLegacy(url: string): never {
  return fail(
    'CAIRN-STATE-TOO-OLD',
    `cannot use the backend ${url}: it has the old layout, without projects`,
    {
      hint: 'Upgrade it with `pulumi state upgrade`, then run the command again.',
    },
  );
}
