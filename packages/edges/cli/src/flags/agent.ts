import type { FlagSpec } from './flag-spec.js';

export const agentFileFlag = {
  name: 'config',
  value: 'file',
  summary: 'File of the agent (default: agent.yaml)',
} as const satisfies FlagSpec;

export const serviceFlag = {
  name: 'service',
  value: 'url',
  summary: 'Ask the state service at this address instead of the agent of a file',
} as const satisfies FlagSpec;

export const servedStackFlag = {
  name: 'stack',
  short: 's',
  value: 'name',
  summary: 'Stack of the service, as PROJECT/STACK or ORGANIZATION/PROJECT/STACK',
} as const satisfies FlagSpec;

/** Organization whose agents a command asks. */
export const agentOrgFlag = {
  name: 'org',
  value: 'organization',
  summary: 'Organization (with --service; default: that of the user)',
} as const satisfies FlagSpec;

/** Flags of `agent`. */
export const agentFlags = [
  agentFileFlag,
  { name: 'service', value: 'url', summary: 'Take runs from the state service at this address' },
  agentOrgFlag,
  { name: 'pool', value: 'name', summary: 'Take runs of this pool as well (with --service)' },
  {
    name: 'name',
    value: 'name',
    summary: 'Name of the agent (with --service; default: that of the machine)',
  },
  { name: 'places', value: 'number', holds: 'count', summary: 'Runs at a time (with --service; default: 2)' },
  { name: 'state', value: 'folder', summary: 'Folder that the agent keeps (with --service)' },
  { name: 'local-sources', summary: 'Allow folders and repositories of this machine (with --service)' },
  {
    name: 'executor',
    value: 'file',
    summary: 'Run all commands where this file says (with --service)',
  },
  {
    name: 'pulls',
    value: 'file',
    summary: 'Look after pull requests of stacks in this file (with --service, --listen)',
  },
  {
    name: 'pod-work',
    value: 'file',
    hidden: true,
    summary: 'Do a part of a run',
  },
  { name: 'once', summary: 'Do what is due, and end when only people can continue' },
  { name: 'json', short: 'j', summary: 'Write the log as lines of JSON' },
  {
    name: 'listen',
    value: 'host:port',
    summary: 'Answer health, metrics, webhooks of forges and links at this address',
  },
] as const satisfies readonly FlagSpec[];
