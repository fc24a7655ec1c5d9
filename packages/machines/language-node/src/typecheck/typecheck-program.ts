import { fileURLToPath } from 'node:url';
import { fail } from '@cairn/diagnostics';
import { describeExit, startProcess } from '@cairn/processes';
import type { ProcessGroup } from '@cairn/processes';
import type { RunResult } from '@cairn/wire';
import { withoutOwnSecrets } from '@cairn/values/own-secrets';
import { cacheDirectory, loaderModule } from '../loader-start.js';
import { isUnchanged, stampOf } from '../loader/seen-files.js';
import type { SeenFiles } from '../loader/seen-files.js';
import { cacheKey, openTransformCache } from '../loader/transform-cache.js';
import { TYPECHECK_EXIT } from '../loader/typecheck-request.js';
import type { TypecheckRequest } from '../loader/typecheck-request.js';
import { ownVersion } from '../package-manifest.js';
import { noCompiler } from './plan-typecheck.js';
import type { FoundProgram, TypecheckPlan } from './plan-typecheck.js';

/** Means to run a check. */
interface TypecheckMeans {
  readonly node: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Path of the built loader module, which is beside the check. Defaults to the one of this package. */
  readonly loader: string | undefined;
  /** Receives the process of the check when it starts. */
  readonly onProcess: (started: ProcessGroup) => void;
}

/** Findings of an earlier check, with everything that they depend on. */
interface Kept {
  readonly lines: readonly string[];
  readonly seen?: SeenFiles | undefined;
}

/**
 * Checks the types of a program. Resolves with undefined if they are right. Otherwise the failure's message has a line
 * for each mistake, with file, line and column, for programs on `@pulumi/pulumi` in the words of their own host. A
 * program that has not changed since its last check is not checked again. Throws CAIRN-PROGRAM-LOAD when the check
 * itself fails.
 */
export async function typecheckProgram(
  program: FoundProgram,
  plan: TypecheckPlan,
  means: TypecheckMeans,
): Promise<RunResult | undefined> {
  const { info, entry, sdk } = program;
  const directory = cacheDirectory(means.environment, 'types');
  const { compiler, what } = plan;
  const check = fileURLToPath(loaderModule('typecheck', means.loader));
  const key = cacheKey([
    ...[ownVersion(), stampOf(check) ?? '', compiler.path, compiler.version, stampOf(compiler.path) ?? ''],
    ...[info.programDirectory, JSON.stringify(what)],
  ]);
  const request = { compiler: compiler.path, what, cacheDirectory: directory, key };
  const lines =
    keptLines(directory, key) ?? (await linesOfCheck(program, check, request, plan.wanted, means));
  if (lines.length === 0) return undefined;
  const text = lines.join('\n');
  return {
    t: 'failed',
    message:
      sdk.name === '@pulumi/pulumi'
        ? `Running program '${entry.path}' failed with an unhandled exception:\nTSError: ⨯ Unable to compile TypeScript:\n${text}`
        : text,
  };
}

function keptLines(directory: string, key: string): readonly string[] | undefined {
  const text = openTransformCache(directory).get(key);
  if (text === undefined) return undefined;
  const { lines, seen } = JSON.parse(text) as Kept;
  return seen !== undefined && isUnchanged(seen) ? lines : undefined;
}

async function linesOfCheck(
  { info, options }: FoundProgram,
  check: string,
  request: TypecheckRequest,
  wanted: boolean,
  { node, environment, onProcess }: TypecheckMeans,
): Promise<readonly string[]> {
  const { programDirectory } = info;
  const output = { stdout: '', stderr: '' };
  const started = await startProcess({
    command: node,
    args: [...options.nodeargs.filter(isAboutRoom), check, JSON.stringify(request)],
    cwd: programDirectory,
    env: withoutOwnSecrets(environment),
    onOutput: (stream, text) => (output[stream] += text),
  });
  onProcess(started);
  const status = await started.exit;
  const code = status.kind === 'code' ? status.code : undefined;
  if (code === TYPECHECK_EXIT.fine) return [];
  if (code === TYPECHECK_EXIT.mistakes) return output.stdout.trimEnd().split('\n');
  if (code === TYPECHECK_EXIT.noApi) return wanted ? noCompiler(programDirectory) : [];
  return fail('CAIRN-PROGRAM-LOAD', `cannot check the types of the program in ${programDirectory}`, {
    causes: [`${request.compiler} ended with ${describeExit(status)}`, ...lastLines(output.stderr)],
    hint: 'Correct that, or set `typecheck: false` in runtime.options.',
  });
}

/** Returns true for arguments of node that the compiler may need too: those about memory. */
const isAboutRoom = (argument: string): boolean => /^--(?:max[-_]|stack[-_]size)/.test(argument);

function lastLines(text: string): readonly string[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(-5);
}
