import type { Urn } from '@cairn/addresses';
import { compareDigests, goalDigest } from '../model/goal-digest.js';
import type { PastTask } from '../model/history.js';
import type { CompleteTranscript, SavedPlan } from '../model/saved-plan.js';

/** Source of the resources of a resumed operation. `why`: reason against the existing plan, as a sentence. */
export type ResumeSource =
  | { readonly t: 'plan'; readonly transcript: CompleteTranscript }
  | { readonly t: 'program'; readonly why: string | undefined };

/**
 * Decides whether a resume needs the program [REC-14]. It does not if two conditions hold. The plan that the operation
 * began with is complete, and the program registered every step that was begun as in the plan. `goalKey`: key of the
 * lineage's digests; `undefined` if none were kept. O(tasks + plan).
 */
export function resumeSource(
  plan: SavedPlan | undefined,
  past: readonly PastTask[],
  goalKey: Uint8Array | undefined,
): ResumeSource {
  if (plan === undefined) return { t: 'program', why: undefined };
  const { transcript } = plan;
  if (transcript === undefined)
    return { t: 'program', why: 'the plan does not contain everything that the program registers' };
  if (transcript.t === 'incomplete') return { t: 'program', why: transcript.why };
  const other = goalKey === undefined ? undefined : departure(transcript, past, goalKey);
  return other === undefined
    ? { t: 'plan', transcript }
    : { t: 'program', why: `the program wanted something else of ${other} than the plan` };
}

/** Finds a resource that the lineage has begun with another goal than its plan has. */
function departure(
  { said }: CompleteTranscript,
  past: readonly PastTask[],
  goalKey: Uint8Array,
): Urn | undefined {
  const planned = new Map(
    said.flatMap((each) => (each.t === 'register' ? [[each.goal.urn, each.goal]] : [])),
  );
  return past.find(({ urn, goal }) => {
    if (goal === undefined) return false;
    const plan = planned.get(urn);
    const digest = plan && goalDigest(plan, goalKey, goal);
    return digest === undefined || compareDigests(goal, digest) === 'other';
  })?.urn;
}
