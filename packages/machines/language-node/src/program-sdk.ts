import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fail } from '@cairn/diagnostics';
import type { EntryPoint } from './entry-point.js';
import { dependencyNames } from './package-manifest.js';

/** SDKs of programs, and the modules that may run such a program, best first. */
const SDK_RUNNERS = {
  '@cairn/sdk': ['@cairn/sdk/program', '@cairn/sdk/run'],
  '@pulumi/pulumi': ['@pulumi/pulumi/cmd/run'],
} as const;

/** Package name of an SDK. */
export type SdkName = keyof typeof SDK_RUNNERS;

/** SDK of a program with the absolute path of its runner. */
export interface ProgramSdk {
  readonly name: SdkName;
  readonly runner: string;
  /** Module of the SDK that its runner needs and that may be loaded before it. */
  readonly preload?: string;
  /** Conditions under which a program imports the SDK that its runner has loaded. */
  readonly conditions?: readonly string[];
  /** True if the runner is not the SDK's own. */
  readonly isReplaced?: boolean;
}

const NAMES = Object.keys(SDK_RUNNERS) as SdkName[];

/**
 * Finds the SDK that a program uses: the one that its entry file imports, else the one that its package.json names. A
 * program whose package.json names none may still find one in the directories above.
 */
export function findProgramSdk(
  directory: string,
  entry: EntryPoint,
  override: string | undefined,
): ProgramSdk {
  if (override !== undefined && override !== '')
    return { name: '@pulumi/pulumi', runner: override, isReplaced: true };
  const named = dependencyNames(entry.manifest).filter((name): name is SdkName => name in SDK_RUNNERS);
  const candidates = [...named, ...NAMES.filter((name) => !named.includes(name))];
  const installed = candidates.filter((name) => runnerOf(directory, name) !== undefined);
  const name = imported(entry.path, installed) ?? named[0] ?? installed[0];
  const runner = name === undefined ? undefined : runnerOf(directory, name);
  if (name !== undefined && runner !== undefined) return { name, runner, ...partsOf(name, runner) };
  return notInstalled(directory, name);
}

/** Returns the first one that the text of the file names as a module. */
function imported(entry: string, candidates: readonly SdkName[]): SdkName | undefined {
  let text: string;
  try {
    text = readFileSync(entry, 'utf8');
  } catch {
    return undefined;
  }
  return candidates.find((name) => new RegExp(`['"\`]${name}(?:/[^'"\`]*)?['"\`]`).test(text));
}

function runnerOf(directory: string, name: SdkName): string | undefined {
  const { resolve } = createRequire(join(directory, 'noop.js'));
  for (const module of SDK_RUNNERS[name]) {
    try {
      return resolve(module);
    } catch {
      continue;
    }
  }
  return undefined;
}

/** Returns the parts of our SDK, found from its runner: a script that contains the SDK has another name. */
function partsOf(name: SdkName, runner: string): Pick<ProgramSdk, 'preload' | 'conditions'> {
  // The state of the other SDK's modules depends on variables that are not known when they are loaded early.
  if (name !== '@cairn/sdk') return {};
  const directory = dirname(runner);
  return basename(runner) === 'program.cjs'
    ? { preload: join(directory, 'packed', 'index.js'), conditions: ['cairn-program'] }
    : { preload: join(directory, 'index.js') };
}

function notInstalled(directory: string, name: SdkName | undefined): never {
  const packages = name ?? NAMES.join(' or ');
  return fail(
    'CAIRN-PROGRAM-LOAD',
    `cannot run the program in ${directory}: ${packages} is not installed there`,
    {
      hint:
        name === undefined
          ? `Run \`npm install ${NAMES[0]}\` in ${directory}.`
          : `Run \`npm install\` in ${directory}.`,
    },
  );
}
