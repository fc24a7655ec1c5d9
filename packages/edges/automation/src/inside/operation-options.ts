import path from 'node:path';
import type { OperationOptions } from '@cairn/operations';
import type { DestroyOptions, UpOptions } from '../options.js';

/** The names that options of operations have; `plan`, `change` and settings of the call are none. */
const NAMES = [
  ...(['message', 'parallel', 'targets', 'targetDependents', 'excludes', 'excludeDependents'] as const),
  ...(['onError', 'isolate', 'strictProviders', 'refresh', 'replace', 'typecheck', 'policyPacks'] as const),
  ...(['policyPackConfigs', 'runProgram', 'excludeProtected', 'remove', 'preserveConfig'] as const),
] satisfies readonly (keyof OperationOptions)[];

type Given = Partial<Pick<UpOptions & DestroyOptions, (typeof NAMES)[number]>>;

/** Options as operations take them and records keep them. Relative paths count from the directory of this process. */
export function operationOptions(given: Given): OperationOptions {
  const absolute = {
    ...given,
    policyPacks: paths(given.policyPacks),
    policyPackConfigs: paths(given.policyPackConfigs),
  };
  const named = NAMES.filter((name) => absolute[name] !== undefined).map((name) => [name, absolute[name]]);
  return Object.fromEntries(named) as OperationOptions;
}

function paths(list: readonly string[] | undefined): readonly string[] | undefined {
  return list?.map((each) => path.resolve(each));
}
