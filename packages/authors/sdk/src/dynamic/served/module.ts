import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { definitionOf, isDynamicProvider } from '../provider.js';
import type { DynamicDefinition } from '../provider.js';

/** What a stored provider does, and where in its sources an error comes from. */
export interface StoredModule {
  readonly definition: DynamicDefinition<Values, Values>;
  /** The text of an error with the place in the stored sources that it comes from. */
  describe(error: unknown): string;
  /** A text with the place in the stored sources that defines the provider. */
  atDefinition(text: string): string;
}

/** Values as handlers take and give them. */
export type Values = Readonly<Record<string, unknown>>;

/**
 * Loads a stored provider. Throws an Error that says what is wrong with it and where. The file that it is loaded from
 * goes with the process.
 */
export async function loadStored(bundle: string, exportName: string): Promise<StoredModule> {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'cairn-dynamic-')));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'stored.mjs');
  writeFileSync(file, bundle, { mode: 0o600 });
  const describe = (error: unknown): string => describeIn(folder, error);
  let module: Values;
  try {
    module = (await import(pathToFileURL(file).href)) as Values;
  } catch (error) {
    throw new Error(`its module cannot be loaded without the program: ${describe(error)}`, { cause: error });
  }
  const provider = module['provider'];
  if (!isDynamicProvider(provider)) throw new Error(`its module has no provider called ${exportName}`);
  const { definition, defined } = definitionOf(provider);
  return {
    definition: definition as DynamicDefinition<Values, Values>,
    describe,
    atDefinition: (text) => describe(Object.assign(new Error(text), { stack: defined?.stack })),
  };
}

/** Message and first place in the stored sources. Frames elsewhere are Node's, or those of what loads them. */
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
