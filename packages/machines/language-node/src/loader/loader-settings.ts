import type { CompilerSettings } from './compiler-settings.js';

/**
 * What the loader in the program's process must know. It travels in one environment variable, which the loader removes.
 */
export interface LoaderSettings {
  /** Transpile TypeScript. */
  readonly transpile: boolean;
  /** Where transpiled files are kept; absent: nowhere. */
  readonly cacheDirectory?: string | undefined;
  /** How sources are compiled; absent: as without a tsconfig. */
  readonly compiler?: CompilerSettings | undefined;
  /** The program has ES modules, whose hooks cost a thread. */
  readonly esm?: boolean | undefined;
  /** Nobody else compiles TypeScript for `require` in this process: what is registered for it later is left out. */
  readonly exclusive?: boolean | undefined;
  /** Path of the `source-map-support` package that the program's SDK installs for its stack traces. */
  readonly sourceMapSupport?: string | undefined;
}

/** Name of that variable. */
export const LOADER_VARIABLE = 'CAIRN_LOADER';
