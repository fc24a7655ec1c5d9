import { POLICY_STEP_KINDS, REQUEST_KINDS, WEEKDAYS, zoneProblem } from '@cairn/changes-daemon';
import type {
  ApprovalPolicy,
  HoursOfDay,
  PolicyAnswer,
  PolicyRule,
  RuleConditions,
} from '@cairn/changes-daemon';
import type { MapReader } from '@cairn/workspace';
import { oneOf, someOf } from './read-words.js';

/** ApprovalPolicy of a stack without one. */
export const APPROVE_ALL: ApprovalPolicy = { name: 'default', rules: [], approvals: 1, others: false };

/** Reads the named policies of the file. */
export function readPolicies(reader: MapReader): ReadonlyMap<string, ApprovalPolicy> {
  const policies = new Map<string, ApprovalPolicy>();
  const named = reader.submap('policies');
  for (const name of named?.map.entries.keys() ?? []) {
    const policy = named?.submap(name);
    if (policy !== undefined) policies.set(name, readPolicy(policy, name));
  }
  return policies;
}

/** Reads one policy. */
export function readPolicy(reader: MapReader, name: string): ApprovalPolicy {
  const rules = (reader.list('rules') ?? []).flatMap((node, at) => {
    const rule = reader.asMap(node, 'rules');
    return rule === undefined ? [] : [readRule(rule, at)];
  });
  const policy = {
    name,
    rules,
    approvals: reader.count('approvals') ?? 1,
    others: reader.flag('others') ?? false,
  };
  reader.refuseOthers();
  return policy;
}

function readRule(reader: MapReader, at: number): PolicyRule {
  const then = oneOf<PolicyAnswer>(reader, 'then', ['apply', 'approve', 'refuse']);
  if (then === undefined && reader.entry('then') === undefined)
    reader.problem('then', 'is missing', 'Write then: apply, then: approve or then: refuse.');
  const name = reader.text('name') ?? `rule ${at + 1}`;
  const when = readConditions(reader);
  reader.refuseOthers();
  return { name, when, then: then ?? 'approve' };
}

function readConditions(reader: MapReader): RuleConditions {
  const given: RuleConditions = {
    kinds: someOf(reader, 'kinds', POLICY_STEP_KINDS),
    types: reader.texts('types'),
    moreThan: reader.count('moreThan'),
    requests: someOf(reader, 'requests', REQUEST_KINDS),
    by: reader.texts('by'),
    hours: readHours(reader.submap('hours')),
  } as RuleConditions;
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function readHours(reader: MapReader | undefined): HoursOfDay | undefined {
  if (reader === undefined) return undefined;
  const zone = reader.text('zone') ?? 'UTC';
  const fault = zoneProblem(zone);
  if (fault !== undefined) reader.problem('zone', fault, 'Write it as Europe/Berlin or UTC.');
  const days = someOf(reader, 'days', WEEKDAYS);
  const hours = { from: readTime(reader, 'from'), to: readTime(reader, 'to'), zone };
  reader.refuseOthers();
  return days === undefined ? hours : { ...hours, days };
}

/** Reads a time of the day as minutes since midnight. */
function readTime(reader: MapReader, key: string): number {
  const [whole, hours, minutes] = /^(\d\d?):(\d\d)$/.exec(reader.requiredText(key)) ?? [];
  const time = Number(hours) * 60 + Number(minutes);
  if (whole !== undefined && Number(minutes) < 60 && time <= 24 * 60) return time;
  if (reader.text(key) !== undefined && reader.text(key) !== '')
    reader.problem(key, 'must be a time of the day such as "09:00"');
  return 0;
}
