import type { CallbackOptions } from '../contracts/callbacks.js';
import type { RegisterResourceRequest } from '../contracts/monitor.js';
import type { ConstructOptions } from '../contracts/provider.js';
import type * as pb from '../generated/pulumi/resource.js';
import { CODECS } from './codecs.js';
import type { CodecName, CodecOf } from './codecs.js';

/** What a registration is about, where it comes from and what its sender can take; everything else is an option. */
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

/** How one option of a registration stands in the messages that carry it. */
interface OptionField<K extends RequestOption> {
  /** `own rule`: the adapters have one, because it takes more than one field, or more than the value. */
  readonly codec: CodecOf<RegisterResourceRequest[K]> | 'own rule';
  /** The field of a registration; undefined with a rule of its own. */
  readonly field: keyof pb.RegisterResourceRequest | undefined;
  /**
   * In what transforms and hooks are told: its name among the options, and the field if it is coded alike there.
   * Undefined: they are told nothing of it, or it has parts that they are told, and it stays as it is.
   */
  readonly told:
    | { readonly name: keyof CallbackOptions; readonly field: keyof pb.TransformResourceOptions | undefined }
    | undefined;
  /**
   * In what constructors of components are told. `alike`: as in a registration, in the field of the option's name. `own
   * rule`: the adapter has one. `no`: it is not told.
   */
  readonly constructed: K extends keyof ConstructOptions ? 'alike' | 'own rule' : 'no';
  /** An option of ours: constructors of components cannot repeat it, so that what the program says counts for them. */
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
 * The options of registrations on the wire, a row each. Registrations, what transforms and hooks are told, and
 * requests without options follow from it; what the engine makes of an option is in its own table
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
  /* Four fields; transforms are told three of them. */
  package: { codec: 'own rule', field: undefined, told: undefined, constructed: 'no', ours: false },
  /* Two fields: false is not the same as nothing. */
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
  /* Two fields, and Node SDKs mean something else by some of them. */
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
  /* Transforms are told none instead of empty ones. */
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
  /* Transforms are told output values as such. */
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
  /* Of what the sender does not know yet: nobody can say it for a constructor. */
  lateInputs: { codec: 'texts', field: 'lateInputs', told: undefined, constructed: 'no', ours: false },
} as const satisfies { readonly [K in RequestOption]-?: OptionField<K> };

const ROWS = Object.entries(OPTION_FIELDS) as unknown as readonly (readonly [
  RequestOption,
  Omit<OptionField<RequestOption>, 'codec'> & { readonly codec: CodecName | 'own rule' },
])[];

const identical = (value: unknown): unknown => value;

/** How a value gets to the wire and back; one with a rule of its own stays as it is. */
function coding(codec: CodecName | 'own rule') {
  const { encode = identical, decode = identical } = codec === 'own rule' ? {} : CODECS[codec];
  return { encode: encode as typeof identical, decode: decode as typeof identical };
}

/** Options of a registration by what transforms and hooks call them. */
export const TOLD_OPTIONS = ROWS.flatMap(([option, { told, codec }]) =>
  told === undefined ? [] : [{ option, name: told.name, field: told.field, ...coding(codec) }],
);

/** Options that constructors of components are told as registrations have them, and how. */
export const CONSTRUCTED_OPTIONS = ROWS.flatMap(([option, { constructed, codec }]) =>
  constructed === 'alike' ? [{ option: option as keyof ConstructOptions, ...coding(codec) }] : [],
);

/** An option that the common protocol does not have. */
export type OurOption = {
  [K in RequestOption]: (typeof OPTION_FIELDS)[K]['ours'] extends true ? K : never;
}[RequestOption];

export const OUR_OPTIONS = ROWS.filter(([, { ours }]) => ours).map(([option]) => option as OurOption);

/** The options that need no rule of their own: from and to which field, and how. */
export const CODED_OPTIONS = ROWS.flatMap(([option, { codec, field }]) => {
  if (codec === 'own rule' || field === undefined) return [];
  return [{ option, field, ...coding(codec) }];
});

/** The options of a registration that says nothing. */
export const noRequestOptions: Pick<RegisterResourceRequest, RequestOption> = Object.freeze({
  package: Object.freeze({ version: '', pluginDownloadUrl: '', pluginChecksums: {}, packageRef: '' }),
  deleteBeforeReplace: undefined,
  aliases: [],
  ...(Object.fromEntries(
    ROWS.flatMap(([option, { codec }]) => (codec === 'own rule' ? [] : [[option, CODECS[codec].blank]])),
  ) as Omit<Pick<RegisterResourceRequest, RequestOption>, 'package' | 'deleteBeforeReplace' | 'aliases'>),
});
