import type { RunRow } from '@cairn/changes-daemon';
import type { AgentConfig } from '../config/agent-config.js';
import { stackNamed } from '../config/review-stack.js';
import type { AgentMessage } from '../runs/messages.js';
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

/** Parts that approval links need. */
export interface ApprovalPorts {
  readonly config: AgentConfig;
  readonly key: Uint8Array;
  readonly now: () => Date;
  readonly newId: () => string;
  /** Reads a run of the agent. */
  readonly runOf: (id: string) => Promise<RunRow | undefined>;
  /** Leaves a message for the agent; durable when the promise resolves. */
  readonly leave: (id: string, message: AgentMessage) => Promise<void>;
  readonly log: (text: string, facts?: Readonly<Record<string, string>>) => void;
}

/** Page with its status. */
interface ApprovalAnswer {
  readonly status: number;
  readonly html: string;
}

/**
 * Answers a request for an approval link. Only a click approves: programs that look at mails follow their links. The
 * approval takes the way of one from a terminal, so that the agent judges it again.
 */
export async function answerApproval(
  token: string,
  isClick: boolean,
  ports: ApprovalPorts,
): Promise<ApprovalAnswer> {
  const { config, key, log } = ports;
  const refused = (code: LinkCode, why: string, facts: Readonly<Record<string, string>>): ApprovalAnswer => {
    log(`an approval link is refused: ${code}`, facts);
    return { status: STATUSES[code], html: refusedPage(code, why) };
  };
  const claims = readApprovalLink(key, token);
  if (claims === undefined) return refused('link-altered', 'this agent has not made it', {});
  const run = await ports.runOf(claims.run);
  const settings = run && stackNamed(config.stacks, run.stack);
  const verdict = judgeApprovalLink(claims, {
    ...{ now: ports.now(), run, persons: linkedPersons(config) },
    others: settings?.policy.others ?? false,
  });
  const facts = { run: claims.run, person: claims.person };
  if (verdict.t === 'refused') return refused(verdict.code, verdict.why, facts);
  if (!isClick) return { status: 200, html: openPage(verdict.run, claims) };
  await ports.leave(ports.newId(), approvalMessage(claims, ports.now()));
  log('an approval link is used', facts);
  return { status: 200, html: approvedPage(verdict.run, claims) };
}

function approvalMessage({ run, person, digest, base, commit }: ApprovalClaims, now: Date): AgentMessage {
  const named = { digest, base, ...(commit !== undefined && { commit }) };
  return { t: 'approve', run, approval: { by: person, at: now.toISOString(), ...named, via: 'link' } };
}

/** Returns the names of the people to whom the file sends links. */
function linkedPersons({ notify = [] }: AgentConfig): ReadonlySet<string> {
  return new Set(
    notify.flatMap((target) => {
      if (target.kind === 'mail') return [...(target.links?.values() ?? [])];
      return target.links === undefined ? [] : [target.links];
    }),
  );
}
