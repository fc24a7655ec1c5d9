/** Content of a schedule that its words depend on. See `ScheduleContent`. */
interface WordedSchedule {
  readonly kind: 'raw' | 'drift' | 'ttl';
  readonly operation?: string | undefined;
  readonly also: boolean;
}

/** Returns what a schedule does: `look for drift, put it back`, `destroy`, or its operation. */
export function scheduleAction({ kind, operation = 'update', also }: WordedSchedule): string {
  if (kind === 'drift') return also ? 'look for drift, put it back' : 'look for drift';
  if (kind === 'ttl') return also ? 'destroy, remove the stack' : 'destroy';
  return operation;
}

/** Returns when a schedule is due: its cron expression with its zone and its longest delay, or `once, TIME`. */
export function scheduleTimes({
  cron,
  once,
  zone,
  jitter,
}: {
  readonly cron?: string | null | undefined;
  readonly once?: string | null | undefined;
  readonly zone?: string | null | undefined;
  readonly jitter?: string | null | undefined;
}): string {
  if (!cron) return `once, ${once ?? ''}`;
  return [cron, zone && `in ${zone}`, jitter && `up to ${jitter} later`].filter(Boolean).join(', ');
}
