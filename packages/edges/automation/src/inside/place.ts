import path from 'node:path';
import process from 'node:process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import type { Ports } from '@cairn/operations/stacks';
import { AutomationError } from '../errors.js';
import type { InlineProgram } from '../program.js';
import type { InlineProject, LocalProject } from '../project.js';
import { openHome } from '@cairn/workspace/home';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Runs pieces of work one after the other. */
class Turns {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}

/** Location of a project, and the means to reach its stacks. */
export interface ProjectPlace {
  /** Name of the project. */
  readonly project: string;
  readonly directory: string;
  readonly backendUrl: string | undefined;
  readonly program: InlineProgram | undefined;
  /** Base of relative paths in an inline program. */
  readonly programDirectory: string;
  /** Milliseconds for which an inline program may wait with nothing under way. */
  readonly programTimeout: number | undefined;
  readonly env: Ports['env'];
  readonly packageRoots: readonly string[];
  /** Queue of work on the configuration files. */
  readonly turns: Turns;
  /** Removes files that were created for the lifetime of the workspace. */
  readonly remove: () => Promise<void>;
}

/** Finds or creates the directory of a project. Throws CAIRN-PROJECT-INVALID if it holds another project. */
export async function openPlace(options: InlineProject<unknown> | LocalProject): Promise<ProjectPlace> {
  const inline = 'program' in options ? options : undefined;
  const made = options.directory === undefined ? await mkdtemp(path.join(tmpdir(), 'cairn-')) : undefined;
  const directory = path.resolve(made ?? (options.directory as string));
  const remove = async (): Promise<void> => {
    if (made !== undefined) await rm(made, { recursive: true, force: true });
  };
  try {
    const project = await (inline === undefined
      ? loadedProject(directory)
      : ensureProject(directory, inline.project));
    const place = placeOf(options, project, directory, remove);
    for (const { code, summary, hint } of openHome({
      env: place.env,
      userHome: place.env['HOME'] ?? homedir(),
    }))
      process.emitWarning(summary, { code, detail: hint });
    return place;
  } catch (error) {
    await remove();
    throw error;
  }
}

function placeOf(
  options: InlineProject<unknown> | LocalProject,
  project: string,
  directory: string,
  remove: ProjectPlace['remove'],
): ProjectPlace {
  const { backendUrl, passphrase } = options;
  const program = 'program' in options ? options.program : undefined;
  return {
    ...{ project, directory, backendUrl, program, remove, turns: new Turns() },
    programDirectory: process.cwd(),
    programTimeout: 'program' in options ? checkedTimeout(options.timeout) : undefined,
    env: {
      ...process.env,
      ...options.env,
      ...(passphrase === undefined ? {} : { CAIRN_CONFIG_PASSPHRASE: passphrase }),
    },
    packageRoots: [
      ...(options.packageRoots ?? []).map((each) => path.resolve(each)),
      ...new Set([path.dirname(process.argv[1] ?? process.execPath), process.cwd()]),
      ownDirectory(),
    ],
  };
}

function checkedTimeout(timeout: number | undefined): number | undefined {
  if (timeout === undefined || timeout > 0) return timeout;
  throw new AutomationError([
    {
      severity: 'error',
      code: 'CAIRN-USAGE',
      summary: `timeout must be a number of milliseconds above 0, not ${timeout}`,
    },
  ]);
}

async function loadedProject(directory: string): Promise<string> {
  const { loadProject } = await import('@cairn/workspace');
  return (await loadProject(directory)).name;
}

async function ensureProject(directory: string, name: string): Promise<string> {
  const { checkedProjectName, findProject } = await import('@cairn/workspace');
  checkedProjectName(name);
  await mkdir(directory, { recursive: true });
  const found = await findProject(directory);
  if (found?.directory !== directory) {
    await writeFile(path.join(directory, 'Cairn.yaml'), `name: ${JSON.stringify(name)}\n`);
    return name;
  }
  const there = await loadedProject(directory);
  if (there === name) return name;
  throw new AutomationError([
    {
      severity: 'error',
      code: 'CAIRN-PROJECT-INVALID',
      summary: `${found.file} belongs to project "${there}", not to "${name}"`,
      hint: 'Name another directory, or that project.',
    },
  ]);
}

/**
 * Returns the ports that operations need from their caller while no operation runs. `onOutput` receives the output of
 * plugins and package managers.
 */
export async function projectPorts(
  place: Pick<ProjectPlace, 'env' | 'directory' | 'packageRoots'>,
  onOutput?: (text: string) => void,
): Promise<Ports> {
  const { unattended } = await import('@cairn/operations/stacks');
  return {
    env: place.env,
    cwd: place.directory,
    now: () => new Date(),
    version: ownVersion(),
    packageRoots: place.packageRoots,
    started: { argv: ['@cairn/automation'], recorded: { 'exec.kind': 'automation' } },
    onInterrupt: () => () => undefined,
    interaction:
      onOutput === undefined
        ? unattended
        : {
            ...unattended,
            making: (told) => {
              if (told.t === 'output') onOutput(told.text);
              else if (told.t === 'message' && told.severity !== 'debug') onOutput(`${told.text}\n`);
            },
          },
  };
}

interface Manifest {
  readonly name?: string;
  readonly version: string;
}

let found: { readonly directory: string; readonly version: string } | undefined;

function own(): { readonly directory: string; readonly version: string } {
  if (found !== undefined) return found;
  for (let directory = path.dirname(fileURLToPath(import.meta.url)); ; directory = path.dirname(directory)) {
    const { name, version } = manifestOf(directory);
    if (name === '@cairn/automation') return (found = { directory, version });
    if (path.dirname(directory) === directory)
      throw new Error('@cairn/automation is not installed as a package');
  }
}

function manifestOf(directory: string): Manifest {
  try {
    return JSON.parse(readFileSync(path.join(directory, 'package.json'), 'utf8')) as Manifest;
  } catch {
    return { version: '' };
  }
}

/** Returns the directory of this package. */
function ownDirectory(): string {
  return own().directory;
}

/** Returns the version of this package, without a leading `v`. */
function ownVersion(): string {
  return own().version;
}
