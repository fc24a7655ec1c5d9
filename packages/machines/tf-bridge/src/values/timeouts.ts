import { attributeType, isRecord, record } from '@cairn/tfplugin';
import type { Block, TfRecord, TfValue } from '@cairn/tfplugin';

/** A call that can have a timeout of its own. */
type TimedCall = 'create' | 'read' | 'update' | 'delete';

const TIMEOUTS = 'timeouts';

/** Returns the calls for which a block accepts timeouts [TFE-7]. Empty if it has no timeouts. */
function timedCalls(block: Block): readonly string[] {
  const nested = block.blocks.get(TIMEOUTS);
  const attribute = block.attributes.get(TIMEOUTS);
  if (nested !== undefined) return nested.nesting === 'single' ? [...nested.block.attributes.keys()] : [];
  if (attribute === undefined) return [];
  const type = attributeType(attribute);
  return typeof type === 'object' && type.kind === 'object' ? Object.keys(type.attributes) : [];
}

/**
 * Returns the configuration with a timeout for one call. Unchanged if the block has none for it, or if `seconds` is 0.
 */
export function withTimeout(block: Block, configuration: TfValue, call: TimedCall, seconds: number): TfValue {
  const calls = timedCalls(block);
  if (seconds <= 0 || !calls.includes(call) || !isRecord(configuration)) return configuration;
  const given = configuration[TIMEOUTS];
  const before: TfRecord = given !== undefined && isRecord(given) ? given : record([]);
  const timeouts = record(
    [...calls].sort().map((each) => [each, each === call ? `${seconds}s` : (before[each] ?? null)]),
  );
  return withTimeouts(configuration, timeouts);
}

/** Returns the configuration with the state's timeouts if it has none itself, so that they make no difference. */
export function keepTimeouts(block: Block, configuration: TfValue, prior: TfValue): TfValue {
  if (timedCalls(block).length === 0 || !isRecord(configuration) || !isRecord(prior)) return configuration;
  const kept = prior[TIMEOUTS] ?? null;
  return (configuration[TIMEOUTS] ?? null) === null && kept !== null
    ? withTimeouts(configuration, kept)
    : configuration;
}

/** Returns a value with the timeouts of another one, if the schema has any. */
export function likeTimeouts(block: Block, value: TfValue, other: TfValue): TfValue {
  if (timedCalls(block).length === 0 || !isRecord(value) || !isRecord(other)) return value;
  return withTimeouts(value, other[TIMEOUTS] ?? null);
}

const withTimeouts = (configuration: TfRecord, timeouts: TfValue): TfValue =>
  record(
    Object.keys(configuration).map((key) => [
      key,
      key === TIMEOUTS ? timeouts : (configuration[key] as TfValue),
    ]),
  );
