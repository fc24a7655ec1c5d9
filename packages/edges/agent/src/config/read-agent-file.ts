import path from 'node:path';
import { cronProblem, findCycle, parseNoticeDuration, zoneProblem } from '@cairn/changes-daemon';
import type { ApprovalPolicy, DependencyNode, Schedule } from '@cairn/changes-daemon';
import { FileProblems, MapReader, parseYaml } from '@cairn/workspace';
import type {
  AgentConfig,
  CommitAction,
  DriftSettings,
  ForgeSettings,
  RecoveryAction,
  RunLimits,
  AgentStack,
  TimeToLive,
} from './agent-config.js';
import { isPublicBackend } from './public-backend.js';
import { readExecutor } from './read-executor.js';
import type { ExecutorSettings } from './read-executor.js';
import { readForges, readPulls } from './read-forges.js';
import { readLinks } from './read-links.js';
import { readNetworks, readNotify } from './read-notify.js';
import { APPROVE_ALL, readPolicies, readPolicy } from './read-policy.js';
import { oneOf } from './read-words.js';
import { readStackSource } from './read-source.js';

const START = { line: 1, column: 1 };
const HOUR = 3_600_000;
const MEBIBYTE = 1024 * 1024;
const LIMITS: RunLimits = { timeMs: 2 * HOUR, outputBytes: 64 * MEBIBYTE, diskBytes: 10_240 * MEBIBYTE };
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const VARIABLE = /^[A-Za-z_]\w*$/;

/**
 * Parses the agent's file [AGT-10]. Fails with `CAIRN-AGENT-INVALID`, one diagnostic for each problem, with line and
 * column: with a problem anywhere, nothing runs. `host` is the default name of the agent.
 */
export function parseAgentFile(text: string, file: string, host: string): AgentConfig {
  const problems = new FileProblems(file, 'agent file', 'CAIRN-AGENT-INVALID');
  const { root } = parseYaml(text, problems);
  if (root === undefined) return problems.fail(START, 'it is empty', 'Write at least state: and stacks:.');
  if (root.kind !== 'map') return problems.fail(root.at, 'it must be a map of keys');
  const reader = new MapReader(root, '', problems);
  const base = path.dirname(file);
  const folder = reader.requiredText('state');
  const environment = readEnvironment(reader);
  const policies = readPolicies(reader);
  const forges = readForges(reader);
  const executor = readExecutor(reader, base);
  const notify = readNotify(reader);
  const config = {
    file,
    folder: path.resolve(base, folder),
    name: reader.text('name') ?? host,
    places: reader.count('places') ?? 2,
    stacks: readStacks(reader, { base, environment, policies, forges, executor }),
    forges,
    notify,
    links: readLinks(reader, notify),
    networks: readNetworks(reader),
  };
  refuseOwnFiles(reader, config);
  reader.refuseOthers();
  problems.check();
  return config;
}

/** Records folders of containers that have the agent's file or folder: a program could approve its own runs. */
function refuseOwnFiles(reader: MapReader, { file, folder, stacks }: AgentConfig): void {
  for (const { name, source, container } of stacks) {
    if (container === undefined) continue;
    const seen = [...container.mounts, ...(source.t === 'directory' ? [source.path] : [])];
    for (const place of seen)
      if ([file, folder].some((own) => isWithin(place, own) || isWithin(folder, place)))
        reader.problem(
          'stacks',
          `has "${name}" in containers that see the agent's own files by ${place}`,
          'Keep the file and the folder of the agent elsewhere.',
        );
  }
}

function isWithin(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}

/** Parts of the file that stacks refer to. */
interface FileParts {
  readonly base: string;
  readonly environment: readonly string[];
  readonly policies: ReadonlyMap<string, ApprovalPolicy>;
  readonly forges: readonly ForgeSettings[];
  /** Executor of stacks without one. Defaults to processes. */
  readonly executor?: ExecutorSettings | undefined;
}

function readStacks(reader: MapReader, parts: FileParts): readonly AgentStack[] {
  const nodes = reader.list('stacks');
  if (nodes === undefined || nodes.length === 0) {
    if (reader.entry('stacks') === undefined) reader.problem('stacks', 'is missing');
    return [];
  }
  const stacks = nodes.flatMap((node) => {
    const stack = reader.asMap(node, 'stacks');
    return stack === undefined ? [] : [readAgentStack(stack, parts)];
  });
  const names = stacks.map(({ name }) => name);
  for (const name of names.filter((each, at) => names.indexOf(each) !== at))
    reader.problem('stacks', `names two stacks "${name}"`, 'Give each stack a name of its own with "name".');
  refuseUnknownOrder(reader, stacks);
  return stacks;
}

