import type { SdkName } from '../program-sdk.js';
import type { RuntimeOptions } from '../runtime-options.js';

/**
 * How it came to a check: somebody asks for it now; or an operation begins, for whose programs on `@pulumi/pulumi` it
 * is the rule (`usual`), or for which only the project can ask for it (`on-demand`).
 */
export type TypecheckCause = 'asked' | 'usual' | 'on-demand';

/** What decides whether the types of a program are checked. */
export interface TypecheckFacts {
  readonly cause: TypecheckCause;
  readonly options: Pick<RuntimeOptions, 'typescript' | 'typecheck'>;
  readonly sdk: SdkName;
  /** The entry is TypeScript. */
  readonly typed: boolean;
  /** `PULUMI_NODEJS_TRANSPILE_ONLY`. */
  readonly transpileOnly: string | undefined;
  /** The tsconfig, or ts-node's settings, say that types are not checked. */
  readonly settled: boolean;
  /** A TypeScript compiler is installed for the program. */
  readonly compiler: boolean;
}

/** Whether types are checked. `no-compiler`: they should be, and there is nothing to do it with. */
export function decideTypecheck(facts: TypecheckFacts): 'check' | 'leave' | 'no-compiler' {
  const { cause, options, sdk, compiler } = facts;
  const isPulumi = sdk === '@pulumi/pulumi';
  if (!options.typescript || (isPulumi && !facts.typed)) return 'leave';
  if (cause === 'asked' || options.typecheck === true) return compiler ? 'check' : 'no-compiler';
  if (cause === 'on-demand' || options.typecheck === false || !isPulumi) return 'leave';
  return compiler && !isTranspiledOnly(facts) ? 'check' : 'leave';
}

/** The variable, where it says something, comes before the tsconfig. */
function isTranspiledOnly({ transpileOnly, settled }: TypecheckFacts): boolean {
  return transpileOnly === undefined || transpileOnly === '' ? settled : transpileOnly === 'true';
}
