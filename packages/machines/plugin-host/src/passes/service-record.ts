import { isDeepStrictEqual } from 'node:util';
import { UNKNOWN_ID } from '@cairn/addresses';
import { containsUnknown, equalMaps } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import { mapFields } from '@cairn/wire';
import type { Capabilities, CheckResponse, DiffResponse, ProviderCallName, RequestOf } from '@cairn/wire';

/** Calls that give a provider its settings, in the order of [PLUG-7]. */
export type SettingsCall = 'checkConfig' | 'diffConfig' | 'configure';

export type SettingsRequest<C extends SettingsCall> = RequestOf<C>;

const SETTINGS = mapFields('request', ['settings']);

/** Returns true for {@link SettingsCall}s. */
export function isSettingsCall(call: ProviderCallName): call is SettingsCall {
  return SETTINGS[call].length > 0;
}

/** Answers to {@link SettingsCall}s. */
type SettingsAnswer = CheckResponse | DiffResponse | Capabilities;

/** Answered call. */
export interface Settled {
  readonly call: SettingsCall;
  readonly request: SettingsRequest<SettingsCall>;
  readonly answer: SettingsAnswer;
}

/** Record of a provider that has served a pass. */
export interface ServiceRecord {
  /** Answered requests for settings, in order. */
  readonly settled: readonly Settled[];
  /** Set if a request had effects that cannot be undone, or failed. */
  readonly spent: 'component' | 'extended' | 'failed' | 'cancelled' | undefined;
  /** Number of calls that have not been answered. */
  readonly underWay: number;
}

/** Reason why a provider is not used in a further pass [PLUG-12]. */
export type Unfit =
  NonNullable<ServiceRecord['spent']> | 'busy' | 'not-configured' | 'configured-twice' | 'unknown';

/** Returns the reason why a provider cannot serve a further pass as it is, or undefined if it can. */
export function whyNotReusable({ settled, spent, underWay }: ServiceRecord): Unfit | undefined {
  if (spent !== undefined) return spent;
  if (underWay > 0) return 'busy';
  const [configured, ...more] = settled.filter(({ call }) => call === 'configure');
  if (configured === undefined) return 'not-configured';
  if (more.length > 0) return 'configured-twice';
  return isKnown(configured) ? undefined : 'unknown';
}

/** Returns the answer to the same request for settings, or undefined if there was none, or a value was unknown. */
export function answerBefore(
  settled: readonly Settled[],
  call: SettingsCall,
  request: SettingsRequest<SettingsCall>,
): SettingsAnswer | undefined {
  return settled.find((one) => one.call === call && isKnown(one) && sameRequest(one, request))?.answer;
}

function isKnown({ call, request, answer }: Settled): boolean {
  const maps = Object.values(request).filter(isMap);
  if (maps.some(containsUnknown)) return false;
  return call !== 'configure' || ignoresId(answer) || (request as { id: string }).id !== UNKNOWN_ID;
}

function sameRequest({ request, answer }: Settled, other: SettingsRequest<SettingsCall>): boolean {
  const keys = new Set([...Object.keys(request), ...Object.keys(other)]);
  if (ignoresId(answer)) keys.delete('id');
  return [...keys].every((key) => sameField(fieldOf(request, key), fieldOf(other, key)));
}

const fieldOf = (request: object, key: string): unknown =>
  (request as Readonly<Record<string, unknown>>)[key];

function sameField(one: unknown, other: unknown): boolean {
  return isMap(one) && isMap(other) ? equalMaps(one, other) : isDeepStrictEqual(one, other);
}

function isMap(value: unknown): value is PropertyMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const ignoresId = (answer: SettingsAnswer): boolean =>
  'settingsOnly' in answer && answer.settingsOnly === true;