/** Records stacks that come after unknown ones, or after themselves. */
function refuseUnknownOrder(reader: MapReader, stacks: readonly AgentStack[]): void {
  const names = new Set(stacks.map(({ name }) => name));
  for (const { name, after } of stacks)
    for (const other of after)
      if (!names.has(other)) reader.problem('stacks', `has "${name}" after an unknown stack "${other}"`);
  const cycle = findCycle(orderOf(stacks));
  if (cycle !== undefined)
    reader.problem('stacks', 'has stacks that come after each other', 'Leave out one "after" of the circle.');
}

/** Returns the stacks with those that they come after. */
function orderOf(stacks: readonly AgentStack[]): readonly DependencyNode[] {
  const nodes = new Map(
    stacks.map(({ name }) => [name, { id: name, kind: 'stack', waits: [], halts: [] } as OrderedStack]),
  );
  for (const { name, after } of stacks)
    for (const other of after) {
      const [late, early] = [nodes.get(name), nodes.get(other)];
      if (late === undefined || early === undefined) continue;
      late.waits.push(early);
      early.halts.push(late);
    }
  return [...nodes.values()];
}

interface OrderedStack extends DependencyNode {
  readonly waits: DependencyNode[];
  readonly halts: DependencyNode[];
}

/** Reads the settings of one stack. */
export function readAgentStack(
  reader: MapReader,
  { base, environment, policies, forges, executor }: FileParts,
): AgentStack {
  const stack = reader.requiredText('stack');
  const name = reader.text('name') ?? stack;
  if (stack !== '' && !NAME.test(name))
    reader.problem(
      'name',
      `must be letters, digits, ".", "_" and "-", not ${JSON.stringify(name)}`,
      'Give the stack a short name with "name".',
    );
  const source = readStackSource(reader, base);
  const { container, cluster } = readExecutor(reader, base) ?? executor ?? {};
  const settings: AgentStack = {
    name,
    stack,
    backend: reader.text('backend'),
    source,
    before: readCommands(reader, 'before'),
    afterwards: readCommands(reader, 'afterwards'),
    ...readPacks(reader),
    environment: [...environment, ...readEnvironment(reader)],
    onCommit: oneOf<CommitAction>(reader, 'onCommit', ['up', 'preview', 'nothing']) ?? 'up',
    up: readSchedule(reader.submap('up')),
    drift: readDrift(reader),
    policy: readStackPolicy(reader, policies),
    recovery: oneOf<RecoveryAction>(reader, 'recovery', ['resume', 'rollback', 'person']) ?? 'resume',
    timeToLive: readTimeToLive(reader),
    after: reader.texts('after') ?? [],
    limits: readLimits(reader),
    container,
    cluster,
    pulls: readPulls(reader, forges),
  };
  if (cluster !== undefined) refuseOutsideCluster(reader, settings);
  reader.refuseOthers();
  return settings;
}

/** Records what pods of a cluster cannot reach, or cannot limit. */
function refuseOutsideCluster(reader: MapReader, { source, backend = 'https://', limits }: AgentStack): void {
  const hint = 'Use the executor container, or a process, for this stack.';
  if (source.t === 'directory' || source.url.startsWith('file:'))
    reader.problem(
      'source',
      'must be a repository or a bucket that pods reach, for the executor kubernetes',
      hint,
    );
  if (!isPublicBackend(backend))
    reader.problem('backend', 'must be a service or a bucket, for the executor kubernetes', hint);
  if (limits.processes !== undefined)
    reader.problem('limits', 'cannot have "processes": pods have the limit of their node', hint);
}

/** Returns the policy of a stack: one of the named ones, or its own. Without one, every step needs an approval. */
function readStackPolicy(reader: MapReader, policies: ReadonlyMap<string, ApprovalPolicy>): ApprovalPolicy {
  const node = reader.entry('policy')?.value;
  if (node === undefined) return APPROVE_ALL;
  if (node.kind === 'map') {
    const own = reader.submap('policy');
    return own === undefined ? APPROVE_ALL : readPolicy(own, 'own');
  }
  const name = reader.text('policy');
  const known = name === undefined ? undefined : policies.get(name);
  if (name !== undefined && known === undefined)
    reader.problem(
      'policy',
      `names an unknown policy "${name}"`,
      policies.size === 0
        ? 'Describe it under "policies".'
        : `Known policies: ${[...policies.keys()].join(', ')}.`,
    );
  return known ?? APPROVE_ALL;
}

