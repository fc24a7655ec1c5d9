import { LONGEST_WAIT_SECONDS, RUN_LEASE_SECONDS } from '@cairn/http-api';
import type { SeenAgent } from '../../store/deployment-store.js';
import { isClaimable } from './deployment.js';
import type { AskedDeployment } from './deployment.js';

/** Time after its last call in which an agent counts as there, in milliseconds. */
const ALIVE_MS = (LONGEST_WAIT_SECONDS + RUN_LEASE_SECONDS) * 1000;

/** True if an agent has called lately, and has neither ended nor been found silent since. */
export function isAgentAlive({ agent: { gone }, agoMs }: SeenAgent): boolean {
  return gone === undefined && agoMs < ALIVE_MS;
}

/** True if a run does nothing until an agent takes it. One that is held waits for a person. */
export function needsAgent(deployment: AskedDeployment): boolean {
  return isClaimable(deployment) && deployment.run?.status !== 'held';
}

/** Returns the words for the agent that a run waits for, and says if no agent there can take it. */
export function wantedAgent({ pool }: AskedDeployment, agents: readonly SeenAgent[]): string {
  const words = pool === undefined ? 'an agent' : `an agent of the pool ${pool}`;
  const isThere = agents.some(
    (each) => isAgentAlive(each) && (pool === undefined || each.agent.pool === pool),
  );
  return isThere ? words : `${words}, and none is there`;
}
