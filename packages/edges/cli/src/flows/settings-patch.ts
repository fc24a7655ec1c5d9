import type { SettingsMembers } from '@cairn/backends';
import { cairnError } from '@cairn/diagnostics';
import type { FlagValues } from '../flags/flag-spec.js';
import type { deploymentEditFlags } from '../flags/deployment.js';

type EditFlags = FlagValues<typeof deploymentEditFlags>;

/** Path of the member of settings that a flag sets. */
const PLACES = {
  gitUrl: ['sourceContext', 'git', 'repoUrl'],
  branch: ['sourceContext', 'git', 'branch'],
  folder: ['sourceContext', 'git', 'repoDir'],
  runnerPool: ['agentPoolID'],
} as const satisfies Partial<Record<keyof EditFlags, readonly string[]>>;

/** Members that are true or false. */
const CHOICES = {
  pushToDeploy: ['gitHub', 'deployCommits'],
  deleteAfterDestroy: ['operationContext', 'options', 'deleteAfterDestroy'],
} as const satisfies Partial<Record<keyof EditFlags, readonly string[]>>;

const VARIABLES = ['operationContext', 'environmentVariables'] as const;

/**
 * Returns the change of settings that a file and flags ask for: a merge patch, in which `null` removes a member. Flags
 * win over the file. Fails with `CAIRN-USAGE` for a variable that is not NAME=VALUE.
 */
export function settingsPatch(file: SettingsMembers, flags: EditFlags): SettingsMembers {
  const set: (readonly [readonly string[], unknown])[] = [];
  for (const [flag, place] of entriesOf(PLACES))
    if (flags[flag] !== undefined) set.push([place, flags[flag]]);
  if (flags.preRunCommand.length > 0) set.push([['operationContext', 'preRunCommands'], flags.preRunCommand]);
  for (const name of flags.removeEnv) set.push([[...VARIABLES, name], null]);
  for (const [name, value] of flags.env.map(pairOf)) set.push([[...VARIABLES, name], value]);
  for (const [name, secret] of flags.secretEnv.map(pairOf)) set.push([[...VARIABLES, name], { secret }]);
  for (const [flag, place] of entriesOf(CHOICES))
    if (flags[flag] !== undefined) set.push([place, flags[flag] === 'true']);
  return set.reduce((patch, [place, value]) => withMember(patch, place, value), file);
}

/** Returns members with one at a path. */
function withMember(
  members: SettingsMembers,
  [name = '', ...rest]: readonly string[],
  value: unknown,
): SettingsMembers {
  if (rest.length === 0) return { ...members, [name]: value };
  const inner = members[name];
  const own = typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? inner : {};
  return { ...members, [name]: withMember(own as SettingsMembers, rest, value) };
}

function pairOf(text: string): readonly [string, string] {
  const [, name, value] = /^([A-Za-z_]\w*)=(.*)$/s.exec(text) ?? [];
  if (name !== undefined && value !== undefined) return [name, value];
  // The text may hold a secret.
  throw cairnError('CAIRN-USAGE', 'cannot set a variable: it is not given as NAME=VALUE', {
    hint: 'Write --env AWS_REGION=eu-west-1.',
  });
}

function entriesOf<Key extends string, Value>(record: Readonly<Record<Key, Value>>): [Key, Value][] {
  return Object.entries(record) as [Key, Value][];
}
