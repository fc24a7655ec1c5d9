import type { CompilerSettings } from './compiler-settings.js';

/**
 * Settings for the loader in the program's process. They travel in one environment variable, which the loader removes.
 */
export interface LoaderSettings {
  /** Transpile TypeScript. */
  readonly transpile: boolean;
  /** Directory that keeps transpiled files. If unset, none are kept. */
  readonly cacheDirectory?: string | undefined;
  /** Settings for compiling sources. Defaults to those without a tsconfig. */
  readonly compiler?: CompilerSettings | undefined;
  /** True if the program has ES modules, whose hooks cost a thread. */
  readonly esm?: boolean | undefined;
  /**
   * No other tool compiles TypeScript for `require` in this process: compilers that are registered later are ignored.
   */
  readonly exclusive?: boolean | undefined;
  /** Path of the `source-map-support` package that the program's SDK installs for its stack traces. */
  readonly sourceMapSupport?: string | undefined;
}

/** Name of that variable. */
export const LOADER_VARIABLE = 'CAIRN_LOADER';
