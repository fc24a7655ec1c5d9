import type { NoticeJson, RunRow } from '@cairn/changes-daemon';
import type { LinkSettings, NoticeTarget } from '../config/agent-config.js';
import type { NoticeDelivery } from './delivery-rows.js';
import type { ApprovalClaims } from '../links/approval-link.js';

/**
 * Returns the parts in which deliveries of a notice to one target differ. A notice of a run that waits has one for each
 * person with a link, because a link counts as its person; people without one share a mail.
 */
export function linkedDeliveries(
  target: NoticeTarget,
  { type }: Pick<NoticeJson, 'type'>,
  run: RunRow | undefined,
  links: LinkSettings | undefined,
  now: Date,
): readonly Pick<NoticeDelivery, 'to' | 'link'>[] {
  const claims = type === 'approval-wanted' && links && run ? claimsOf(run, links, now) : undefined;
  if (claims === undefined || target.links === undefined) return [{}];
  if (target.kind !== 'mail') return [{ link: { ...claims, person: target.links } }];
  const own = [...target.links].map(([address, person]) => ({ to: [address], link: { ...claims, person } }));
  const others = target.recipients.filter((address) => target.links?.has(address) !== true);
  return [...own, ...(others.length === 0 ? [] : [{ to: others }])];
}

function claimsOf(
  { id, status, digest, base, commit }: RunRow,
  { validMs }: LinkSettings,
  now: Date,
): Omit<ApprovalClaims, 'person'> | undefined {
  if (status !== 'waiting' || digest === undefined || base === undefined) return undefined;
  const until = new Date(now.getTime() + validMs).toISOString();
  return { run: id, until, digest, base, ...(commit !== undefined && { commit }) };
}
