import { isName, isTypeToken } from '@cairn/addresses';
import { nearest } from '@cairn/diagnostics';
import type { MapReader } from '../yaml/shape.js';

/** Operation settings of a project, in Cairn's own keys; flags of the command line win. Absent keys are undefined. */
export interface ProjectOperationSettings {
  /** Effect of an error on the rest of an operation and on the steps already taken. */
  readonly onError: 'stop' | 'continue' | 'rollback' | undefined;
  /** Unit that fails and rolls back as a whole. */
  readonly isolate: 'none' | 'component' | 'resource' | undefined;
  /** Effect of a rollback on resources whose program does not set it. */
  readonly rollback: 'auto' | 'hold' | 'retain' | undefined;
  /** Limits of provider calls, by package or type token. */
  readonly limits: ReadonlyMap<string, ProviderLimit>;
}

/** Limits of concurrent calls that have an effect, and the inputs by which such calls exclude each other. */
interface ProviderLimit {
  /** At least 1. */
  readonly maxInFlight: number | undefined;
  /** Names of inputs, for types only. */
  readonly exclusive: readonly string[] | undefined;
}

const ON_ERROR = ['stop', 'rollback', 'continue'] as const;
const ISOLATE = ['none', 'component', 'resource'] as const;
const ROLLBACK = ['auto', 'hold', 'retain'] as const;

/** Reads the keys `onError`, `isolate`, `rollback` and `limits` of a project file. */
export function readOperationSettings(reader: MapReader): ProjectOperationSettings {
  return {
    onError: oneOf(reader, 'onError', ON_ERROR),
    isolate: oneOf(reader, 'isolate', ISOLATE),
    rollback: oneOf(reader, 'rollback', ROLLBACK),
    limits: readLimits(reader),
  };
}

function oneOf<T extends string>(reader: MapReader, key: string, words: readonly T[]): T | undefined {
  const text = reader.text(key);
  const word = words.find((each) => each === text);
  if (text === undefined || word !== undefined) return word;
  const near = nearest(text, [...words]);
  return reader.problem(
    key,
    `cannot be "${text}"`,
    near === undefined ? `Write one of ${words.join(', ')}.` : `Did you mean "${near}"?`,
  );
}

function readLimits(reader: MapReader): ReadonlyMap<string, ProviderLimit> {
  const limits = new Map<string, ProviderLimit>();
  const map = reader.submap('limits');
  for (const { key } of map?.map.entries.values() ?? []) {
    const limit = map === undefined ? undefined : readLimit(map, key);
    if (limit !== undefined) limits.set(key, limit);
  }
  return limits;
}

/** Reads a limit. Its short form is the number alone. */
function readLimit(limits: MapReader, key: string): ProviderLimit | undefined {
  const isType = isTypeToken(key);
  if (!isType && !isName(key)) {
    return limits.problem(
      key,
      'is neither a package nor a type',
      'Write a package such as aws, or a type such as aws:s3/bucket:Bucket.',
    );
  }
  const node = limits.entry(key)?.value;
  if (node === undefined) return limits.problem(key, 'is empty', 'Set the number of calls at a time.');
  if (node.kind === 'scalar') return { maxInFlight: limits.count(key), exclusive: undefined };
  const full = limits.asMap(node, key);
  if (full === undefined) return undefined;
  const maxInFlight = full.count('maxInFlight');
  const exclusive = full.texts('exclusive');
  if (exclusive !== undefined && !isType)
    full.problem(
      'exclusive',
      'is for types only',
      `Write it under a type of ${key}, such as ${key}:module:Type.`,
    );
  full.refuseOthers();
  return { maxInFlight, exclusive };
}
