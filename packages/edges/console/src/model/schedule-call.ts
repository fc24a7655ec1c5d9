/** Time of RFC 3339, which a schedule for once has in place of a cron expression. */
const INSTANT = /^\d{4}-\d\d-\d\dT/;

/** Returns true for a time of RFC 3339. */
export function isInstant(text: string): boolean {
  return INSTANT.test(text.trim());
}

/** Clock of a cron expression: its zone, and the longest delay of a time. Empty texts are the defaults. */
interface ScheduleClock {
  readonly zone: string;
  readonly jitter: string;
}

/**
 * Returns the path and the body of the call that makes a schedule, below the deployments of a stack.
 *
 * `kind` is `drift`, `ttl` or an operation. `when` is a cron expression or a time of RFC 3339, which needs no clock.
 * `also`: drift that is found is put back, or the stack is removed after it was destroyed.
 */
export function scheduleCall(
  kind: string,
  when: string,
  also: boolean,
  { zone, jitter }: ScheduleClock,
): { readonly path: string; readonly body: object } {
  const text = when.trim();
  const clock = {
    ...(zone.trim() !== '' && { zone: zone.trim() }),
    ...(jitter.trim() !== '' && { jitter: jitter.trim() }),
  };
  const own = Object.keys(clock).length > 0 && { cairn: clock };
  if (kind === 'drift')
    return { path: '/drift/schedules', body: { scheduleCron: text, autoRemediate: also, ...own } };
  if (kind === 'ttl') return { path: '/ttl/schedules', body: { timestamp: text, deleteAfterDestroy: also } };
  const times = isInstant(text) ? { scheduleOnce: text } : { scheduleCron: text, ...own };
  return { path: '/schedules', body: { ...times, request: { operation: kind } } };
}
