import * as v from 'valibot';
import { Refusal } from '../refusal.js';
import type { SealedSettings } from './deployment.js';

/** User whose agent passes comments of a forge on, and users by their names there, such as `hub:ada`. */
const CommentRule = v.strictObject({
  relay: v.pipe(v.string(), v.nonEmpty()),
  people: v.record(
    v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,31}:.{1,100}$/)),
    v.pipe(v.string(), v.nonEmpty()),
  ),
});

/** Returns the rule about comments in settings. Refuses one of another form. */
export function commentRule(settings: SealedSettings): v.InferOutput<typeof CommentRule> | undefined {
  const own = settings['cairn'];
  const rule = typeof own === 'object' && own !== null ? (own as SealedSettings)['comments'] : undefined;
  if (rule === undefined || rule === null) return undefined;
  const parsed = v.safeParse(CommentRule, rule);
  if (parsed.success) return parsed.output;
  throw new Refusal(400, 'cairn.comments: needs "relay", a user, and "people", users by FORGE:LOGIN.');
}

/**
 * Returns the user as whom a member of a forge counts, if the settings say so and the caller is the one who passes
 * comments on. Otherwise returns why the member counts as no one [AGT-26].
 */
export function commentPerson(
  settings: SealedSettings,
  relay: string,
  member: string,
): { readonly person: string } | { readonly why: string } {
  const rule = commentRule(settings);
  if (rule === undefined) return { why: 'the settings of the stack have no cairn.comments' };
  if (rule.relay !== relay) return { why: `the settings let ${rule.relay} pass comments on, not ${relay}` };
  const person = Object.hasOwn(rule.people, member) ? rule.people[member] : undefined;
  return person === undefined ? { why: `the settings name no user for ${member}` } : { person };
}
