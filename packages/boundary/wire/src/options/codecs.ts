import type { PropertyValue } from '@cairn/values';
import type { HookBinding } from '../contracts/hook-binding.js';
import type { CallbackReference, RegisterResourceRequest } from '../contracts/monitor.js';
import { decodeCallback, encodeCallback } from '../monitor/request-parts.js';
import { decodeMap, encodeMap } from '@cairn/protobuf';
import { decodeDependencies, encodeDependencies } from '../provider/dependencies.js';
import type { WireDependencies } from '../provider/dependencies.js';
import { decodeValue, encodeValue } from '../values/index.js';

type Timeouts = RegisterResourceRequest['customTimeouts'];

/** Values of registration options, by the name of their codec. */
export interface CodecValues {
  flag: boolean | undefined;
  text: string;
  /** Undefined if not set; empty on the wire. */
  label: string | undefined;
  texts: readonly string[];
  textMap: Readonly<Record<string, string>>;
  lists: Readonly<Record<string, readonly string[]>>;
  timeouts: Timeouts;
  value: PropertyValue | undefined;
  callbacks: readonly CallbackReference[];
  hooks: HookBinding | undefined;
}

export type CodecName = keyof CodecValues;

/** Codecs for values of a type. */
export type CodecOf<V> = {
  [C in CodecName]: [V] extends [CodecValues[C]] ? ([CodecValues[C]] extends [V] ? C : never) : never;
}[CodecName];

/**
 * Codec of a value. `blank` is the value of an option that is not set. Without `encode` and `decode` the value is the
 * same on both sides.
 */
interface Codec<V> {
  readonly blank: V;
  readonly encode?: (value: V) => unknown;
  readonly decode?: (wire: never) => V;
}

const noTimeouts: Timeouts = Object.freeze({ create: '', update: '', delete: '' });

/** Decodes time limits. The limit of reads is only present if it was set. */
export function decodeTimeouts({ create, update, delete: remove, read = '' }: Timeouts): Timeouts {
  return { create, update, delete: remove, ...(read !== '' && { read }) };
}

export const CODECS: { readonly [C in CodecName]: Codec<CodecValues[C]> } = {
  flag: { blank: undefined },
  text: { blank: '' },
  label: {
    blank: undefined,
    encode: (label) => label ?? '',
    decode: (wire: string) => wire || undefined,
  },
  texts: { blank: [] },
  textMap: {
    blank: {},
    encode: encodeMap,
    decode: (wire: Map<string, string>) => decodeMap(wire),
  },
  lists: {
    blank: {},
    encode: encodeDependencies,
    decode: (wire: WireDependencies) => decodeDependencies(wire),
  },
  timeouts: {
    blank: noTimeouts,
    encode: ({ create, update, delete: remove, read = '' }) => ({ create, update, delete: remove, read }),
    decode: (wire: Timeouts | undefined) => (wire === undefined ? noTimeouts : decodeTimeouts(wire)),
  },
  value: {
    blank: undefined,
    encode: (value) => (value === undefined ? undefined : encodeValue(value)),
    decode: (wire: Uint8Array | undefined) => wire && decodeValue(wire),
  },
  callbacks: {
    blank: [],
    encode: (callbacks) => callbacks.map(encodeCallback),
    decode: (wire: readonly Parameters<typeof decodeCallback>[0][]) => wire.map(decodeCallback),
  },
  hooks: { blank: undefined },
};
