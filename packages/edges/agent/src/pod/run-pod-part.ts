import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { isCairnError, messageOf } from '@cairn/diagnostics';
import { WorkWriter } from '../cluster/work-lines.js';
import type { AgentConfig, AgentStack } from '../config/agent-config.js';
import { CommandWork } from '../executors/command-work.js';
import type { CommandPorts } from '../executors/command-runner.js';
import type { FetchedProgram } from '../executors/stack-programs.js';
import { isAbsent } from '@cairn/files';
import { Containers } from '../executors/containers.js';
import { LogFollower } from '../executors/log-follower.js';
import { doPart, parsePodWork } from '../executors/pod-work.js';
import type { PodPart, PodTokens, PodWork } from '../executors/pod-work.js';
import { ProcessExecutor } from '../executors/process.js';
import { containersFolder, readWritten, runFiles } from '../executors/run-files.js';
import { OidcFiles } from '../service/oidc-files.js';
import { oidcOf } from '../service/oidc-settings.js';
import type { OidcPlan } from '../service/oidc-settings.js';
import { ServiceApi } from '../service/service-api.js';

/** Time between two looks at the logs of the part. Milliseconds. */
const LOOK_MS = 500;

interface PodPorts extends CommandPorts {
  /** Folder of the pod for the checkout, the homes and the plan. */
  readonly folder: string;
  readonly write: (text: string) => void;
  /** Calls back when the pod has to end. */
  readonly onStop: (listener: () => void) => () => void;
}

/** Does the part of a run whose work is in a file, in the pod of this process. Its last line is the result. */
export async function runPodPart(file: string, ports: PodPorts): Promise<void> {
  const work = parsePodWork(gunzipSync(await readPieces(file)).toString('utf8'));
  if (work.part === 'source') return fetchSource(work, ports);
  const writer = new WorkWriter(ports.write);
  const executor = new ProcessExecutor('none');
  const unlisten = ports.onStop(() => void executor.stop());
  const files = runFiles(ports.folder, work.run.id);
  const logs = new LogFollower(files.folder, (line, part) => writer.line(part, line), {
    ...{ most: work.stack.limits.outputBytes, words: 'The rest of the log is not kept.' },
  });
  let looking: Promise<void> = Promise.resolve();
  const look = (isEnd: boolean): Promise<void> =>
    (looking = looking.then(() => logs.look(isEnd)).catch(() => undefined));
  const timer = setInterval(() => void look(false), LOOK_MS);
  const tokens = new PodTokenFiles(work.tokens, files.exchange, (text) => writer.line('agent', text));
  try {
    await mkdir(files.exchange, { recursive: true, mode: 0o700 });
    if (work.plan !== undefined) await writeFile(files.plan, work.plan, { mode: 0o600, flag: 'wx' });
    const result = await resultOf(work, work.part, ports, executor, tokens);
    await look(true);
    const isPlan = work.part === 'plan' && work.run.kind !== 'destroy';
    writer.result(result, isPlan ? await readWritten(files.plan).catch(() => undefined) : undefined);
  } finally {
    clearInterval(timer);
    await tokens.end();
    unlisten();
  }
}

/** Reads a file that may be in several pieces: `work`, `work.1` and so on. */
async function readPieces(file: string): Promise<Buffer> {
  const pieces = [await readFile(file)];
  for (;;) {
    const next = await readFile(`${file}.${pieces.length}`).catch((thrown: unknown) => {
      if (isAbsent(thrown)) return undefined;
      throw thrown;
    });
    if (next === undefined) return Buffer.concat(pieces);
    pieces.push(next);
  }
}

/** Result of fetching a program, in a file for the next container of the pod. */
type FetchedFile = FetchedProgram | { readonly why: string };

const fetchedFile = (folder: string): string => path.join(folder, 'fetched.json');

/** Fetches the program for the next container, which has no credentials for git. A failure is its result [AGT-18]. */
async function fetchSource(work: PodWork, ports: PodPorts): Promise<void> {
  const { folder, env } = ports;
  const { stack, run, git, withHead = false } = work;
  const { source } = stack;
  const executor = new ProcessExecutor('none');
  const unlisten = ports.onStop(() => executor.kill());
  const own = source.t === 'git' && source.credentials !== undefined ? { [source.credentials]: git } : {};
  const here = new CommandWork(
    podConfig(folder, stack),
    { ...ports, env: { PATH: env['PATH'], ...work.env, ...own } },
    executor,
    new Containers(containersFolder(folder), env),
  );
  const found: FetchedFile = await here
    .fetch(stack, run, withHead)
    .catch((thrown: unknown) => ({ why: explainedFault(thrown) }));
  unlisten();
  await writeFile(fetchedFile(folder), JSON.stringify(found), { mode: 0o600 });
}

/** Returns the words of an error, with its causes. */
function explainedFault(thrown: unknown): string {
  const causes = isCairnError(thrown) ? thrown.diagnostics.flatMap((each) => each.causes ?? []) : [];
  return [messageOf(thrown), ...causes].join(': ');
}

function podConfig(folder: string, stack: AgentStack): AgentConfig {
  return { file: '', folder, name: 'pod', places: 1, stacks: [stack] };
}

async function resultOf(
  work: PodWork,
  part: PodPart,
  ports: PodPorts,
  executor: ProcessExecutor,
  tokens: PodTokenFiles,
): Promise<unknown> {
  const { folder } = ports;
  try {
    const fetched = await fetchedOf(work, folder);
    const more = await tokens.begin();
    // Variables of the settings win over those of tokens.
    const env = { PATH: ports.env['PATH'], ...more, ...work.env };
    const stack = { ...work.stack, environment: [...work.stack.environment, ...Object.keys(more)] };
    const containers = new Containers(containersFolder(folder), env);
    const config = podConfig(folder, work.stack);
    const here = new CommandWork(config, { ...ports, env }, executor, containers, fetched);
    return await doPart(here, part, { ...work, stack });
  } catch (thrown) {
    return part === 'look' ? 'unknown' : { t: 'failed', why: messageOf(thrown) };
  }
}

/** Reads the program that the container before this one has fetched. Fails as it failed. */
async function fetchedOf({ isFetched }: PodWork, folder: string): Promise<FetchedProgram | undefined> {
  if (isFetched !== true) return undefined;
  const found = JSON.parse(await readFile(fetchedFile(folder), 'utf8')) as FetchedFile;
  if ('why' in found) throw new Error(found.why);
  return found;
}

/** OpenID Connect tokens of the run in this pod. */
class PodTokenFiles {
  readonly #plan: OidcPlan;
  readonly #files: OidcFiles;

  constructor(tokens: PodTokens | undefined, folder: string, log: (text: string) => void) {
    this.#plan = oidcOf(tokens?.settings ?? {}, folder);
    const get: ConstructorParameters<typeof OidcFiles>[0] = (audience) => {
      if (tokens === undefined) throw new Error('the run has no token for the service');
      const { url, token, organization, fence } = tokens;
      return new ServiceApi({ url, token, organization }).runToken(tokens, { fence, audience });
    };
    this.#files = new OidcFiles(get, log);
  }

  /** Gets the tokens. Returns the variables that name them. */
  async begin(): Promise<Readonly<Record<string, string>>> {
    await this.#files.begin(this.#plan);
    return this.#plan.env;
  }

  end(): Promise<void> {
    return this.#files.end();
  }
}
