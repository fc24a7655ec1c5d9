import * as v from 'valibot';
import { CONTAINER, SOURCE_CONTAINER } from './job-objects.js';

/** Reasons of a container that does not start, and that no waiting changes. */
const REFUSED: ReadonlySet<string> = new Set([
  ...['ImagePullBackOff', 'InvalidImageName', 'ErrImageNeverPull', 'ImageInspectError'],
  ...['CreateContainerConfigError', 'CreateContainerError', 'RunContainerError'],
]);

/** Reasons of a container that is about to start. */
const STARTS: ReadonlySet<string> = new Set(['ContainerCreating', 'PodInitializing']);

const Reason = v.object({ reason: v.optional(v.string()), message: v.optional(v.string()) });

const ContainerStatuses = v.optional(
  v.nullable(
    v.array(
      v.object({
        name: v.string(),
        state: v.optional(
          v.object({
            waiting: v.optional(v.nullable(Reason)),
            running: v.optional(v.nullable(v.object({}))),
            terminated: v.optional(v.nullable(v.object({ exitCode: v.number(), ...Reason.entries }))),
          }),
        ),
      }),
    ),
  ),
);

/** Members of a pod that are read. */
export const PodBody = v.object({
  metadata: v.object({
    name: v.string(),
    resourceVersion: v.optional(v.string()),
    deletionTimestamp: v.optional(v.nullable(v.string())),
  }),
  status: v.optional(
    v.object({
      phase: v.optional(v.string()),
      reason: v.optional(v.string()),
      message: v.optional(v.string()),
      conditions: v.optional(
        v.nullable(v.array(v.object({ type: v.string(), status: v.string(), ...Reason.entries }))),
      ),
      containerStatuses: ContainerStatuses,
      initContainerStatuses: ContainerStatuses,
    }),
  ),
});

export type Pod = v.InferOutput<typeof PodBody>;

/** State of a pod. `refused`: it will not start. */
export type PodState =
  | { readonly t: 'waits'; readonly why: string }
  | { readonly t: 'refused'; readonly why: string }
  | { readonly t: 'runs' }
  | { readonly t: 'ended'; readonly why: string };

/** Returns the state of a pod from what the cluster says about it. */
export function podState({ status = {} }: Pod): PodState {
  const { phase, conditions, containerStatuses, initContainerStatuses } = status;
  const state = containerStatuses?.find(({ name }) => name === CONTAINER)?.state ?? {};
  const before = initContainerStatuses?.find(({ name }) => name === SOURCE_CONTAINER)?.state ?? {};
  if (phase === 'Failed' || phase === 'Succeeded' || state.terminated) {
    const failed = before.terminated?.exitCode === 0 ? undefined : before.terminated;
    return { t: 'ended', why: endOf(status, state.terminated ?? failed ?? undefined) };
  }
  if (state.running) return { t: 'runs' };
  // The container waits for the one that fetches its program.
  const { reason = '', message = '' } = before.waiting ?? state.waiting ?? {};
  if (REFUSED.has(reason)) return { t: 'refused', why: withMessage(reason, message) };
  if (reason !== '' && !STARTS.has(reason)) return { t: 'waits', why: withMessage(reason, message) };
  const missing = conditions?.find((each) => each.type === 'PodScheduled' && each.status === 'False');
  return {
    t: 'waits',
    why: withMessage(missing?.reason ?? 'its pod has not started', missing?.message ?? ''),
  };
}

function endOf(
  { reason, message = '' }: NonNullable<Pod['status']>,
  terminated: { readonly exitCode: number; readonly reason?: string | undefined } | undefined,
): string {
  // Such as Evicted: the reason of the pod says more than that of its container.
  if (reason !== undefined) return withMessage(reason, message);
  if (terminated === undefined) return 'its pod ended';
  const { exitCode, reason: why = 'Error' } = terminated;
  return why === 'Error' || why === 'Completed' ? `exit code ${exitCode}` : `${why}, exit code ${exitCode}`;
}

function withMessage(reason: string, message: string): string {
  return message === '' ? reason : `${reason}: ${message}`;
}
