import { command } from '../../command-spec.js';
import type { CommandSpec } from '../../command-spec.js';
import { deploymentEditFlags } from '../../flags/deployment.js';
import { jsonFlag, outputFormFlag, stackFlag, yesFlag } from '../../flags/stack.js';

/** Commands for the settings by which agents of a state service run a stack. */
export const deploymentCommands: readonly CommandSpec[] = [
  command({
    path: ['deployment', 'settings', 'get'],
    summary: 'Show the settings by which agents of the state service run the stack',
    flags: [stackFlag, jsonFlag, outputFormFlag],
    examples: ['cairn deployment settings get > settings.yaml'],
    load: () => import('../deployment-settings.js').then(({ get }) => get),
  }),
  command({
    path: ['deployment', 'settings', 'edit'],
    aliases: ['update', 'modify'],
    summary: 'Make or change these settings; what is not named stays',
    flags: deploymentEditFlags,
    examples: [
      'cairn deployment settings edit --file settings.yaml',
      'cairn deployment settings edit --git-url https://git.example.com/shop.git --branch main',
      'cairn deployment settings edit --secret-env API_KEY=4711 --remove-env AWS_REGION',
    ],
    load: () => import('../deployment-settings.js').then(({ edit }) => edit),
  }),
  command({
    path: ['deployment', 'settings', 'destroy'],
    aliases: ['down', 'dn', 'clear'],
    summary: 'Remove these settings, so that agents no longer run the stack',
    flags: [stackFlag, yesFlag],
    examples: ['cairn deployment settings destroy --yes'],
    load: () => import('../deployment-settings.js').then(({ destroy }) => destroy),
  }),
];
