import type { VNode } from 'preact';
import { serviceAddress } from '../../api/base.js';
import { useLoaded } from '../../api/loaded.js';
import { call } from '../../api/client.js';
import { useAction } from '../../parts/action.js';
import { Badge, Empty, Failure, Name, Time, Waiting } from '../../parts/basics.js';
import { rowButton } from '../../parts/fields.js';
import { Table } from '../../parts/table.js';
import { h } from '../../parts/h.js';

interface AgentsProps {
  /** Path of the organization. */
  readonly at: string;
  readonly mayWrite: boolean;
}

interface AgentRow {
  readonly name: string;
  readonly pool?: string;
  /** RFC 3339 time of its last call. */
  readonly seen: string;
  readonly alive: boolean;
}

/** Agents of an organization, their pools, and when the service has last heard of each. */
export function AgentList({ at, mayWrite }: AgentsProps): VNode {
  const { loaded, reload } = useLoaded<{ readonly agents: readonly AgentRow[] }>(`${at}/agents`);
  const { value, failure: unread } = loaded.value;
  const { failure, run } = useAction();
  const drain = (name: string): Promise<unknown> =>
    call('POST', `${at}/agents/${encodeURIComponent(name)}/drain`, {});
  return h('section', { 'aria-label': 'Agents' }, [
    h('h2', null, 'Agents'),
    unread === undefined ? null : h(Failure, { failure: unread, what: 'list the agents' }),
    value === undefined && unread === undefined ? h(Waiting, { what: 'the agents' }) : null,
    value?.agents.length === 0
      ? h(Empty, { text: 'No agent has called.', command: `cairn agent --service ${serviceAddress}` })
      : null,
    (value?.agents.length ?? 0) === 0
      ? null
      : h(Table, {
          label: 'Agents: rows',
          head: ['Agent', 'Pool', 'Now', 'Last seen', ...(mayWrite ? ['Change'] : [])],
          rows: (value?.agents ?? []).map(({ name, pool, seen, alive }) => [
            h(Name, { text: name }),
            h(Name, { text: pool ?? '–' }),
            h(Badge, { tone: alive ? 'create' : 'same', text: alive ? 'there' : 'gone' }),
            h(Time, { ms: Date.parse(seen) }),
            ...(mayWrite
              ? [alive ? rowButton('Drain', `agent ${name}`, () => void run(() => drain(name), reload)) : '']
              : []),
          ]),
        }),
    failure.value === undefined ? null : h(Failure, { failure: failure.value, what: 'drain the agent' }),
  ]);
}
