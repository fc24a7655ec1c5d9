import type { RunRow } from '../runs/rows.js';
import { judgeApprovalLink, readApprovalLink } from './approval-link.js';
import type { ApprovalClaims, LinkCode } from './approval-link.js';
import { approvedPage, openPage, refusedPage } from './approval-page.js';

/** Statuses of HTTP of refused links. */
const STATUSES = {
  'link-altered': 403,
  'link-person': 403,
  'link-late': 410,
  'link-moved': 409,
  'link-used': 409,
} as const satisfies Record<LinkCode, number>;

/** Facts about the run of a link. */
interface LinkedRun {
  readonly run: RunRow | undefined;
  /** Names of the people to whom links are sent. */
  readonly persons: ReadonlySet<string>;
  /** True if the policy of the stack wants another person than the one who asked. */
  readonly others: boolean;
}

/** Parts that approval links need. */
export interface LinkPorts {
  /** Key that signs links. Without it there is no link. */
  readonly key: Uint8Array | undefined;
  readonly now: () => Date;
  /** Reads the run of a link. */
  readonly find: (claims: ApprovalClaims) => Promise<LinkedRun>;
  /** Approves the run, after judging it once more. Returns why it does not. */
  readonly approve: (claims: ApprovalClaims) => Promise<string | undefined>;
  readonly log: (text: string, facts: Readonly<Record<string, string>>) => void;
}

/** Page with its status. */
export interface LinkAnswer {
  readonly status: number;
  readonly html: string;
}

/**
 * Answers a request for an approval link [AGT-22]. Only a click approves: programs that look at mails follow their
 * links.
 */
export async function answerApprovalLink(
  token: string,
  isClick: boolean,
  { key, now, find, approve, log }: LinkPorts,
): Promise<LinkAnswer> {
  const refused = (code: LinkCode, why: string, facts: Readonly<Record<string, string>>): LinkAnswer => {
    log(`an approval link is refused: ${code}`, facts);
    return { status: STATUSES[code], html: refusedPage(code, why) };
  };
  const claims = key && readApprovalLink(key, token);
  if (claims === undefined) return refused('link-altered', 'its signature is not valid here', {});
  const verdict = judgeApprovalLink(claims, { now: now(), ...(await find(claims)) });
  const facts = { run: claims.run, person: claims.person };
  if (verdict.t === 'refused') return refused(verdict.code, verdict.why, facts);
  if (!isClick) return { status: 200, html: openPage(verdict.run, claims) };
  const problem = await approve(claims);
  if (problem !== undefined) return refused('link-moved', problem, facts);
  log('an approval link is used', facts);
  return { status: 200, html: approvedPage(verdict.run, claims) };
}

/** Returns the approval of a link. */
export function linkedApproval({ person, digest, base, commit }: ApprovalClaims) {
  return { by: person, digest, base, ...(commit !== undefined && { commit }), via: 'link' as const };
}
