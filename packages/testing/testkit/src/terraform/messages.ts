import { dynamicValue, readDynamicValue } from '@cairn/tfplugin';
import type {
  Block,
  DynamicValueMessage,
  PathStep,
  ProviderMethod,
  ProviderMethods,
  TfPath,
  TfType,
  TfValue,
} from '@cairn/tfplugin';
import type { AttributePath, RawState, ResourceIdentityData } from '@cairn/tfplugin/protocol6';

/** A value of another type than the schema's, which a well-behaved provider never sends. */
export class OtherType {
  constructor(
    readonly type: TfType,
    readonly value: TfValue,
  ) {}
}

/** A provider's diagnostic for users, in a shorter form than the message. */
export interface Said {
  readonly severity?: 'error' | 'warning';
  readonly summary: string;
  readonly detail?: string;
  readonly attribute?: TfPath;
}

type RequestOf<M extends ProviderMethod> = ReturnType<ProviderMethods[M]['requestType']['decode']>;
type ResponseOf<M extends ProviderMethod> = ReturnType<ProviderMethods[M]['responseType']['decode']>;

type Bytes = Uint8Array;
type OptionalBytes = Uint8Array | undefined;
type ValueMessage = DynamicValueMessage | undefined;

/** A part of a message as scripts see it: values by their type, private bytes and stored states as text. */
type Read<T> = [T] extends [ValueMessage]
  ? TfValue
  : [T] extends [Bytes]
    ? string
    : [T] extends [OptionalBytes]
      ? string | undefined
      : [T] extends [ResourceIdentityData | undefined]
        ? TfValue
        : [T] extends [RawState | undefined]
          ? string
          : T;

/** The parts of a request to a method. */
export type CallRequest<M extends ProviderMethod> = {
  readonly [P in keyof RequestOf<M>]: Read<RequestOf<M>[P]>;
} & (M extends 'callFunction' ? { readonly arguments: readonly TfValue[] } : unknown);

type Told<T> = [T] extends [ValueMessage] ? TfValue | OtherType : Read<T>;

interface ImportedParts {
  readonly typeName: string;
  readonly state: TfValue | OtherType;
  readonly private?: string;
  readonly identity?: TfValue;
}

/** Parts of an answer of a method. Omitted parts are not in the message. */
export type CallAnswer<M extends ProviderMethod> = {
  readonly [
    P in Exclude<keyof ResponseOf<M>, 'diagnostics' | 'requiresReplace' | 'importedResources'>
  ]?: Told<ResponseOf<M>[P]>;
} & {
  readonly diagnostics?: readonly Said[];
  readonly requiresReplace?: readonly TfPath[];
  readonly importedResources?: readonly ImportedParts[];
};

/** The types of the values in the messages of one call. */
export interface CallTypes {
  /** Block of objects and configurations. Undefined for functions. */
  readonly block: Block | undefined;
  /** Type of objects, configurations and results. */
  readonly value: TfType;
  readonly identity: TfType;
  /** Returns the type of a function's argument, by its position. */
  argument(at: number): TfType;
  /** Returns the types of imported objects. */
  imported(typeName: string): CallTypes;
}

const IDENTITIES = new Set([
  'priorIdentity',
  'currentIdentity',
  'newIdentity',
  'plannedIdentity',
  'identity',
  'targetIdentity',
  'upgradedIdentity',
]);
const VALUES = new Set([
  ...['priorState', 'proposedNewState', 'config', 'currentState', 'newState', 'plannedState'],
  ...['upgradedState', 'targetState', 'state', 'result'],
]);
const PRIVATE = new Set(['private', 'priorPrivate', 'plannedPrivate', 'sourcePrivate', 'targetPrivate']);
const RAW = new Set(['rawState', 'sourceState', 'rawIdentity', 'sourceIdentity']);

type Parts = Readonly<Record<string, unknown>>;

/** Tells whether a part of a request is a value. */
export const isValuePart = (name: string): boolean => VALUES.has(name) || IDENTITIES.has(name);

/** Returns the parts of a request message. */
export function readRequest(message: unknown, types: CallTypes): Parts {
  return Object.fromEntries(
    Object.entries(message as Parts).map(([name, part]) => [name, readPart(name, part, types)]),
  );
}

function readPart(name: string, part: unknown, types: CallTypes): unknown {
  if (VALUES.has(name)) return readDynamicValue(types.value, part as ValueMessage);
  if (IDENTITIES.has(name)) {
    return readDynamicValue(types.identity, (part as ResourceIdentityData | undefined)?.identityData);
  }
  if (PRIVATE.has(name)) return part === undefined ? undefined : Buffer.from(part as Bytes).toString();
  if (RAW.has(name)) return Buffer.from((part as RawState | undefined)?.json ?? []).toString();
  if (name === 'arguments')
    return (part as readonly DynamicValueMessage[]).map((each, at) =>
      readDynamicValue(types.argument(at), each),
    );
  return part;
}

const NO_BYTES = new Uint8Array();

/** Returns the existing parts of an answer message. */
export function answerMessage(answer: object, types: CallTypes): Parts {
  const parts = Object.entries(answer) as [string, unknown][];
  return Object.fromEntries(parts.map(([name, part]) => [name, partMessage(name, part, types)]));
}

function partMessage(name: string, part: unknown, types: CallTypes): unknown {
  if (VALUES.has(name)) return valueMessage(types.value, part as TfValue | OtherType);
  if (IDENTITIES.has(name) && part !== undefined)
    return { identityData: valueMessage(types.identity, part as TfValue | OtherType) };
  if (PRIVATE.has(name)) return Buffer.from((part as string | undefined) ?? '');
  if (name === 'diagnostics') return (part as readonly Said[]).map(diagnosticMessage);
  if (name === 'requiresReplace') return (part as readonly TfPath[]).map(pathMessage);
  if (name === 'importedResources')
    return (part as readonly ImportedParts[]).map((each) => ({
      private: NO_BYTES,
      ...answerMessage(each, types.imported(each.typeName)),
    }));
  return part;
}

function valueMessage(type: TfType, value: TfValue | OtherType): DynamicValueMessage | undefined {
  if (value === undefined) return undefined;
  return value instanceof OtherType ? dynamicValue(value.type, value.value) : dynamicValue(type, value);
}

function diagnosticMessage({ severity = 'error', summary, detail = '', attribute }: Said) {
  return {
    severity: severity === 'error' ? 1 : 2,
    summary,
    detail,
    attribute: attribute === undefined ? undefined : pathMessage(attribute),
  };
}

function pathMessage(path: TfPath): AttributePath {
  return { steps: path.map((step, at) => ({ selector: selectorOf(step, at) })) };
}

/**
 * Returns the selector of a path step. In a path of a message, a name after a name is a key of a map only if it is
 * written as `{ key }`.
 */
function selectorOf(step: PathStep, at: number) {
  if (typeof step === 'number') return { $case: 'elementKeyInt', value: step } as const;
  if (typeof step === 'string') return { $case: 'attributeName', value: step } as const;
  if (typeof step.key === 'string') return { $case: 'elementKeyString', value: step.key } as const;
  throw new RangeError(`step ${at} of a path of a message cannot be an element of a set`);
}
