import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CompilerSettings } from './loader/compiler-settings.js';
import { LOADER_VARIABLE } from './loader/loader-settings.js';
import type { LoaderSettings } from './loader/loader-settings.js';
import type { NodeCommand } from './program-command.js';

/** What the loader's settings are made from. */
export interface LoaderRequest {
  readonly transpile: boolean;
  /** Path of the loader module; undefined: the one of this package. */
  readonly module: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** How sources are compiled; undefined: none are. */
  readonly compiler: CompilerSettings | undefined;
  readonly isModule: boolean;
  /** Loaders that are registered later are left out. */
  readonly exclusive?: boolean;
  /** Path of a module of the SDK whose own `source-map-support` makes its stack traces. */
  readonly sourceMapsFor: string | undefined;
}

/** The arguments and variables that put the loader in front of a program. */
export function loaderStart(request: LoaderRequest): NodeCommand {
  const module =
    request.module === undefined
      ? new URL('./loader/register.js', import.meta.url)
      : pathToFileURL(request.module);
  const settings: LoaderSettings = {
    transpile: request.transpile,
    cacheDirectory: cacheDirectory(request.environment),
    compiler: request.compiler,
    esm: request.isModule,
    exclusive: request.exclusive,
    sourceMapSupport: sourceMapSupport(request.sourceMapsFor),
  };
  return { args: ['--import', module.href], env: { [LOADER_VARIABLE]: JSON.stringify(settings) } };
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