/** Reads folders of policy packs, which are words of a command line. */
function readPacks(reader: MapReader): Pick<AgentStack, 'packs'> {
  const packs = reader.texts('packs');
  if (packs === undefined) return {};
  for (const pack of packs)
    if (!/^[^-\0\n][^\0\n]*$/.test(pack))
      reader.problem('packs', `must be folders of policy packs, not ${JSON.stringify(pack)}`);
  return { packs };
}

function readCommands(reader: MapReader, key: 'before' | 'afterwards'): readonly (readonly string[])[] {
  return (reader.list(key) ?? []).flatMap((node) => {
    const words = node.kind === 'list' ? node.items : undefined;
    const texts = words?.flatMap((word) =>
      word.kind === 'scalar' && typeof word.value === 'string' ? [word.value] : [],
    );
    if (words !== undefined && texts !== undefined && texts.length === words.length && texts.length > 0)
      return [texts];
    reader.problem(key, 'must be a list of commands, each a list of words', 'Write it as [[npm, ci]].');
    return [];
  });
}

function readEnvironment(reader: MapReader): readonly string[] {
  const names = reader.texts('environment') ?? [];
  for (const name of names)
    if (!VARIABLE.test(name))
      reader.problem(
        'environment',
        `must be names of variables, not ${JSON.stringify(name)}`,
        'List names only, without values.',
      );
  return names;
}

/** Reads a schedule, and records what is not valid about it. */
function readSchedule(reader: MapReader | undefined): Schedule | undefined {
  if (reader === undefined) return undefined;
  const schedule = scheduleOf(reader);
  reader.refuseOthers();
  return schedule;
}

function scheduleOf(reader: MapReader): Schedule {
  const cron = reader.requiredText('cron');
  const zone = reader.text('zone') ?? 'UTC';
  const cronFault = cron === '' ? undefined : cronProblem(cron);
  if (cronFault !== undefined) reader.problem('cron', cronFault);
  const zoneFault = zoneProblem(zone);
  if (zoneFault !== undefined) reader.problem('zone', zoneFault, 'Write it as Europe/Berlin or UTC.');
  return {
    cron,
    zone,
    jitterMs: readDuration(reader, 'jitter') ?? 0,
    paused: reader.flag('paused') ?? false,
  };
}

function readDrift(stack: MapReader): DriftSettings | undefined {
  const reader = stack.submap('drift');
  if (reader === undefined) return undefined;
  const settings = {
    schedule: scheduleOf(reader),
    then: oneOf<'report' | 'up'>(reader, 'then', ['report', 'up']) ?? 'report',
  };
  reader.refuseOthers();
  return settings;
}

function readTimeToLive(stack: MapReader): TimeToLive | undefined {
  const reader = stack.submap('timeToLive');
  if (reader === undefined) return undefined;
  const afterMs = readDuration(reader, 'after', 1);
  if (afterMs === undefined && reader.entry('after') === undefined) reader.problem('after', 'is missing');
  const settings = {
    afterMs: afterMs ?? Infinity,
    approved: reader.flag('approved') ?? false,
    remove: reader.flag('remove') ?? false,
  };
  reader.refuseOthers();
  return settings;
}

function readLimits(stack: MapReader): RunLimits {
  const reader = stack.submap('limits');
  if (reader === undefined) return LIMITS;
  const mebibytes = (key: string): number | undefined => {
    const count = reader.count(key);
    return count === undefined ? undefined : count * MEBIBYTE;
  };
  const given = {
    timeMs: readDuration(reader, 'time', 1),
    outputBytes: mebibytes('outputMiB'),
    memoryBytes: mebibytes('memoryMiB'),
    processors: reader.count('processors'),
    processes: reader.count('processes'),
    diskBytes: mebibytes('diskMiB'),
  };
  reader.refuseOthers();
  const present = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...LIMITS, ...(Object.fromEntries(present) as Partial<RunLimits>) };
}

/** Reads a duration in hours, minutes and seconds of at least `least` milliseconds, and returns milliseconds. */
function readDuration(reader: MapReader, key: string, least = 0): number | undefined {
  const text = reader.text(key);
  if (text === undefined) return undefined;
  const ms = parseNoticeDuration(text);
  if (ms !== undefined && ms >= least) return ms;
  return reader.problem(key, `must be a duration such as 90s, 10m or 24h, not ${JSON.stringify(text)}`);
}
