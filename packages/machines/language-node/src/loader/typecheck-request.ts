/** Request for a type check. Plain JSON: it is the argument of its process. */
export interface TypecheckRequest {
  /** Path of the compiler. */
  readonly compiler: string;
  readonly what: CoveredSources | SourcesThatRun;
  /** Directory and key under which the findings are kept. */
  readonly cacheDirectory: string;
  readonly key: string;
}

/** All sources that a tsconfig covers, and their uses of outputs. Without a tsconfig, the entry with our defaults. */
export interface CoveredSources {
  readonly t: 'covered';
  readonly tsconfig: string | undefined;
  readonly entry: string;
}

/** The entry and the sources that it has loaded, as ts-node checks them when `@pulumi/pulumi` registers it. */
export interface SourcesThatRun {
  readonly t: 'run';
  readonly tsconfig: string | undefined;
  readonly entry: string;
  /** Modules if the tsconfig does not say: those of node, if the compiler knows them, or CommonJS. */
  readonly modules: 'node' | 'commonjs';
  /** Settings of ts-node: options that come before those of the tsconfig, and the codes of errors to ignore. */
  readonly compilerOptions: Readonly<Record<string, unknown>>;
  readonly ignored: readonly number[];
  /** Include files that the tsconfig covers, without checking them. */
  readonly files: boolean;
}

/** Exit codes of a check: no errors, some errors, or a compiler without an API. */
export const TYPECHECK_EXIT = { fine: 0, mistakes: 2, noApi: 3 } as const;
