import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import {
  closeSync,
  constants,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { skipBucketTests } from './bucket-tests.js';
import { codeFilesOf, isStale } from './code-files.js';
import { CommandServers, note } from './command-server.js';
import { FRONT_TOKEN, ServiceFront } from './service-front.js';
import type { ServiceKind } from './service-front.js';

/** Seconds that a test may take. A busy machine needs more of them (`CAIRN_E2E_SECONDS`). */
const SECONDS = Number(process.env['CAIRN_E2E_SECONDS'] ?? 120);
jest.setTimeout(SECONDS * 1000);

const servers = new CommandServers(__dirname);
afterAll(() => servers.end());

/** Has every box work through a state service over this kind of store, if the environment says so. */
const throughService = process.env['CAIRN_E2E_SERVICE'] as ServiceKind | undefined;
if (throughService !== undefined) skipBucketTests();
const front = throughService === undefined ? undefined : new ServiceFront(throughService);
beforeAll(() => front?.start());
afterAll(() => front?.end());

const repository = path.resolve(__dirname, '..', '..');
/** The command as it is installed. */
export const cairnCommand = path.join(repository, 'packages', 'edges', 'cli', 'bin', 'cairn.cjs');
export const scratch = path.join(repository, 'e2e', '.scratch');
/** Compiled code of the command, shared by all tests. */
const codeCache = path.join(scratch, 'code-cache');

/** Result of a command. */
export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Both streams, for messages. */
  readonly text: string;
}

/** A running command. */
export interface Running {
  readonly process: ChildProcess;
  readonly finished: Promise<Finished>;
  /** Resolves when stdout or stderr has shown the text; rejects when the command ends before. */
  readonly shown: (text: string | RegExp) => Promise<void>;
}

/** A project in a folder of its own, with a backend and a home of its own. */
export interface Sandbox {
  readonly directory: string;
  readonly state: string;
  readonly home: string;
  readonly env: Record<string, string | undefined>;
  /** Writes a file of the project, creating folders. */
  write(file: string, content: string): void;
  /**
   * Runs a command to its end in a process that the commands of a test file share (`command-server.ts`). For tests
   * whose point is not the process.
   */
  cairn(words: readonly string[], options?: RunOptions): Promise<Finished>;
  /** Runs a command to its end in a process of its own. */
  process(words: readonly string[], options?: RunOptions): Promise<Finished>;
  /** Starts a command in a process of its own, which can be watched and killed. */
  start(words: readonly string[], options?: RunOptions): Running;
  remove(): void;
}

export interface RunOptions {
  readonly env?: Record<string, string | undefined>;
  readonly input?: string;
  readonly cwd?: string;
}

/**
 * A fresh project folder below the workspace, so that programs find the workspace's packages. `files` are written into
 * it; without a project file it gets a minimal `Cairn.yaml`.
 */
