import { discardingStore, openChange, systemClock } from '@cairn/changes';
import type { ChangeMachine, OnError } from '@cairn/changes';
import type { OperationRequest } from '../model/request.js';
import type { Ports } from '../ports.js';
import { atATime } from './limiter.js';

/**
 * The change that records an operation; a preview's is kept nowhere. `onError`: what an error does to the other tasks.
 * Its handlers are told later, because they work with it.
 */
export function openMachine(
  { kind, preview, identity, concurrency }: OperationRequest,
  { clock, newId, store }: Ports,
  onError: OnError,
): ChangeMachine {
  const { organization, project, stack } = identity;
  return openChange(
    {
      id: newId(),
      kind: preview ? `preview-${kind}` : kind,
      summary: `${kind} ${project}/${stack}`,
      scope: `${organization}/${project}/${stack}`,
      growing: true,
    },
    {
      store: preview ? discardingStore() : store,
      kinds: {},
      clock: {
        now: () => clock.now(),
        monotonicMs: () => clock.monotonicMs(),
        after: (ms, run) => (clock.after ?? systemClock.after).call(clock, ms, run),
      },
      parallelism: atATime(concurrency.parallel),
      policies: { onError },
    },
  );
}
