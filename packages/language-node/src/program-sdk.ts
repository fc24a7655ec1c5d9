import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fail } from '@cairn/diagnostics';
import type { EntryPoint } from './entry-point.js';
import { dependencyNames } from './package-manifest.js';

/** The SDKs a program may be written with, and the module that runs such a program. */
export const SDK_RUNNERS = {
  '@cairn/sdk': '@cairn/sdk/run',
  '@pulumi/pulumi': '@pulumi/pulumi/cmd/run',
} as const;

/** Package name of an SDK. */
export type SdkName = keyof typeof SDK_RUNNERS;

/** The SDK of a program with the absolute path of its runner. */
export interface ProgramSdk {
  readonly name: SdkName;
  readonly runner: string;
  /** The runner is another than the SDK's own. */
  readonly isReplaced?: boolean;
}

const NAMES = Object.keys(SDK_RUNNERS) as SdkName[];

/**
 * Which SDK a program uses: the one its package.json names; of two the one its entry file imports. A program whose
 * package.json names none may still find one in the directories above.
 */
export function findProgramSdk(
  directory: string,
  entry: EntryPoint,
  override: string | undefined,
): ProgramSdk {
  if (override !== undefined && override !== '')
    return { name: '@pulumi/pulumi', runner: override, isReplaced: true };
  const named = dependencyNames(entry.manifest).filter((name): name is SdkName => name in SDK_RUNNERS);
  const candidates =
    named.length > 0 ? named : NAMES.filter((name) => runnerOf(directory, name) !== undefined);
  const name = candidates.length > 1 ? imported(entry.path, candidates) : candidates[0];
  const runner = name === undefined ? undefined : runnerOf(directory, name);
  if (name !== undefined && runner !== undefined) return { name, runner };
  return notInstalled(directory, name);
}

function imported(entry: string, candidates: readonly SdkName[]): SdkName | undefined {
  let text = '';
  try {
    text = readFileSync(entry, 'utf8');
  } catch {
    return candidates[0];
  }
  return (
    candidates.find((name) => new RegExp(`['"\`]${name}(?:/[^'"\`]*)?['"\`]`).test(text)) ?? candidates[0]
  );
}

function runnerOf(directory: string, name: SdkName): string | undefined {
  try {
    return createRequire(join(directory, 'noop.js')).resolve(SDK_RUNNERS[name]);
  } catch {
    return undefined;
  }
}

function notInstalled(directory: string, name: SdkName | undefined): never {
  const packages = name ?? NAMES.join(' or ');
  return fail(
    'CAIRN-PROGRAM-LOAD',
    `cannot run the program in ${directory}: ${packages} is not installed there`,
    {
      hint:
        name === undefined
          ? `run \`npm install ${NAMES[0]}\` in ${directory}`
          : `run \`npm install\` in ${directory}`,
    },
  );
}
