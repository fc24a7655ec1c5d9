import type { OperationOptions } from '@cairn/operations';
import type { DestroyOptions, UpOptions } from '../options.js';

/** The names that options of operations have; `plan`, `change` and settings of the call are none. */
const NAMES = [
  ...(['message', 'parallel', 'targets', 'targetDependents', 'excludes', 'excludeDependents'] as const),
  ...(['onError', 'isolate', 'strictProviders', 'refresh', 'replace', 'typecheck', 'policyPacks'] as const),
  ...(['policyPackConfigs', 'runProgram', 'excludeProtected', 'remove'] as const),
] satisfies readonly (keyof OperationOptions)[];

type Given = Partial<Pick<UpOptions & DestroyOptions, (typeof NAMES)[number]>>;

/** Options as operations take them and records keep them. */
export function operationOptions(given: Given): OperationOptions {
  const named = NAMES.filter((name) => given[name] !== undefined).map((name) => [name, given[name]] as const);
  return Object.fromEntries(named);
}
