import { command } from '../../command-spec.js';
import type { CommandSpec } from '../../command-spec.js';
import { agentFileFlag, agentFlags, agentOrgFlag, servedStackFlag, serviceFlag } from '../../flags/agent.js';
import { jsonFlag } from '../../flags/stack.js';

const runArg = { name: 'run', summary: 'Number of the run, as `cairn agent runs` lists it', required: true };

/** Commands of the agent. */
export const agentCommands: readonly CommandSpec[] = [
  command({
    path: ['agent'],
    summary: 'Run the agent, which keeps stacks as their programs and policies say',
    flags: agentFlags,
    examples: [
      'cairn agent --config agent.yaml',
      'cairn agent --service https://state.example.com --org acme --pool blue',
    ],
    load: () => import('../agent.js').then(({ run }) => run),
  }),
  command({
    path: ['agent', 'status'],
    summary: 'Show the agent and its stacks: open runs, drift and the next times',
    flags: [agentFileFlag, serviceFlag, agentOrgFlag, jsonFlag],
    examples: ['cairn agent status'],
    load: () => import('../agent-views.js').then(({ status }) => status),
  }),
  command({
    path: ['agent', 'runs'],
    summary: 'List the runs of the agent and the requests that wait, or show one run',
    args: [{ ...runArg, required: false }],
    flags: [
      agentFileFlag,
      serviceFlag,
      {
        name: 'stack',
        short: 's',
        value: 'name',
        summary: 'Only runs of this stack of the file, or of the service',
      },
      jsonFlag,
    ],
    examples: ['cairn agent runs', 'cairn agent runs 7'],
    load: () => import('../agent-views.js').then(({ runs }) => runs),
  }),
  command({
    path: ['agent', 'approve'],
    summary: 'Approve the plan that a run waits with',
    args: [runArg],
    flags: [agentFileFlag, serviceFlag, servedStackFlag],
    examples: [
      'cairn agent approve 7',
      'cairn agent approve 7 --service https://state.example.com --stack shop/dev',
    ],
    load: () => import('../agent-messages.js').then(({ approve }) => approve),
  }),
  command({
    path: ['agent', 'deny'],
    summary: 'End a run that waits for an approval',
    args: [runArg],
    flags: [
      agentFileFlag,
      serviceFlag,
      servedStackFlag,
      { name: 'reason', value: 'text', summary: 'Reason that the run shows' },
    ],
    examples: ['cairn agent deny 7 --reason "after the release"'],
    load: () => import('../agent-messages.js').then(({ deny }) => deny),
  }),
  command({
    path: ['agent', 'notices'],
    summary: 'List what the agent has to report, or wait for the next report',
    flags: [
      agentFileFlag,
      serviceFlag,
      agentOrgFlag,
      { name: 'after', value: 'time', summary: 'Only notices reported after this RFC 3339 time' },
      { name: 'wait', value: 'duration', summary: 'Wait up to this long for a notice, such as 30s' },
      { name: 'acknowledge', summary: 'List none of them again until it is repeated' },
      jsonFlag,
    ],
    examples: [
      'cairn agent notices --acknowledge',
      'cairn agent notices --after 2026-01-01T00:00:00Z --wait 1h --json',
    ],
    load: () => import('../agent-views.js').then(({ notices }) => notices),
  }),
  command({
    path: ['agent', 'deliveries'],
    summary: 'List the notices that were sent to targets, and those that are still to be sent',
    flags: [agentFileFlag, jsonFlag],
    examples: ['cairn agent deliveries'],
    load: () => import('../agent-notify.js').then(({ deliveries }) => deliveries),
  }),
  command({
    path: ['agent', 'redeliver'],
    summary: 'Send a notice to its target again',
    args: [
      {
        name: 'delivery',
        summary: 'Id of the delivery, as `cairn agent deliveries` lists it',
        required: true,
      },
    ],
    flags: [agentFileFlag],
    examples: ['cairn agent redeliver a1b2c3d4e'],
    load: () => import('../agent-notify.js').then(({ redeliver }) => redeliver),
  }),
  command({
    path: ['agent', 'warnings'],
    summary: 'Show the warnings of the agent',
    flags: [agentFileFlag, { name: 'acknowledge', summary: 'Do not show them again for a day' }, jsonFlag],
    examples: ['cairn agent warnings --acknowledge'],
    load: () => import('../agent-notify.js').then(({ warnings }) => warnings),
  }),
  command({
    path: ['agent', 'drain'],
    summary: 'Have the agent end its running operations, begin no others, and stop',
    args: [
      { name: 'agent', summary: 'Name of an agent of the service (default: all that run)', required: false },
    ],
    flags: [agentFileFlag, serviceFlag, agentOrgFlag],
    load: () => import('../agent-messages.js').then(({ drain }) => drain),
  }),
  command({
    path: ['request'],
    summary: 'Ask the agent for an operation on one of its stacks',
    args: [
      { name: 'operation', summary: 'Operation: up, preview, refresh, destroy, or drift', required: true },
    ],
    flags: [
      agentFileFlag,
      serviceFlag,
      {
        name: 'stack',
        short: 's',
        value: 'name',
        summary: 'Name of the stack in the file of the agent, or in the service',
      },
      { name: 'commit', value: 'id', summary: 'Use this commit, also if it is not the newest' },
      { name: 'refresh', short: 'r', summary: 'Read the real state of the resources first' },
    ],
    examples: [
      'cairn request up --stack dev',
      'cairn request destroy --stack dev',
      'cairn request up --service https://state.example.com --stack shop/dev',
    ],
    load: () => import('../agent-messages.js').then(({ request }) => request),
  }),
];
