import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** What the loader in the program's process must know; see loader/register.ts. */
export interface LoaderRequest {
  /** Path of the loader module; undefined: the one of this package. */
  readonly module: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly programDirectory: string;
  readonly tsconfig: string | undefined;
  readonly isModule: boolean;
  /** Path of a module of the SDK whose own `source-map-support` makes its stack traces. */
  readonly sourceMapsFor: string | undefined;
}

/** URL for node's `--import`. */
export function loaderUrl(request: LoaderRequest): string {
  const url =
    request.module === undefined
      ? new URL('./loader/register.js', import.meta.url)
      : pathToFileURL(request.module);
  const { tsconfig, programDirectory } = request;
  const maps = sourceMapSupport(request.sourceMapsFor);
  url.searchParams.set('cache', cacheDirectory(request.environment));
  if (tsconfig !== undefined) {
    url.searchParams.set('tsconfig', isAbsolute(tsconfig) ? tsconfig : join(programDirectory, tsconfig));
  }
  if (request.isModule) url.searchParams.set('esm', '1');
  if (maps !== undefined) url.searchParams.set('maps', maps);
  return url.href;
}

/** `$CAIRN_HOME/cache/loader`, by default below `~/.cairn`. */
function cacheDirectory(environment: LoaderRequest['environment']): string {
  const home = environment['CAIRN_HOME'];
  return join(home === undefined || home === '' ? join(homedir(), '.cairn') : home, 'cache', 'loader');
}

function sourceMapSupport(module: string | undefined): string | undefined {
  if (module === undefined) return undefined;
  try {
    return createRequire(module).resolve('source-map-support');
  } catch {
    return undefined;
  }
}
