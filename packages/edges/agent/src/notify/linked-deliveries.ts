import { approvalClaims } from '@cairn/changes-daemon';
import type { NoticeJson, RunRow } from '@cairn/changes-daemon';
import type { LinkSettings, NoticeTarget } from '../config/agent-config.js';
import type { NoticeDelivery } from './delivery-rows.js';

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
  const claims =
    type === 'approval-wanted' && links && run ? approvalClaims(run, links.validMs, now) : undefined;
  if (claims === undefined || target.links === undefined) return [{}];
  if (target.kind !== 'mail') return [{ link: { ...claims, person: target.links } }];
  const own = [...target.links].map(([address, person]) => ({ to: [address], link: { ...claims, person } }));
  const others = target.recipients.filter((address) => target.links?.has(address) !== true);
  return [...own, ...(others.length === 0 ? [] : [{ to: others }])];
}
