import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CompilerSettings } from './loader/compiler-settings.js';
import { LOADER_VARIABLE } from './loader/loader-settings.js';
import type { LoaderSettings } from './loader/loader-settings.js';
import type { NodeCommand } from './program-command.js';

/** Input for the loader's settings. */
interface LoaderRequest {
  readonly transpile: boolean;
  /** Path of the loader module. Defaults to the one of this package. */
  readonly module: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Settings for compiling sources. Undefined if none are compiled. */
  readonly compiler: CompilerSettings | undefined;
  readonly isModule: boolean;
  /** Ignore loaders that are registered later. */
  readonly exclusive?: boolean;
  /** Path of a module of the SDK whose own `source-map-support` makes its stack traces. */
  readonly sourceMapsFor: string | undefined;
}

/** Returns the arguments and variables that load the loader before a program. */
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
 * Returns the URL of a built module of the loader. `register` is the path of the one that programs are started with. It
 * defaults to that of this package.
 */
export function loaderModule(name: 'register' | 'typecheck' | 'wait', register: string | undefined): URL {
  return new URL(
    `${name}.js`,
    register === undefined ? new URL('./loader/', import.meta.url) : pathToFileURL(register),
  );
}

/** Returns `$CAIRN_HOME/cache/NAME`, by default below `~/.cairn`. */
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
