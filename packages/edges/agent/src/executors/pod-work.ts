import { POLICY_STEP_KINDS } from '@cairn/changes-daemon';
import type { RunRow } from '@cairn/changes-daemon';
import { fail } from '@cairn/diagnostics';
import * as v from 'valibot';
import type { AgentStack } from '../config/agent-config.js';
import type { StackWork } from '../stack-work.js';

/** Version of the form of the work. The agent and the image of its pods have the same. */
const POD_WORK_VERSION = 4;

/** Parts of a run. Each has a pod of its own. */
export type PodPart = 'plan' | 'apply' | 'look' | 'resume' | 'rollback' | 'drift' | 'remove';

/** OpenID Connect tokens that the pod asks the service for, with the token of its run. */
export interface PodTokens {
  readonly url: string;
  readonly token: string;
  readonly organization: string;
  readonly project: string;
  readonly stack: string;
  readonly deployment: string;
  readonly fence: number;
  /** Settings of the deployment with `operationContext.oidc`. */
  readonly settings: Readonly<Record<string, unknown>>;
}

/** Work of one container of a pod. */
export interface PodWork {
  readonly version: typeof POD_WORK_VERSION;
  /** `source` fetches the program for the other container, which has no credentials for git. */
  readonly part: PodPart | 'source';
  readonly stack: AgentStack;
  readonly run: RunRow;
  /** Variables of the programs. */
  readonly env: Readonly<Record<string, string>>;
  /** Credentials for git, for the part `source`. Default to none. */
  readonly git?: string;
  /** True if the part `source` reads the newest commit as well. Defaults to false. */
  readonly withHead?: true;
  /** True if the program was fetched by a part `source`. Defaults to false. */
  readonly isFetched?: true;
  /** Plan that is applied. Defaults to none. */
  readonly plan?: string;
  readonly tokens?: PodTokens;
}

/** Returns the text of the work of a pod. */
export function podWorkText(work: Omit<PodWork, 'version'>): string {
  const { cluster: _cluster, container: _container, limits, timeToLive: _time, ...stack } = work.stack;
  const { memoryBytes: _memory, processors: _processors, ...own } = limits;
  // The pod has limits of its own for what is left out.
  return JSON.stringify({ version: POD_WORK_VERSION, ...work, stack: { ...stack, limits: own } });
}

/** Parses the work of a pod. Fails with CAIRN-AGENT-INVALID if the agent that wrote it has another version. */
export function parsePodWork(text: string): PodWork {
  const work = JSON.parse(text) as PodWork;
  if (work.version !== POD_WORK_VERSION)
    fail('CAIRN-AGENT-INVALID', 'the agent has another version of cairn than the image of its pods', {
      hint: 'Use an image with the version of the agent.',
    });
  return work;
}

const Failed = v.strictObject({ t: v.literal('failed'), why: v.string() });
const Stopped = v.strictObject({
  ...{ t: v.literal('stopped'), why: v.string() },
  isDead: v.exactOptional(v.literal(true)),
});
const Moved = v.strictObject({ t: v.literal('moved'), why: v.string() });
const Asks = v.strictObject({ t: v.literal('asks'), why: v.string() });
const Resource = { urn: v.string(), type: v.string() };
const WorkResultBody = v.variant('t', [
  v.strictObject({ t: v.literal('done') }),
  Failed,
  Stopped,
  Moved,
  Asks,
]);

/** Results of the parts, as pods give them. Programs of the pod could write them too, so each member is checked. */
export const RESULTS = {
  plan: v.variant('t', [
    v.strictObject({
      t: v.literal('planned'),
      steps: v.array(v.strictObject({ ...Resource, kind: v.picklist(POLICY_STEP_KINDS) })),
      digest: v.string(),
      base: v.string(),
      commit: v.optional(v.pipe(v.string(), v.regex(/^[0-9a-f]{40,64}$/))),
      changesNothing: v.boolean(),
    }),
    Failed,
    Stopped,
  ]),
  drift: v.variant('t', [
    v.strictObject({
      t: v.literal('looked'),
      resources: v.array(
        v.strictObject({ ...Resource, kind: v.picklist(['update', 'delete']), keys: v.array(v.string()) }),
      ),
    }),
    Failed,
    Stopped,
  ]),
  look: v.picklist([
    ...(['none', 'running', 'unfinished', 'asks'] as const),
    ...(['succeeded', 'failed', 'rolled-back', 'unknown'] as const),
  ]),
  apply: WorkResultBody,
  resume: WorkResultBody,
  rollback: WorkResultBody,
  remove: WorkResultBody,
} satisfies Readonly<Record<PodPart, v.GenericSchema>>;

/** Does a part of a run by the work of one machine. */
export function doPart(work: StackWork, part: PodPart, { stack, run }: PodWork): Promise<unknown> {
  switch (part) {
    case 'resume':
    case 'rollback':
      return work.recover(stack, run, part);
    default:
      return work[part](stack, run);
  }
}
