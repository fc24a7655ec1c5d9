import type { SdkName } from '../program-sdk.js';
import type { RuntimeOptions } from '../runtime-options.js';

/**
 * Cause of a check. `asked`: the user asks for it now. The others are for an operation that begins. `usual`: its
 * programs on `@pulumi/pulumi` are checked as a rule. `on-demand`: only the project can ask for it.
 */
export type TypecheckCause = 'asked' | 'usual' | 'on-demand';

/** Facts that decide if the types of a program are checked. */
export interface TypecheckFacts {
  readonly cause: TypecheckCause;
  readonly options: Pick<RuntimeOptions, 'typescript' | 'typecheck'>;
  readonly sdk: SdkName;
  /** True if the entry is TypeScript. */
  readonly typed: boolean;
  /** Value of `PULUMI_NODEJS_TRANSPILE_ONLY`. */
  readonly transpileOnly: string | undefined;
  /** True if the tsconfig, or ts-node's settings, say that types are not checked. */
  readonly settled: boolean;
  /** True if a TypeScript compiler is installed for the program. */
  readonly compiler: boolean;
}

/** Decides if types are checked. `no-compiler`: they should be, but there is no compiler. */
export function decideTypecheck(facts: TypecheckFacts): 'check' | 'leave' | 'no-compiler' {
  const { cause, options, sdk, compiler } = facts;
  const isPulumi = sdk === '@pulumi/pulumi';
  if (!options.typescript || (isPulumi && !facts.typed)) return 'leave';
  if (cause === 'asked' || options.typecheck === true) return compiler ? 'check' : 'no-compiler';
  if (cause === 'on-demand' || options.typecheck === false || !isPulumi) return 'leave';
  return compiler && !isTranspiledOnly(facts) ? 'check' : 'leave';
}

/** Returns true if types are not checked by default. A set variable comes before the tsconfig. */
function isTranspiledOnly({ transpileOnly, settled }: TypecheckFacts): boolean {
  return transpileOnly === undefined || transpileOnly === '' ? settled : transpileOnly === 'true';
}
