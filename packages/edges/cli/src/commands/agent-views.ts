import {
  hasRunEnded,
  isLeaseAlive,
  isQueued,
  queuePlaces,
  readAgentMessages,
  readAgentState,
  watchAgentState,
} from '@cairn/agent';
import type { AgentConfig, AgentState, DriftedResource, RequestRow } from '@cairn/agent';
import { EXIT, cairnError } from '@cairn/diagnostics';
import type { Json } from '@cairn/state';
import { readAgentFile, serviceOf } from '../flows/agent-file.js';
import type { AgentFlags, ServedFlags } from '../flows/agent-file.js';
import { alignedLines } from '../terminal/columns.js';
import { visible } from '../terminal/controls.js';
import { formatAge, parseDuration } from '../terminal/duration.js';
import { printJson } from '../terminal/json-output.js';
import type { CommandContext } from '../command-context.js';
import type { Command } from '../command-spec.js';
import type { Switches, Texts } from '../flags/flag-spec.js';
import { factLines, runLines } from './run-lines.js';

/** `agent status` */
export const status: Command<ServedFlags & Switches<'json'> & Texts<'org'>> = async ({ flags }, context) => {
  const service = serviceOf(flags);
  if (service !== undefined) return (await atService()).listAgentsOf(context, service, flags);
  const config = await readAgentFile(context, flags);
  const state = await readAgentState(config.folder);
  const now = context.now();
  const { lease } = state;
  const isRunning = lease !== undefined && isLeaseAlive(lease, now);
  const rows = config.stacks.map(({ name }) => stackStatus(name, state));
  if (flags.json) {
    printJson(context, {
      running: isRunning,
      ...(lease !== undefined && {
        agent: lease.agent,
        host: lease.host,
        pid: lease.pid,
        since: lease.since,
      }),
      stacks: rows as unknown as Json,
    });
    return EXIT.ok;
  }
  const who = isRunning
    ? `Agent ${lease.agent} runs as process ${lease.pid} on ${lease.host}, since ${formatAge(new Date(lease.since), now)}`
    : 'No agent is running';
  const table = alignedLines([
    ['STACK', 'RUN', 'LAST', 'DRIFT', 'NEXT'],
    ...rows.map(({ stack, run, last, drift, next }) => [
      stack,
      run === null ? '-' : run,
      last ?? '-',
      drift === null ? 'not looked' : drift === 0 ? 'none' : `${drift} differ`,
      next ?? '-',
    ]),
  ]);
  const differ = rows.flatMap(({ stack, resources }) =>
    resources.map(({ urn, kind, keys, since, says = [] }) =>
      visible(
        `${stack}: ${[urn, kind, keys.join(', '), `since ${since}`, ...says].filter((text) => text !== '').join('  ')}`,
      ),
    ),
  );
  context.stdout.write(`${[who, ...table, ...differ].join('\n')}\n`);
  return EXIT.ok;
};

interface StackStatus {
  readonly stack: string;
  readonly run: string | null;
  readonly last: string | null;
  readonly drift: number | null;
  readonly resources: readonly DriftedResource[];
  readonly next: string | null;
}

function stackStatus(name: string, { runs, drift, stacks }: AgentState): StackStatus {
  const own = [...runs.values()].filter(({ stack }) => stack === name);
  const open = own.find(({ status: each }) => !hasRunEnded(each));
  const last = own.findLast(({ status: each }) => hasRunEnded(each));
  const row = stacks.get(name);
  const times = [row?.drift?.next, row?.up?.next].filter((time) => time !== undefined).sort();
  return {
    stack: name,
    run: open === undefined ? null : `${open.kind} ${open.id} ${open.status}`,
    last: last === undefined ? null : `${last.kind} ${last.id} ${last.status}`,
    drift: drift.get(name)?.resources.length ?? null,
    resources: drift.get(name)?.resources ?? [],
    next: times[0] ?? null,
  };
}

/** `agent runs` */
export const runs: Command<ServedFlags & Switches<'json'> & Texts<'stack'>> = async (
  { args: [id], flags },
  context,
) => {
  const service = serviceOf(flags);
  if (service !== undefined) return (await atService()).runsOf(context, service, id, flags);
  const config = await readAgentFile(context, flags);
  const state = await readAgentState(config.folder);
  if (id !== undefined) return showRun(context, state, id, flags.json);
  const wanted = (row: { readonly stack: string }): boolean =>
    flags.stack === undefined || row.stack === flags.stack;
  const listed = [...state.runs.values()].filter(wanted);
  const requests = new Map([...state.requests, ...(await unreadRequests(config.folder, state))]);
  const queue = placesOf(config, { ...state, requests }).filter(({ request }) => wanted(request));
  if (flags.json) {
    printJson(context, { runs: listed as unknown as Json, requests: queue as unknown as Json });
    return EXIT.ok;
  }
  if (listed.length === 0 && queue.length === 0) context.stderr.write('no runs found\n');
  else
    context.stdout.write(
      `${alignedLines([
        ['RUN', 'STACK', 'KIND', 'BY', 'STATUS', 'WHY'],
        ...listed.map(({ id: run, stack, kind, by, status: at, why }) => [
          run,
          stack,
          kind,
          by,
          at,
          why.join('; '),
        ]),
        ...queue.map(({ request: { stack, kind, by }, waitsFor }) => [
          '-',
          stack,
          kind,
          by,
          'queued',
          waitsFor === undefined ? '' : `waits for ${waitsFor}`,
        ]),
      ])
        .map((line) => visible(line))
        .join('\n')}\n`,
    );
  return EXIT.ok;
};

