/** What the type check is told. Plain JSON: it is the argument of its process. */
export interface TypecheckRequest {
  /** Path of the compiler. */
  readonly compiler: string;
  readonly what: CoveredSources | SourcesThatRun;
  /** Where what was found is kept, and under which key. */
  readonly cacheDirectory: string;
  readonly key: string;
}

/** All that a tsconfig covers, and how it uses outputs; without a tsconfig the entry under our defaults. */
export interface CoveredSources {
  readonly t: 'covered';
  readonly tsconfig: string | undefined;
  readonly entry: string;
}

/** The entry and what it has loaded, as ts-node checks them when `@pulumi/pulumi` registers it. */
export interface SourcesThatRun {
  readonly t: 'run';
  readonly tsconfig: string | undefined;
  readonly entry: string;
  /** Modules where the tsconfig says nothing: those of node, where the compiler knows them, or CommonJS. */
  readonly modules: 'node' | 'commonjs';
  /** Settings of ts-node: options that come before those of the tsconfig, and codes that are no mistakes. */
  readonly compilerOptions: Readonly<Record<string, unknown>>;
  readonly ignored: readonly number[];
  /** What the tsconfig covers is known too, though not checked. */
  readonly files: boolean;
}

/** What the process of a check ends with: nothing is wrong, something is, or the compiler cannot be asked. */
export const TYPECHECK_EXIT = { fine: 0, mistakes: 2, noApi: 3 } as const;
