import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CompilerSettings } from './loader/compiler-settings.js';
import { LOADER_VARIABLE } from './loader/loader-settings.js';
import type { LoaderSettings } from './loader/loader-settings.js';
import type { NodeCommand } from './program-command.js';

/** What the loader's settings are made from. */
interface LoaderRequest {
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
  const module = loaderModule('register', request.module);
  const settings: LoaderSettings = {
    transpile: request.transpile,
    cacheDirectory: cacheDirectory(request.environment, 'loader'),
    compiler: request.compiler,
    esm: request.isModule,
    exclusive: request.exclusive,
    sourceMapSupport: sourceMapSupport(request.sourceMapsFor),
  };
  return { args: ['--import', module.href], env: { [LOADER_VARIABLE]: JSON.stringify(settings) } };
}

/**
 * A module of the loader, as it is built. `register`: path of the one that programs are started with; undefined: that
 * of this package.
 */
export function loaderModule(name: 'register' | 'typecheck' | 'wait', register: string | undefined): URL {
  return new URL(
    `${name}.js`,
    register === undefined ? new URL('./loader/', import.meta.url) : pathToFileURL(register),
  );
}

/** `$CAIRN_HOME/cache/NAME`, by default below `~/.cairn`. */
export function cacheDirectory(environment: LoaderRequest['environment'], name: 'loader' | 'types'): string {
  const home = environment['CAIRN_HOME'];
  return join(home === undefined || home === '' ? join(homedir(), '.cairn') : home, 'cache', name);
}

function sourceMapSupport(module: string | undefined): string | undefined {
  if (module === undefined) return undefined;
  try {
    return createRequire(module).resolve('source-map-support');
  } catch {
    return undefined;
  }
}