export function sandbox(
  files: Record<string, string> = {},
  options: { readonly projectFile?: boolean } = {},
): Sandbox {
  mkdirSync(codeCache, { recursive: true, mode: 0o700 });
  const base = mkdtempSync(path.join(scratch, 'run-'));
  const directory = path.join(base, 'project');
  const state = path.join(base, 'state');
  const home = path.join(base, 'home');
  for (const folder of [directory, state, home]) mkdirSync(folder);
  const env: Record<string, string | undefined> = {
    PATH: process.env['PATH'],
    HOME: home,
    CAIRN_HOME: path.join(home, '.cairn'),
    CAIRN_CODE_CACHE: codeCache,
    CAIRN_BACKEND_URL: front?.add(state) ?? pathToFileURL(state).href,
    ...(front !== undefined && { CAIRN_ACCESS_TOKEN: FRONT_TOKEN }),
    CAIRN_CONFIG_PASSPHRASE: 'test passphrase',
    NO_COLOR: '1',
    CI: 'true',
    // No checkout is around it.
    GIT_CEILING_DIRECTORIES: scratch,
    CAIRN_EXIT_CODES: 'fine',
  };
  const write = (file: string, content: string): void => {
    const target = path.join(directory, file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, content);
  };
  if (
    options.projectFile !== false &&
    files['Cairn.yaml'] === undefined &&
    files['Pulumi.yaml'] === undefined
  ) {
    write('Cairn.yaml', 'name: shop\nruntime: nodejs\nmain: index.ts\n');
  }
  if (files['package.json'] === undefined) {
    write(
      'package.json',
      JSON.stringify({
        name: 'shop',
        private: true,
        type: 'module',
        dependencies: { '@cairn/sdk': '*', '@cairn/provider-random': '*', '@cairn/provider-local': '*' },
      }),
    );
  }
  for (const [file, content] of Object.entries(files)) write(file, content);
  const start = (words: readonly string[], run: RunOptions = {}): Running =>
    launch(words, run.cwd ?? directory, { ...env, ...run.env }, run.input);
  let code = codeFilesOf(base);
  const cairn = async (words: readonly string[], run: RunOptions = {}): Promise<Finished> => {
    const call = { words, cwd: run.cwd ?? directory, env: { ...env, ...run.env }, input: run.input ?? '' };
    const current = codeFilesOf(base);
    const served = servers.run(call, isStale(code, current));
    code = current;
    return served ?? start(words, run).finished;
  };
  return {
    directory,
    state,
    home,
    env,
    write,
    start,
    cairn,
    process: (words, run) => start(words, run).finished,
    remove: () => {
      front?.remove(state);
      endReaders(directory);
      rmSync(base, { recursive: true, force: true });
    },
  };
}

/** Ends processes that still read from a pipe of the folder, such as a command of a run that was killed. */
function endReaders(directory: string): void {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (!entry.isFIFO()) continue;
    try {
      closeSync(openSync(path.join(directory, entry.name), constants.O_WRONLY | constants.O_NONBLOCK));
    } catch {
      // No process reads from it.
    }
  }
}

function launch(
  words: readonly string[],
  cwd: string,
  env: Record<string, string | undefined>,
  input: string | undefined,
): Running {
  note('whole', words);
  const child = spawn(process.execPath, [cairnCommand, ...words], {
    cwd,
    env: env as NodeJS.ProcessEnv,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const text = { stdout: '', stderr: '', both: '' };
  const waiting = new Set<() => void>();
  const take = (stream: 'stdout' | 'stderr') => (chunk: string) => {
    text[stream] += chunk;
    text.both += chunk;
    for (const check of waiting) check();
  };
  child.stdout.setEncoding('utf8').on('data', take('stdout'));
  child.stderr.setEncoding('utf8').on('data', take('stderr'));
  child.stdin.end(input ?? '');
  const finished = new Promise<Finished>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) =>
      resolve({ code, signal, stdout: text.stdout, stderr: text.stderr, text: text.both }),
    );
  });
  const shown = (wanted: string | RegExp): Promise<void> =>
    new Promise((resolve, reject) => {
      const check = (): void => {
        if (typeof wanted === 'string' ? !text.both.includes(wanted) : !wanted.test(text.both)) return;
        waiting.delete(check);
        resolve();
      };
      waiting.add(check);
      void finished.then((end) =>
        reject(new Error(`ended with ${end.code} before showing ${String(wanted)}:\n${end.text}`)),
      );
      check();
    });
  return { process: child, finished, shown };
}

/** The id of the stack's newest change, as commands take it. */
export async function newestChange(box: Sandbox): Promise<string> {
  const listed = JSON.parse(expectOk(await box.cairn(['changes', '--json'])).stdout) as readonly {
    readonly id: string | number;
  }[];
  return String(listed.at(-1)?.id);
}

/** Fails with the whole output of the command if it did not end well. */
export function expectOk(finished: Finished): Finished {
  if (finished.code !== 0)
    throw new Error(`ended with ${finished.code ?? finished.signal}:\n${finished.text}`);
  return finished;
}
