import { isDefaultProviderName, isProviderType, urnName } from '@cairn/addresses';
import type { EngineEvent, StepView } from '@cairn/engine';

/**
 * What happened to the resources, a line a step in the order in which they ended: `create db`, `!update web` for one
 * that failed. Default providers are written `provider:<type>`. For reading and for comparing in one look.
 */
export function trace(events: readonly EngineEvent[]): readonly string[] {
  return events.flatMap((event) => {
    if (event.t === 'step-ended') return [line(event.step)];
    if (event.t === 'step-failed') return [`${event.inDoubt ? '?' : '!'}${line(event.step)}`];
    return [];
  });
}

/** {@link trace} without providers and the stack itself. */
export function resourceTrace(events: readonly EngineEvent[]): readonly string[] {
  return trace(events.filter((event) => !('step' in event) || isOwnResource(event.step)));
}

/** Errors and warnings of the events, as `error CODE summary`. */
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