/** Returns the requests that the agent has not read yet, because it does not run. */
async function unreadRequests(
  folder: string,
  { requests }: AgentState,
): Promise<readonly (readonly [string, RequestRow])[]> {
  const messages = await readAgentMessages(folder);
  return messages.flatMap(({ message }) =>
    message?.t === 'request' && !requests.has(message.request.id)
      ? [[message.request.id, message.request] as const]
      : [],
  );
}

function placesOf(
  { stacks }: AgentConfig,
  { requests, runs: all }: AgentState,
): readonly { readonly request: RequestRow; readonly waitsFor: string | undefined }[] {
  const queued = [...requests.values()].filter(isQueued);
  return queuePlaces(
    queued,
    all.values(),
    (name) => stacks.find((stack) => stack.name === name)?.after ?? [],
  );
}

function showRun(context: CommandContext, { runs: all }: AgentState, id: string, json: boolean): number {
  const run = all.get(id);
  if (run === undefined)
    throw cairnError('CAIRN-USAGE', `there is no run ${JSON.stringify(id)}`, {
      hint: 'List runs with `cairn agent runs`.',
    });
  if (json) printJson(context, run as unknown as Json);
  else
    context.stdout.write(
      `${[...runLines(run), ...factLines({ cairn: { run }, updates: [] })]
        .map((line) => visible(line))
        .join('\n')}\n`,
    );
  return EXIT.ok;
}

/** `agent notices` */
export const notices: Command<
  ServedFlags & Switches<'acknowledge' | 'json'> & Texts<'after' | 'org' | 'wait'>
> = async ({ flags }, context) => {
  const after = flags.after === undefined ? undefined : timeOf(flags.after);
  const waitMs = flags.wait === undefined ? 0 : durationOf(flags.wait);
  const service = serviceOf(flags);
  const found =
    service === undefined
      ? await ownNotices(context, flags, after, waitMs)
      : await (await atService()).noticesOf(context, service, flags, after ?? '', waitMs);
  const sorted = [...found].sort((a, b) => (a['last-repeated'] < b['last-repeated'] ? -1 : 1));
  const fresh = sorted.filter(isNewNotice);
  if (flags.json) for (const notice of sorted) context.stdout.write(`${JSON.stringify(notice)}\n`);
  else
    for (const { type, key, occurrences, 'last-repeated': at, 'last-data': data = {} } of fresh) {
      const facts = Object.entries(data).flatMap(([name, value]) =>
        value === '' ? [] : [`${name}=${value}`],
      );
      const count = occurrences > 1 ? [`${occurrences} times`] : [];
      context.stdout.write(`${visible([at, `${type} ${key}`, ...count, ...facts].join('  '))}\n`);
    }
  if (flags.acknowledge && fresh.length > 0)
    await (service === undefined
      ? (await import('./agent-notify.js')).acknowledge(context, flags, fresh)
      : (await atService()).acknowledgeAt(context, service, flags, fresh));
  if (sorted.length > 0 || flags.wait === undefined) return EXIT.ok;
  throw cairnError('CAIRN-TIMEOUT', `there was no notice within ${flags.wait}`);
};

/** Tells if no person has acknowledged a notice since it was last repeated. */
function isNewNotice({
  acknowledged,
  'last-repeated': repeated,
}: Pick<AgentState['notices'][number], 'acknowledged' | 'last-repeated'>): boolean {
  return acknowledged === undefined || acknowledged.at < repeated;
}

/** Returns the notices in the folder of an agent after a time. Waits for one, at most for some time. */
async function ownNotices(
  context: CommandContext,
  flags: AgentFlags,
  after: string | undefined,
  waitMs: number,
): Promise<AgentState['notices']> {
  const { folder } = await readAgentFile(context, flags);
  const found = await watchAgentState(folder, waitMs, context.onInterrupt, (state) => {
    const later = state.notices.filter((notice) => after === undefined || notice['last-repeated'] > after);
    return later.length > 0 ? later : undefined;
  });
  return found ?? [];
}

/** Returns a time in the form of notices, which sort as texts. */
function timeOf(text: string): string {
  const time = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time))
    throw cairnError('CAIRN-USAGE', `--after takes an RFC 3339 time, not ${JSON.stringify(text)}`, {
      hint: 'Use `last-repeated` of the last notice.',
    });
  return text.endsWith('Z') ? text : new Date(time).toISOString();
}

function durationOf(text: string): number {
  const ms = parseDuration(text);
  if (ms !== undefined && ms > 0) return ms;
  throw cairnError('CAIRN-USAGE', `--wait takes a duration, not ${JSON.stringify(text)}`, {
    hint: 'Give it as 30s or 1h.',
  });
}

const atService = () => import('./agent-service.js');
