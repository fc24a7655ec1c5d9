import type { RouteName } from '@cairn/http-api';

/**
 * Call of a client. `verb` says in errors what failed. `retried`: the service does it once however often it is sent, so
 * it is sent again after a failure that may pass. `packs`: its body is sent compressed.
 */
export interface ServiceCallRules {
  readonly verb: string;
  readonly retried: boolean;
  readonly packs?: true;
}

/** The calls that this client makes, and how it makes them. */
export const SERVICE_CALLS = {
  user: { verb: 'log in', retried: true },
  exchangeToken: { verb: 'exchange the token', retried: true },
  defaultOrganization: { verb: 'ask for the default organization', retried: true },
  listStacks: { verb: 'list its stacks', retried: true },
  createStack: { verb: 'create the stack', retried: false },
  getStack: { verb: 'read the stack', retried: true },
  deleteStack: { verb: 'remove the stack', retried: false },
  renameStack: { verb: 'rename the stack', retried: false },
  setTags: { verb: 'store tags', retried: false },
  exportState: { verb: 'read the state', retried: true },
  exportVersion: { verb: 'read the state of an update', retried: true },
  importState: { verb: 'store the state', retried: false, packs: true },
  importVersion: { verb: 'add to the history', retried: true, packs: true },
  listUpdates: { verb: 'read the history', retried: true },
  encrypt: { verb: 'encrypt secrets', retried: true },
  decrypt: { verb: 'decrypt secrets', retried: true },
  batchEncrypt: { verb: 'encrypt secrets', retried: true, packs: true },
  batchDecrypt: { verb: 'decrypt secrets', retried: true, packs: true },
  createUpdate: { verb: 'begin the operation', retried: false },
  startUpdate: { verb: 'begin the operation', retried: false },
  updateStatus: { verb: 'read the status of an update', retried: true },
  cancelUpdate: { verb: 'cancel the operation', retried: true },
  renewLease: { verb: 'renew the lease', retried: true },
  checkpoint: { verb: 'store the state', retried: true, packs: true },
  journalEntries: { verb: 'record steps', retried: true, packs: true },
  addEvents: { verb: 'record events', retried: true, packs: true },
  completeUpdate: { verb: 'end the operation', retried: true },
  capabilities: { verb: 'ask for the capabilities', retried: true },
  listChanges: { verb: 'list its changes', retried: true },
  changeRecords: { verb: 'read the records of a change', retried: true },
  changeBase: { verb: 'read the state before a change', retried: true },
  importChange: { verb: 'add a change', retried: true, packs: true },
  changeMessages: { verb: 'read the messages to a change', retried: true },
  keepPlace: { verb: 'wait for the stack', retried: true },
  leaveQueue: { verb: 'leave the queue of the stack', retried: true },
  consoleLink: { verb: 'open the console', retried: false },
  listStackHooks: { verb: 'list webhooks', retried: true },
  createStackHook: { verb: 'make the webhook', retried: false },
  getStackHook: { verb: 'read the webhook', retried: true },
  changeStackHook: { verb: 'change the webhook', retried: true },
  deleteStackHook: { verb: 'remove the webhook', retried: false },
  pingStackHook: { verb: 'try the webhook', retried: false },
  stackHookDeliveries: { verb: 'list deliveries of the webhook', retried: true },
  redeliverStackHook: { verb: 'send the delivery again', retried: false },
  listSchedules: { verb: 'list schedules', retried: true },
  getSchedule: { verb: 'read the schedule', retried: true },
  createSchedule: { verb: 'make the schedule', retried: false },
  createDriftSchedule: { verb: 'make the schedule', retried: false },
  createTtlSchedule: { verb: 'make the schedule', retried: false },
  changeSchedule: { verb: 'change the schedule', retried: true },
  changeDriftSchedule: { verb: 'change the schedule', retried: true },
  changeTtlSchedule: { verb: 'change the schedule', retried: true },
  pauseSchedule: { verb: 'pause the schedule', retried: true },
  resumeSchedule: { verb: 'resume the schedule', retried: true },
  removeSchedule: { verb: 'remove the schedule', retried: false },
  deploymentSettings: { verb: 'read the deployment settings', retried: true },
  changeDeploymentSettings: { verb: 'change the deployment settings', retried: true },
  removeDeploymentSettings: { verb: 'remove the deployment settings', retried: true },
  driftStatus: { verb: 'read the drift of the stack', retried: true },
  driftRuns: { verb: 'list looks for drift', retried: true },
  sendMessage: { verb: 'send a message to a change', retried: false },
} as const satisfies Partial<Record<RouteName, ServiceCallRules>>;

/** Name of a call of a client. */
export type ServiceCallName = keyof typeof SERVICE_CALLS;
