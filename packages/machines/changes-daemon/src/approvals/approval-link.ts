import { createHmac, timingSafeEqual } from 'node:crypto';
import { approvalProblem } from '../runs/approval.js';
import type { RunRow } from '../runs/rows.js';

/** Longest token that is looked at. */
const LONGEST = 4096;

/** Content of an approval link: what it approves, for whom it counts, and until when. */
export interface ApprovalClaims {
  readonly run: string;
  /** Name of the person to whom it was sent. */
  readonly person: string;
  /** RFC 3339 time of its end. */
  readonly until: string;
  /** Digests of the plan and of the state, and the commit, as in an approval. */
  readonly digest: string;
  readonly base: string;
  readonly commit?: string;
}

/** Codes of refused links. */
export type LinkCode = 'link-altered' | 'link-late' | 'link-person' | 'link-used' | 'link-moved';

/** Judgement of a link: it approves this run, or is refused. */
type LinkVerdict =
  | { readonly t: 'open'; readonly run: RunRow }
  | { readonly t: 'refused'; readonly code: LinkCode; readonly why: string };

/** Facts by which a link is judged. */
interface LinkFacts {
  readonly now: Date;
  /** Run that the link names. `undefined` if there is none any more. */
  readonly run: RunRow | undefined;
  /** Names of the people to whom links are sent. */
  readonly persons: ReadonlySet<string>;
  /** True if the policy of the stack wants another person than the one who asked. */
  readonly others: boolean;
}

/** Returns what links of a run that waits approve. `undefined` if it does not wait. */
export function approvalClaims(
  { id, status, digest, base, commit }: RunRow,
  validMs: number,
  now: Date,
): Omit<ApprovalClaims, 'person'> | undefined {
  if (status !== 'waiting' || digest === undefined || base === undefined) return undefined;
  const until = new Date(now.getTime() + validMs).toISOString();
  return { run: id, until, digest, base, ...(commit !== undefined && { commit }) };
}

/** Returns the token of a link: its content, and the signature of the agent. */
export function signApprovalLink(key: Uint8Array, claims: ApprovalClaims): string {
  const { run, person, until, digest, base, commit } = claims;
  const content = [1, run, person, until, digest, base, ...(commit === undefined ? [] : [commit])];
  const text = Buffer.from(JSON.stringify(content)).toString('base64url');
  return `${text}.${signatureOf(key, text)}`;
}

/** Returns the content of a token, or `undefined` if the agent has not signed it. */
export function readApprovalLink(key: Uint8Array, token: string): ApprovalClaims | undefined {
  const [text = '', signature = '', ...more] = token.length > LONGEST ? [] : token.split('.');
  const own = Buffer.from(signatureOf(key, text));
  const given = Buffer.from(signature);
  if (more.length > 0 || own.length !== given.length || !timingSafeEqual(own, given)) return undefined;
  const content = JSON.parse(Buffer.from(text, 'base64url').toString()) as readonly unknown[];
  if (content[0] !== 1) return undefined;
  const [, run = '', person = '', until = '', digest = '', base = '', commit] = content as readonly string[];
  return { run, person, until, digest, base, ...(commit !== undefined && { commit }) };
}

/** Decides about a link of the agent [AGT-22]. The same rule judges its page and its click. */
export function judgeApprovalLink(
  claims: ApprovalClaims,
  { now, run, persons, others }: LinkFacts,
): LinkVerdict {
  const { person, until } = claims;
  const refused = (code: LinkCode, why: string): LinkVerdict => ({ t: 'refused', code, why });
  if (!persons.has(person)) return refused('link-person', `links are no longer sent to ${person}`);
  if (!(now.getTime() < Date.parse(until))) return refused('link-late', `it was valid until ${until}`);
  if (run === undefined) return refused('link-moved', `there is no run ${claims.run}`);
  if (run.approvals.some(({ by }) => by === person))
    return refused('link-used', `${person} has approved run ${run.id} already`);
  if (others && run.by === person)
    return refused('link-person', 'another person than the one who asked has to approve');
  const problem = approvalProblem(run, { ...claims, by: person }, others);
  return problem === undefined ? { t: 'open', run } : refused('link-moved', problem);
}

function signatureOf(key: Uint8Array, text: string): string {
  return createHmac('sha256', key).update(`cairn approval link\n${text}`).digest('base64url');
}
