import { urnName } from '@cairn/addresses';
import { isInternalStep, reasonText } from '@cairn/engine';
import type { EngineEvent, StepView } from '@cairn/engine';
import { plainJson } from '@cairn/operations/stacks';
import type { ResourceEntry } from '@cairn/state';
import type { OperationEvent, ResourceView, OperationStep } from '../events.js';
import type { JsonValue } from '../values.js';

/** Takes secrets out of a text. */
type Mask = (text: string) => string;

/**
 * Converts an engine event to its public form. Returns undefined for the engine's internal steps and events. `mask`
 * removes text that providers derived from secrets without marking it.
 */
export function publicEvent(event: EngineEvent, preview: boolean, mask: Mask): OperationEvent | undefined {
  if ('step' in event && isInternalStep(event.step)) return undefined;
  switch (event.t) {
    case 'step-started':
      return { type: event.t, step: stepOf(event.step, mask), preview, undo: event.undo === true };
    case 'step-ended': {
      const { elapsedMs, undo = false } = event;
      return { type: event.t, step: stepOf(event.step, mask), preview, undo, elapsedMs };
    }
    case 'step-failed': {
      const { elapsedMs, inDoubt, undo = false } = event;
      return { type: event.t, step: stepOf(event.step, mask), preview, undo, inDoubt, elapsedMs };
    }
    case 'outputs':
      return { type: event.t, step: stepOf(event.step, mask), preview };
    case 'diagnostic': {
      const { diagnostic, ephemeral } = event;
      return { type: event.t, diagnostic, ephemeral };
    }
    case 'program-output':
      return { type: event.t, stream: event.stream, text: event.text };
    case 'policy-violation': {
      const { urn, policyName: policy, packName: pack, level, message } = event.violation;
      return { type: event.t, urn, policy, pack, level, message };
    }
    case 'policy-remediation': {
      const { urn, policyName: policy, packName: pack } = event;
      const [before, after] = [masked(event.before, mask), masked(event.after, mask)];
      return { type: event.t, urn, policy, pack, before, after };
    }
    case 'summary': {
      const { kind: operation, result: status, changes, durationMs } = event.summary;
      return { type: 'end', operation, preview, status, changes, durationMs };
    }
    default:
      return undefined;
  }
}

/** Returns a step whose values are converted only when they are read. */
function stepOf(
  { kind, urn, type, reason, changedKeys, replaceKeys, old, new: entry }: StepView,
  mask: Mask,
): OperationStep {
  const before = later(old, mask);
  const after = later(entry, mask);
  return {
    ...{ kind, urn, type, name: urnName(urn), reason: mask(reasonText(reason)) },
    ...{ changed: changedKeys, replaces: replaceKeys },
    get before() {
      return before();
    },
    get after() {
      return after();
    },
  };
}

function later(entry: ResourceEntry | undefined, mask: Mask): () => ResourceView | undefined {
  let made: ResourceView | undefined;
  return () => {
    if (entry === undefined) return undefined;
    const { id, inputs, outputs } = entry;
    return (made ??= { id: mask(id), inputs: masked(inputs, mask), outputs: masked(outputs, mask) });
  };
}

function masked(value: ResourceEntry['inputs'], mask: Mask): JsonValue {
  const clear = (json: JsonValue): JsonValue => {
    if (typeof json === 'string') return mask(json);
    if (typeof json !== 'object' || json === null) return json;
    if (Array.isArray(json)) return json.map(clear);
    const entries = Object.entries(json as Readonly<Record<string, JsonValue>>);
    return Object.fromEntries(entries.map(([key, item]) => [key, clear(item)]));
  };
  return clear(plainJson(value, false) as JsonValue);
}
