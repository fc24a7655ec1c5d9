import { answerApprovalLink, linkedApproval } from '@cairn/changes-daemon';
import type { LinkAnswer, LinkPorts, RunRow } from '@cairn/changes-daemon';
import type { AgentConfig } from '../config/agent-config.js';
import { stackNamed } from '../config/review-stack.js';
import type { AgentMessage } from '../runs/messages.js';

/** Parts that approval links of an agent with a file need. */
export interface ApprovalPorts extends Pick<LinkPorts, 'key' | 'now' | 'log'> {
  readonly config: AgentConfig;
  readonly newId: () => string;
  /** Reads a run of the agent. */
  readonly runOf: (id: string) => Promise<RunRow | undefined>;
  /** Leaves a message for the agent; durable when the promise resolves. */
  readonly leave: (id: string, message: AgentMessage) => Promise<void>;
}

/** Answers a request for an approval link. The approval takes the way of one from a terminal. */
export function answerApproval(token: string, isClick: boolean, ports: ApprovalPorts): Promise<LinkAnswer> {
  const { config, now, newId, runOf, leave } = ports;
  return answerApprovalLink(token, isClick, {
    ...ports,
    find: async ({ run: id }) => {
      const run = await runOf(id);
      const settings = run && stackNamed(config.stacks, run.stack);
      return { run, persons: linkedPersons(config), others: settings?.policy.others ?? false };
    },
    approve: async (claims) => {
      const approval = { ...linkedApproval(claims), at: now().toISOString() };
      await leave(newId(), { t: 'approve', run: claims.run, approval });
      return undefined;
    },
  });
}

/** Returns the names of the people to whom the file sends links. */
function linkedPersons({ notify = [] }: AgentConfig): ReadonlySet<string> {
  return new Set(
    notify.flatMap((target) => {
      if (target.kind === 'mail') return [...(target.links?.values() ?? [])];
      return target.links === undefined ? [] : [target.links];
    }),
  );
}
