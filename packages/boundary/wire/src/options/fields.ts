import type { CallbackOptions } from '../contracts/callbacks.js';
import type { RegisterResourceRequest } from '../contracts/monitor.js';
import type { ConstructOptions } from '../contracts/provider.js';
import type * as pb from '../generated/pulumi/resource.js';
import { CODECS } from './codecs.js';
import type { CodecName, CodecOf } from './codecs.js';

/**
 * Fields about a registration's subject, its source and the values that its sender accepts. Everything else is an
 * option.
 */
type Subject =
  | 'type'
  | 'name'
  | 'parent'
  | 'custom'
  | 'remote'
  | 'inputs'
  | 'sourcePosition'
  | 'stackTrace'
  | 'parentStackTraceHandle'
  | 'accepts'
  | 'aliasSpecs'
  | 'snippetId';

export type RequestOption = Exclude<keyof RegisterResourceRequest, Subject>;

/** Representation of one option of a registration in the messages that carry it. */
interface OptionField<K extends RequestOption> {
  /**
   * Codec of the option. `own rule`: the adapters handle it, because it needs more than one field, or more than the
   * value.
   */
  readonly codec: CodecOf<RegisterResourceRequest[K]> | 'own rule';
  /** Field of a registration. Undefined if the option has a rule of its own. */
  readonly field: keyof pb.RegisterResourceRequest | undefined;
  /**
   * Representation for transforms and hooks: its name among the options, and its field if it is encoded as in a
   * registration. Undefined if they do not receive the option, or receive only parts of it; it then remains unchanged.
   */
  readonly told:
    | { readonly name: keyof CallbackOptions; readonly field: keyof pb.TransformResourceOptions | undefined }
    | undefined;
  /**
   * Representation for constructors of components. `alike`: as in a registration, in the field of the option's name.
   * `own rule`: the adapter handles it. `no`: it is not sent.
   */
  readonly constructed: K extends keyof ConstructOptions ? 'alike' | 'own rule' : 'no';
  /**
   * True for an option of Cairn's own. Constructors of components cannot repeat it, so the program's value applies to
   * them.
   */
  readonly ours: boolean;
}

const told = <
  const N extends keyof CallbackOptions,
  const F extends keyof pb.TransformResourceOptions | undefined,
>(
  name: N,
  field: F,
) => ({ name, field });

/**
 * Table of registration options on the wire, one row each. Encoding of registrations, options for transforms and hooks,
 * and requests without options follow from it. The engine's handling of options is in its own table
 * (`packages/machines/engine/src/model/options.ts`).
 */
