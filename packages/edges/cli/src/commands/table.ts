import type { CommandSpec } from '../command-spec.js';
import { agentCommands } from './table/agent.js';
import { operationsCommands } from './table/operations.js';
import { changesCommands } from './table/changes.js';
import { stackCommands } from './table/stack.js';
import { stackScheduleCommands } from './table/stack-schedule.js';
import { stackWebhookCommands } from './table/stack-webhook.js';
import { stateCommands } from './table/state.js';
import { deploymentCommands } from './table/deployment.js';
import { configCommands } from './table/config.js';
import { providerCommands } from './table/providers.js';
import { packageCommands } from './table/packages.js';
import { pluginCommands } from './table/plugins.js';
import { convertCommands } from './table/convert.js';
import { policyCommands } from './table/policy.js';
import { serveAccessCommands } from './table/serve-access.js';
import { serveCommands } from './table/serve.js';
import { generalCommands } from './table/general.js';

/** Every command of Cairn, in the order help shows them. */
export const commandTable: readonly CommandSpec[] = [
  ...operationsCommands,
  ...changesCommands,
  ...stackCommands,
  ...stackWebhookCommands,
  ...stackScheduleCommands,
  ...deploymentCommands,
  ...stateCommands,
  ...configCommands,
  ...providerCommands,
  ...packageCommands,
  ...pluginCommands,
  ...policyCommands,
  ...convertCommands,
  ...agentCommands,
  ...serveCommands,
  ...serveAccessCommands,
  ...generalCommands,
];
