import type { ApprovalClaims, NoticeJson } from '@cairn/changes-daemon';

/** Key of the register for deliveries. */
export const DELIVERIES = 'deliveries/';

/** A notice for a target, and what became of it. */
export interface NoticeDelivery {
  readonly id: string;
  /** Name of the target. */
  readonly target: string;
  readonly notice: NoticeJson;
  /** Recipients of a mail. Default to those of the target. */
  readonly to?: readonly string[];
  /** Content of the link that approves the run of the notice. It is signed when the notice is sent. */
  readonly link?: ApprovalClaims;
  /** RFC 3339. */
  readonly at: string;
  /** `due`: it is sent at `next`. `failed`: it is not tried again by itself. */
  readonly status: 'due' | 'sent' | 'failed';
  readonly attempts: number;
  /** RFC 3339 time of the next attempt. */
  readonly next?: string;
  /** Last attempt: its time, and the answer or the error. */
  readonly last?: { readonly at: string; readonly answer: string };
}

export function isNoticeDelivery(value: unknown): value is NoticeDelivery {
  if (typeof value !== 'object' || value === null) return false;
  const { id, target, status, notice } = value as Partial<NoticeDelivery>;
  return (
    typeof id === 'string' &&
    typeof target === 'string' &&
    (status === 'due' || status === 'sent' || status === 'failed') &&
    typeof notice === 'object'
  );
}
