import type { BlobStore } from '@cairn/blobs';
import { fail, warningDiagnostic } from '@cairn/diagnostics';
import type { Diagnostic } from '@cairn/diagnostics';
import { parse } from 'yaml';
import { layout, legacyStackOfKey } from '../layout.js';
import type { BackendContext } from '../backend-context.js';
import type { BackendSettings } from '../settings.js';
import type { StoreLayout } from '../../bucket-part.js';

/** Layout according to the store. `written`: `meta.yaml` exists. */
interface StoreMeta {
  readonly layout: StoreLayout;
  readonly written: boolean;
}

/**
 * Returns the layout of a store [STORE-4]: that of `meta.yaml`. Without this file, a store that has stacks of the old
 * layout, or is asked to have it, is of the old layout, and any other is new. Writes nothing, so that a read-only store
 * can be read. Fails with `CAIRN-STATE-CORRUPT` or `CAIRN-STATE-TOO-NEW`.
 */
export async function readMeta(
  store: BlobStore,
  settings: Pick<BackendSettings, 'legacyLayout'>,
): Promise<StoreMeta> {
  const blob = await store.get(layout.meta);
  if (blob !== undefined)
    return { layout: layoutOf(Buffer.from(blob.bytes).toString('utf8'), store.url), written: true };
  const legacy = settings.legacyLayout || (await legacyKeys(store)).length > 0;
  return { layout: legacy ? 'legacy' : 'project', written: false };
}

/** Writes the `meta.yaml` of a new store, before the first write. A store of the old layout has none. */
export async function ensureMeta(
  store: BlobStore,
  settings: Pick<BackendSettings, 'legacyLayout'>,
): Promise<void> {
  const meta = await readMeta(store, settings);
  if (meta.layout === 'project' && !meta.written) await writeMeta(store, { ifAbsent: true });
}

/** Records in the store that its stacks are kept by project. */
export async function writeMeta(
  store: BlobStore,
  condition: { readonly ifAbsent?: boolean } = {},
): Promise<void> {
  await store.put(layout.meta, Buffer.from('version: 1\n'), condition);
}

/** Refuses a store of the old layout unless it may be worked on [STORE-4]. */
export function refuseDeprecated(found: StoreLayout, settings: BackendSettings, url: string): void {
  if (found === 'project' || settings.allowLegacy) return;
  fail(
    'CAIRN-STATE-TOO-OLD',
    `cannot use the backend ${url}: it has the old layout, without projects, which is deprecated`,
    {
      hint: 'Upgrade it with `cairn state upgrade`, then run the command again.',
    },
  );
}

/**
 * Returns a warning about stacks of the old layout beside those of the project layout, or nothing when there are none.
 */
export async function legacyNotes(context: BackendContext): Promise<readonly Diagnostic[]> {
  const { store } = context;
  const keys = await legacyKeys(store, (listed) => {
    context.listed = listed;
  });
  if (keys.length === 0) return [];
  return [
    warningDiagnostic(
      'CAIRN-BACKEND-URL',
      `the backend ${store.url} has ${keys.length === 1 ? 'a stack' : `${keys.length} stacks`} of an old layout, which ${keys.length === 1 ? 'is' : 'are'} not shown`,
      {
        causes: keys,
        hint: 'Move them with `cairn state upgrade`, or set PULUMI_DIY_BACKEND_NO_LEGACY_WARNING=1.',
      },
    ),
  ];
}

/** Returns the keys of old stacks. Reports every key below the stacks' folder if it had to list them. */
async function legacyKeys(
  store: BlobStore,
  report?: (keys: readonly string[]) => void,
): Promise<readonly string[]> {
  const isLegacy = (key: string): boolean => legacyStackOfKey(key) !== undefined;
  const names = await store.names?.(layout.stacks);
  if (names?.some((name) => isLegacy(layout.stacks + name)) === false) return [];
  const keys = (await store.list(layout.stacks)).map(({ key }) => key);
  report?.(keys);
  return keys.filter(isLegacy);
}

function layoutOf(text: string, url: string): StoreLayout {
  const version = versionIn(text);
  if (version === 1) return 'project';
  if (version === 0) return 'legacy';
  const known = Number.isInteger(version);
  return fail(
    known ? 'CAIRN-STATE-TOO-NEW' : 'CAIRN-STATE-CORRUPT',
    known
      ? `cannot use the backend ${url}: its layout has version ${String(version)}, but this software supports version 1`
      : `cannot use the backend ${url}: ${layout.meta} has no version`,
    {
      hint: known
        ? 'Install a newer version of cairn.'
        : `Write "version: 1" to ${layout.meta} if its stacks are stored by project.`,
    },
  );
}

/** Longest `meta.yaml` in characters. A longer file is not a backend's, and is not parsed. */
const LONGEST = 4096;

/** Returns the field of that name, or undefined when the text is too long, no YAML or no map. */
function versionIn(text: string): unknown {
  if (text.length > LONGEST) return undefined;
  try {
    const found: unknown = parse(text, { logLevel: 'error' });
    return typeof found === 'object' && found !== null && 'version' in found ? found.version : undefined;
  } catch {
    return undefined;
  }
}
