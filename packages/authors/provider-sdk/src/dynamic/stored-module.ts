import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import type { DynamicDefinition } from '@cairn/sdk';
import { definitionOf, isDynamicProvider } from '@cairn/sdk/runtime';
import type { PlainValues } from '@cairn/values';

/** A stored provider: its definition, and the source locations of its errors. */
export interface StoredModule {
  readonly definition: DynamicDefinition<PlainValues, PlainValues>;
  /** Returns the text of an error, with its location in the stored sources. */
  describe(error: unknown): string;
  /** Returns a text, with the location in the stored sources that defines the provider. */
  atDefinition(text: string): string;
}

/**
 * Loads a stored provider. Throws an Error that names the fault and its location. The file that it is loaded from is
 * deleted with the process.
 */
export async function loadStored(bundle: string, exportName: string): Promise<StoredModule> {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'cairn-dynamic-')));
  removeAtExit(folder);
  const file = path.join(folder, 'stored.mjs');
  writeFileSync(file, bundle, { mode: 0o600 });
  const describe = (error: unknown): string => describeIn(folder, error);
  let module: PlainValues;
  try {
    module = (await import(pathToFileURL(file).href)) as PlainValues;
  } catch (error) {
    throw new Error(`its module cannot be loaded without the program: ${describe(error)}`, { cause: error });
  }
  const provider = module['provider'];
  if (!isDynamicProvider(provider)) throw new Error(`its module has no provider called ${exportName}`);
  const { definition, defined } = definitionOf(provider);
  return {
    definition: definition as DynamicDefinition<PlainValues, PlainValues>,
    describe,
    atDefinition: (text) => describe(Object.assign(new Error(text), { stack: defined?.stack })),
  };
}

const folders = new Set<string>();

/** Removes a folder when the process ends. All folders have one listener: Node warns of more than ten. */
function removeAtExit(folder: string): void {
  if (folders.size === 0)
    process.once('exit', () => {
      for (const each of folders) rmSync(each, { recursive: true, force: true });
    });
  folders.add(folder);
}

/** Returns the message and the first location in the stored sources. Other frames belong to Node or the loader. */
function describeIn(folder: string, error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const said = error.name === 'Error' ? error.message : `${error.name}: ${error.message}`;
  const place = (error.stack ?? '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .map((line) => /(?:file:\/\/)?([^()\s]+:\d+:\d+)\)?$/.exec(line)?.[1])
    .find(
      (found) =>
        found?.startsWith(folder + path.sep) === true && !/[\\/]node_modules[\\/]|stored\.mjs:/.test(found),
    );
  return place === undefined ? said : `${said}\n    at ${path.relative(folder, place)}`;
}
