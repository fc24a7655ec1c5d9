import { randomUUID } from 'node:crypto';
import { cairnError } from '@cairn/diagnostics';
import type { AgentConfig } from './config/agent-config.js';
import { readAgentState } from './folder/agent-folder.js';
import { approvalKey } from './folder/approval-key.js';
import { leaveAgentMessage, makeInbox } from './folder/inbox.js';
import type { AgentRows } from './runs/ledger.js';
import type { AgentMessage } from './runs/messages.js';
import { serveAgent } from './listen/agent-server.js';
import type { AgentServer, ListenAt } from './listen/agent-server.js';

/** Milliseconds without a pass after which the loop seems to have stopped. */
const STALE_MS = 180_000;

/** Parts that the listener needs from outside. */
interface ListenerPorts {
  readonly listen?: ListenAt | undefined;
  readonly log: (text: string, facts?: Readonly<Record<string, string>>) => void;
}

/** Parts of an agent that come into being while its server runs. */
export interface LiveAgent {
  /** `lastPass`: time of the last pass, in milliseconds since 1970. */
  core?: { readonly lastPass: number; readonly ledger: Pick<AgentRows, 'runs'> };
  metrics?: () => Promise<{ readonly type: string; readonly text: string }>;
}

/** Serves webhooks, approvals, health and metrics, also while another agent has the folder. */
export async function listenForAgent(
  config: AgentConfig,
  { listen: address, log }: ListenerPorts,
  secretOf: (variable: string) => string,
  live: LiveAgent,
): Promise<AgentServer | undefined> {
  if (address === undefined) {
    if (config.links === undefined) return undefined;
    throw cairnError('CAIRN-USAGE', 'cannot send links that approve: the agent has no address', {
      hint: 'Start it with --listen, or remove "links" from its file.',
    });
  }
  await makeInbox(config.folder);
  const now = (): Date => new Date();
  const leave = (id: string, message: AgentMessage): Promise<void> =>
    leaveAgentMessage(config.folder, id, now(), message);
  const server = await serveAgent(address, {
    webhooks: {
      forges: config.forges ?? [],
      secretOf,
      now,
      leave,
    },
    approvals:
      config.links === undefined
        ? undefined
        : {
            ...{
              config,
              now,
              leave,
              key: await approvalKey(config.folder),
              newId: () => randomUUID().slice(0, 8),
            },
            // The folder is a moment late. A second agent on it has nothing else.
            runOf: async (id) => (live.core?.ledger ?? (await readAgentState(config.folder))).runs.get(id),
          },
    health: () => ({
      dead:
        live.core !== undefined && Date.now() - live.core.lastPass >= STALE_MS
          ? 'no pass for too long'
          : undefined,
      unready: live.core === undefined ? 'another agent has the folder' : undefined,
    }),
    metrics: () => live.metrics?.() ?? Promise.resolve({ type: 'text/plain', text: '' }),
    log,
  });
  log(`listening on ${server.url}`);
  return server;
}
