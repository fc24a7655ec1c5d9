import { command } from '../../command-spec.js';
import type { CommandSpec } from '../../command-spec.js';
import { jsonFlag, outputFormFlag, stackFlag, yesFlag } from '../../flags/stack.js';

const hookArg = {
  name: 'id',
  summary: 'Id of the webhook, as `cairn stack webhook ls` lists it',
  required: true,
};
const shownFlags = [stackFlag, jsonFlag, outputFormFlag] as const;
const formatFlag = {
  name: 'hook-format',
  value: 'format',
  summary: 'Form of the events: raw (default), slack or ms_teams; mailto addresses get mail',
} as const;
const linksFlag = {
  name: 'links',
  value: 'user',
  summary:
    'User who alone reads the address: approvals that are wanted have a link that approves as that user',
} as const;
const EVENT = 'such as update_failed';
const GROUP = 'stacks or deployments';

/** Commands for webhooks of a stack, which a state service sends. */
export const stackWebhookCommands: readonly CommandSpec[] = [
  command({
    path: ['stack', 'webhook', 'ls'],
    aliases: ['list'],
    summary: 'List the webhooks of the stack',
    flags: shownFlags,
    examples: ['cairn stack webhook ls'],
    load: () => import('../stack-webhook.js').then(({ list }) => list),
  }),
  command({
    path: ['stack', 'webhook', 'new'],
    aliases: ['create', 'setup'],
    summary: 'Have the state service send events of the stack to an address',
    flags: [
      ...shownFlags,
      { name: 'name', value: 'name', summary: 'Name for people' },
      { name: 'url', value: 'url', summary: 'Address that events are sent to' },
      { name: 'event', value: 'event', holds: 'list', summary: `Send this event, ${EVENT} (default: all)` },
      { name: 'group', value: 'group', holds: 'list', summary: `Send all events of this group: ${GROUP}` },
      formatFlag,
      linksFlag,
      { name: 'secret', value: 'text', summary: 'Key for the signature of what is sent' },
      { name: 'active', standard: 'on', summary: 'Send events from the beginning' },
      yesFlag,
    ],
    examples: [
      'cairn stack webhook new --name ops --url https://example.com/hook',
      'cairn stack webhook new --name ada --url mailto:ada@example.com --event approval_wanted --links ada',
      'cairn stack webhook new --name chat --url https://example.com/chat --hook-format slack --event update_failed',
    ],
    load: () => import('../stack-webhook.js').then(({ create }) => create),
  }),
  command({
    path: ['stack', 'webhook', 'get'],
    summary: 'Show a webhook',
    args: [hookArg],
    flags: shownFlags,
    examples: ['cairn stack webhook get 3327368cb9f5'],
    load: () => import('../stack-webhook.js').then(({ get }) => get),
  }),
  command({
    path: ['stack', 'webhook', 'edit'],
    aliases: ['update', 'modify'],
    summary: 'Change a webhook; what no flag names stays',
    args: [hookArg],
    flags: [
      ...shownFlags,
      { name: 'display-name', value: 'name', summary: 'Name for people' },
      { name: 'url', value: 'url', summary: 'Address that events are sent to' },
      { name: 'add-event', value: 'event', holds: 'list', summary: `Send this event as well, ${EVENT}` },
      { name: 'remove-event', value: 'event', holds: 'list', summary: 'Stop naming this event' },
      {
        name: 'add-group',
        value: 'group',
        holds: 'list',
        summary: `Send all events of this group: ${GROUP}`,
      },
      { name: 'remove-group', value: 'group', holds: 'list', summary: 'Stop naming this group' },
      formatFlag,
      linksFlag,
      { name: 'secret', value: 'text', summary: 'Key for the signature of what is sent; empty removes it' },
      {
        name: 'active',
        value: 'true|false',
        holds: 'choice',
        of: ['true', 'false'],
        alone: 'true',
        summary: 'Send events, or stop sending them',
      },
    ],
    examples: ['cairn stack webhook edit 3327368cb9f5 --active=false'],
    load: () => import('../stack-webhook.js').then(({ edit }) => edit),
  }),
  command({
    path: ['stack', 'webhook', 'rm'],
    aliases: ['remove', 'delete'],
    summary: 'Remove a webhook',
    args: [hookArg],
    flags: [stackFlag, yesFlag],
    examples: ['cairn stack webhook rm 3327368cb9f5 --yes'],
    load: () => import('../stack-webhook.js').then(({ remove }) => remove),
  }),
  command({
    path: ['stack', 'webhook', 'ping'],
    summary: 'Send a webhook an event to try it, and show how it was answered',
    args: [hookArg],
    flags: shownFlags,
    examples: ['cairn stack webhook ping 3327368cb9f5'],
    load: () => import('../stack-webhook.js').then(({ ping }) => ping),
  }),
  command({
    path: ['stack', 'webhook', 'delivery', 'ls'],
    aliases: ['list'],
    summary: 'List what a webhook has sent, newest first',
    args: [hookArg],
    flags: [...shownFlags, { name: 'count', value: 'n', holds: 'count', summary: 'List at most so many' }],
    examples: ['cairn stack webhook delivery ls 3327368cb9f5'],
    load: () => import('../stack-webhook.js').then(({ deliveries }) => deliveries),
  }),
  command({
    path: ['stack', 'webhook', 'delivery', 'redeliver'],
    summary: 'Send a delivery again, and show how it was answered',
    args: [
      hookArg,
      {
        name: 'delivery',
        summary: 'Id of the delivery, as `cairn stack webhook delivery ls` lists it',
        required: true,
      },
    ],
    flags: shownFlags,
    examples: ['cairn stack webhook delivery redeliver 3327368cb9f5 1795926890-acbd78b1'],
    load: () => import('../stack-webhook.js').then(({ redeliver }) => redeliver),
  }),
];
