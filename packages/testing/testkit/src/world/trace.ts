import { isDefaultProviderName, isProviderType, urnName } from '@cairn/addresses';
import type { EngineEvent, StepView } from '@cairn/engine';

/**
 * Returns the steps of the resources, a line each, in the order in which they ended: `create db`, or `!update web` for
 * a failed one. Default providers are written `provider:<type>`. The lines are easy to read and compare.
 */
export function trace(events: readonly EngineEvent[]): readonly string[] {
  return events.flatMap((event) => {
    if (event.t === 'step-ended') return [line(event.step)];
    if (event.t === 'step-failed') return [`${event.inDoubt ? '?' : '!'}${line(event.step)}`];
    return [];
  });
}

/** Returns {@link trace} without providers and the stack itself. */
export function resourceTrace(events: readonly EngineEvent[]): readonly string[] {
  return trace(events.filter((event) => !('step' in event) || isOwnResource(event.step)));
}

/** Returns errors and warnings of the events, as `error CODE summary`. */
export function complaints(events: readonly EngineEvent[]): readonly string[] {
  return events.flatMap((event) => {
    if (event.t !== 'diagnostic') return [];
    const { severity, code, summary } = event.diagnostic;
    return severity === 'error' || severity === 'warning' ? [`${severity} ${code} ${summary}`] : [];
  });
}

function isOwnResource({ type }: StepView): boolean {
  return !isProviderType(type) && type !== 'pulumi:pulumi:Stack';
}

function line({ kind, urn, type }: StepView): string {
  const name = urnName(urn);
  return `${kind} ${isProviderType(type) && isDefaultProviderName(name) ? type.replace('pulumi:providers:', 'provider:') : name}`;
}
