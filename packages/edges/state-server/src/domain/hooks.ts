import type { ApprovalClaims } from '@cairn/changes-daemon';
import { HOOK_EVENTS } from '@cairn/http-api';
import type { ConsolePage, HookAnswer, HookEvent, HookGroup } from '@cairn/http-api';
import type { WrappedKey } from '../crypto/stack-keys.js';
import { driftedBy } from './drift-looks.js';
import type { UpdateEnding, UpdateRecord } from './update-record.js';

/** Webhook of an organization, or of one of its stacks. The id is its name. */
export interface Hook {
  readonly id: string;
  /** Immutable id of its stack. Undefined for one about all stacks of the organization. */
  readonly stackId?: string;
  readonly displayName: string;
  readonly active: boolean;
  readonly format: HookAnswer['format'];
  readonly filters: readonly HookEvent[];
  readonly groups: readonly HookGroup[];
  /** Address and secret, sealed under a key of their own. */
  readonly sealed: { readonly key: WrappedKey; readonly text: string };
  readonly hasSecret: boolean;
  /** Login of the user who reads it. Links in it approve as that user. Defaults to none. */
  readonly links?: string;
}

/** Something that happened, for webhooks. `events` are the names under which they can ask for it. */
export interface HookOccasion {
  readonly kind: 'stack' | 'stack_update' | 'stack_preview' | 'drift_detection' | 'notice' | 'ping';
  readonly events: readonly HookEvent[];
  /** Login of the user who did it. */
  readonly by: string;
  /** In seconds since 1970. */
  readonly at: number;
  /** Part of the ids of its deliveries beside the update or the stack. Defaults to none. */
  readonly about?: string;
  /** Fields of its body beside those that every body has. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** Page that shows it. Defaults to the first one of the stack. */
  readonly page?: ConsolePage;
  /** Content of a link in it that approves. Defaults to none. */
  readonly approves?: Omit<ApprovalClaims, 'person'>;
}

/** Returns true for a webhook that wants to know of something on a stack. Its life is for those of organizations. */
export function wants(hook: Hook, { events, kind }: HookOccasion, stackId: string): boolean {
  if (!hook.active || (hook.stackId !== undefined && (hook.stackId !== stackId || kind === 'stack')))
    return false;
  const { filters, groups } = hook;
  if (filters.length === 0 && groups.length === 0) return true;
  const asked: ReadonlySet<HookEvent> = new Set([
    ...filters,
    ...groups.flatMap((group): readonly HookEvent[] => HOOK_EVENTS[group]),
  ]);
  return events.some((event) => asked.has(event));
}

/** Names of the events of updates that change a stack. A renaming has none. */
const VERBS = {
  update: 'update',
  preview: 'update',
  refresh: 'refresh',
  destroy: 'destroy',
  import: 'import',
  'resource-import': 'import',
  rename: undefined,
} as const satisfies Record<UpdateRecord['kind'], string | undefined>;

/**
 * Returns what webhooks learn of an update that ends. A preview of a refresh is a look for drift as well: any change
 * that it found is drift. `resources` names what differs.
 */
export function occasionsOf(
  record: Pick<UpdateRecord, 'id' | 'kind' | 'by' | 'dryRun' | 'resourceChanges' | 'change'>,
  { status, at }: UpdateEnding,
  resources = '',
): readonly HookOccasion[] {
  const verb = VERBS[record.kind];
  if (verb === undefined) return [];
  const { by, dryRun, resourceChanges = {} } = record;
  const result = status === 'succeeded' ? 'succeeded' : 'failed';
  const common = { by, at };
  const facts = { updateId: record.id, kind: verb, result, resourceChanges };
  if (!dryRun)
    return [
      {
        ...common,
        kind: 'stack_update',
        page: pageOfUpdate(record),
        events: [`${verb}_${result}`],
        facts: { ...facts, isPreview: false },
      },
    ];
  const preview = {
    ...common,
    kind: 'stack_preview',
    page: pageOfUpdate(record),
    events: [`preview_${result}`],
    facts: { ...facts, isPreview: true },
  } as const;
  if (verb !== 'refresh') return [preview];
  const driftDetected = result === 'succeeded' && driftedBy({ resourceChanges }) > 0;
  return [
    preview,
    {
      ...common,
      kind: 'drift_detection',
      page: 'drift',
      events: [`drift_detection_${result}`, ...(driftDetected ? (['drift_detected'] as const) : [])],
      facts: { updateId: record.id, result, driftDetected, resourceChanges, ...(resources && { resources }) },
    },
  ];
}

/** Returns the page of an update. Without records of its change, only the history has it. */
export function pageOfUpdate({
  id,
  dryRun,
  change,
}: Pick<UpdateRecord, 'id' | 'dryRun' | 'change'>): ConsolePage {
  if (dryRun) return `previews/${id}`;
  return change?.number === undefined ? 'history' : `changes/${change.number}`;
}

/** Notice about a stack, and the number of the run that it is about. */
interface StackNotice {
  readonly type: string;
  readonly run?: number | undefined;
  /** Login of the user who asked for the run. */
  readonly by: string;
  readonly at: number;
  readonly approves?: HookOccasion['approves'];
}

/** Notices that webhooks learn of, in words, with `RUN` in the place of the run. */
export const NOTICE_WORDS = {
  approval_wanted: 'RUN waits for an approval',
  run_failed: 'RUN failed',
  afterwards_failed: 'a command after RUN failed',
  run_held: 'RUN waits for a person',
  run_recovered: 'the operation of RUN was recovered',
  agent_lost: 'the agent of RUN is silent',
  source_failed: 'the source of the stack cannot be read',
} as const satisfies Partial<Record<HookEvent, string>>;

/** Returns what webhooks learn of a notice. The preview that finds a drift has an occasion of its own. */
export function noticed({ type, run, by, at, approves }: StackNotice): readonly HookOccasion[] {
  const event = type.replaceAll('-', '_');
  if (!Object.hasOwn(NOTICE_WORDS, event)) return [];
  return [
    {
      ...{ kind: 'notice', events: [event as HookEvent], by, at, about: `-${type}-${run ?? 0}` },
      facts: { notice: event, ...(run !== undefined && { run }) },
      page: run === undefined ? 'runs' : `runs/${run}`,
      ...(approves !== undefined && { approves }),
    },
  ];
}

/** Returns what webhooks learn of a stack that comes or goes. */
export function lifeOf(action: 'created' | 'deleted', by: string, at: number): HookOccasion {
  return { kind: 'stack', events: [`stack_${action}`], by, at, facts: { action } };
}