export const OPTION_FIELDS = {
  protect: {
    codec: 'flag',
    field: 'protect',
    told: told('protect', 'protect'),
    constructed: 'alike',
    ours: false,
  },
  retainOnDelete: {
    codec: 'flag',
    field: 'retainOnDelete',
    told: told('retainOnDelete', 'retainOnDelete'),
    constructed: 'alike',
    ours: false,
  },
  dependencies: {
    codec: 'texts',
    field: 'dependencies',
    told: told('dependsOn', 'dependsOn'),
    constructed: 'alike',
    ours: false,
  },
  propertyDependencies: {
    codec: 'lists',
    field: 'propertyDependencies',
    told: undefined,
    constructed: 'no',
    ours: false,
  },
  provider: {
    codec: 'text',
    field: 'provider',
    told: told('provider', 'provider'),
    constructed: 'no',
    ours: false,
  },
  providers: {
    codec: 'textMap',
    field: 'providers',
    told: told('providers', 'providers'),
    constructed: 'alike',
    ours: false,
  },
  /* Four fields; transforms receive three of them. */
  package: { codec: 'own rule', field: undefined, told: undefined, constructed: 'no', ours: false },
  /* Two fields: false differs from an option that is not set. */
  deleteBeforeReplace: {
    codec: 'own rule',
    field: undefined,
    told: told('deleteBeforeReplace', 'deleteBeforeReplace'),
    constructed: 'own rule',
    ours: false,
  },
  ignoreChanges: {
    codec: 'texts',
    field: 'ignoreChanges',
    told: told('ignoreChanges', 'ignoreChanges'),
    constructed: 'alike',
    ours: false,
  },
  replaceOnChanges: {
    codec: 'texts',
    field: 'replaceOnChanges',
    told: told('replaceOnChanges', 'replaceOnChanges'),
    constructed: 'alike',
    ours: false,
  },
  hideDiffs: {
    codec: 'texts',
    field: 'hideDiffs',
    told: told('hideDiffs', 'hideDiff'),
    constructed: 'no',
    ours: false,
  },
  additionalSecretOutputs: {
    codec: 'texts',
    field: 'additionalSecretOutputs',
    told: told('additionalSecretOutputs', 'additionalSecretOutputs'),
    constructed: 'alike',
    ours: false,
  },
  /* Two fields, some of which have another meaning in Node SDKs. */
  aliases: {
    codec: 'own rule',
    field: undefined,
    told: told('aliases', undefined),
    constructed: 'own rule',
    ours: false,
  },
  importId: {
    codec: 'text',
    field: 'importId',
    told: told('importId', 'import'),
    constructed: 'no',
    ours: false,
  },
  /* Transforms receive no time limits instead of empty ones. */
  customTimeouts: {
    codec: 'timeouts',
    field: 'customTimeouts',
    told: told('customTimeouts', undefined),
    constructed: 'own rule',
    ours: false,
  },
  deletedWith: {
    codec: 'text',
    field: 'deletedWith',
    told: told('deletedWith', 'deletedWith'),
    constructed: 'own rule',
    ours: false,
  },
  replaceWith: {
    codec: 'texts',
    field: 'replaceWith',
    told: told('replaceWith', 'replaceWith'),
    constructed: 'alike',
    ours: false,
  },
  /* Transforms receive output values as such. */
  replacementTrigger: {
    codec: 'value',
    field: 'replacementTrigger',
    told: told('replacementTrigger', undefined),
    constructed: 'alike',
    ours: false,
  },
  transforms: { codec: 'callbacks', field: 'transforms', told: undefined, constructed: 'no', ours: false },
  hooks: {
    codec: 'hooks',
    field: 'hooks',
    told: told('hooks', 'hooks'),
    constructed: 'own rule',
    ours: false,
  },
  envVarMappings: {
    codec: 'textMap',
    field: 'envVarMappings',
    told: undefined,
    constructed: 'no',
    ours: false,
  },
  rollback: { codec: 'label', field: 'rollback', told: undefined, constructed: 'no', ours: true },
  idempotencyKey: { codec: 'label', field: 'idempotencyKey', told: undefined, constructed: 'no', ours: true },
  gate: { codec: 'label', field: 'gate', told: undefined, constructed: 'no', ours: true },
  /* Names inputs that the sender does not know yet: a constructor cannot set it. */
  lateInputs: { codec: 'texts', field: 'lateInputs', told: undefined, constructed: 'no', ours: false },
} as const satisfies { readonly [K in RequestOption]-?: OptionField<K> };

const ROWS = Object.entries(OPTION_FIELDS) as unknown as readonly (readonly [
  RequestOption,
  Omit<OptionField<RequestOption>, 'codec'> & { readonly codec: CodecName | 'own rule' },
])[];

const identical = (value: unknown): unknown => value;

/** Returns the functions that encode and decode a value. A value with a rule of its own remains unchanged. */
function coding(codec: CodecName | 'own rule') {
  const { encode = identical, decode = identical } = codec === 'own rule' ? {} : CODECS[codec];
  return { encode: encode as typeof identical, decode: decode as typeof identical };
}

/** Options of a registration by their names for transforms and hooks. */
export const CALLBACK_OPTIONS = ROWS.flatMap(([option, { told, codec }]) =>
  told === undefined ? [] : [{ option, name: told.name, field: told.field, ...coding(codec) }],
);

/** Options that constructors of components receive in the same form as registrations, with their coding. */
export const CONSTRUCTED_OPTIONS = ROWS.flatMap(([option, { constructed, codec }]) =>
  constructed === 'alike' ? [{ option: option as keyof ConstructOptions, ...coding(codec) }] : [],
);

/** Option that the common protocol does not have. */
export type OurOption = {
  [K in RequestOption]: (typeof OPTION_FIELDS)[K]['ours'] extends true ? K : never;
}[RequestOption];

export const OUR_OPTIONS = ROWS.filter(([, { ours }]) => ours).map(([option]) => option as OurOption);

/** Options that need no rule of their own, with their field and coding. */
export const CODED_OPTIONS = ROWS.flatMap(([option, { codec, field }]) => {
  if (codec === 'own rule' || field === undefined) return [];
  return [{ option, field, ...coding(codec) }];
});

/** Options of a registration that sets none. */
export const noRequestOptions: Pick<RegisterResourceRequest, RequestOption> = Object.freeze({
  package: Object.freeze({ version: '', pluginDownloadUrl: '', pluginChecksums: {}, packageRef: '' }),
  deleteBeforeReplace: undefined,
  aliases: [],
  ...(Object.fromEntries(
    ROWS.flatMap(([option, { codec }]) => (codec === 'own rule' ? [] : [[option, CODECS[codec].blank]])),
  ) as Omit<Pick<RegisterResourceRequest, RequestOption>, 'package' | 'deleteBeforeReplace' | 'aliases'>),
});
