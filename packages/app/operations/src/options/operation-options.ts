/**
 * Form of an option's value: a text, a whole number from 1, texts, a switch, or one of some words. `path` marks texts
 * that name files.
 */
type OptionForm =
  | { readonly holds: 'text'; readonly path?: true }
  | { readonly holds: 'count' }
  | { readonly holds: 'list'; readonly path?: true }
  | { readonly holds: 'switch'; readonly standard?: 'on' }
  | { readonly holds: 'choice'; readonly of: readonly string[] };

/** An option in records and on the command line. */
export type OptionRow = OptionForm & {
  /** Name of the flag, without dashes. Records use it as the key of the option. */
  readonly name: string;
  readonly short?: string;
  /** Name of the value in help. Absent for a switch. */
  readonly value?: string;
  /** Environment variable that can replace the flag, without its prefix [CFG-14]. */
  readonly variable?: string;
  readonly summary: string;
};

/** Effects of an error on the rest of an operation. */
const ON_ERROR = ['stop', 'continue', 'rollback'] as const;
/** Units that may fail and be rolled back as a whole. */
const ISOLATIONS = ['none', 'component', 'resource'] as const;

/**
 * Every option that decides what an operation does, in the order of records. The fields of {@link OperationOptions},
 * flags, help and records are made from these rows.
 */
export const OPERATION_OPTIONS = {
  /** Kept in the history of the stack. */
  message: {
    name: 'message',
    short: 'm',
    value: 'text',
    holds: 'text',
    summary: 'Keep this message in the history of the stack',
  },
  /** Number of steps that may run at once. */
  parallel: {
    name: 'parallel',
    short: 'p',
    value: 'n',
    variable: 'PARALLEL',
    holds: 'count',
    summary: 'Run at most this many steps at once (default 16)',
  },
  /** Only these resources: URNs with `*` and `**` as wildcards. */
  targets: {
    name: 'target',
    short: 't',
    value: 'urn',
    holds: 'list',
    summary: 'Select only these resources; * and ** are wildcards',
  },
  targetDependents: {
    name: 'target-dependents',
    holds: 'switch',
    summary: 'Include resources that depend on the targets',
  },
  /** Everything but these resources. */
  excludes: {
    name: 'exclude',
    short: 'x',
    value: 'urn',
    holds: 'list',
    summary: 'Select all but these resources; * and ** are wildcards',
  },
  excludeDependents: {
    name: 'exclude-dependents',
    holds: 'switch',
    summary: 'Exclude resources that depend on the excluded ones, too',
  },
  /** Destroy: everything but protected resources and what they need. */
  excludeProtected: {
    name: 'exclude-protected',
    holds: 'switch',
    summary: 'Exclude protected resources and the resources that they need',
  },
  /** Up: new objects for these resources, changed or not. */
  replace: {
    name: 'replace',
    value: 'urn',
    holds: 'list',
    summary: 'Replace these resources, changed or not; * and ** are wildcards',
  },
  /** Up: both targets and replacements. */
  targetReplace: {
    name: 'target-replace',
    value: 'urn',
    holds: 'list',
    summary: 'Target and replace these resources: both --target and --replace',
  },
  /** Reads the real state of the resources first. */
  refresh: {
    name: 'refresh',
    short: 'r',
    holds: 'switch',
    summary: 'Read the real state of the resources first',
  },
  /** Runs the program of a refresh or destroy too. On an up it decides how `refresh` works. */
  runProgram: {
    name: 'run-program',
    holds: 'switch',
    summary: 'Run the program, so that objects are read and deleted with its current provider settings',
  },
  ignoreProtect: {
    name: 'ignore-protect',
    holds: 'switch',
    summary: 'Delete and replace protected resources too',
  },
  /** Up: replacements are refused before they have an effect. */
  expectNoReplacements: {
    name: 'expect-no-replacements',
    holds: 'switch',
    summary: 'Fail before a resource is replaced',
  },
  /** Up: deletes of resources that the program no longer registers are refused before they have an effect. */
  expectNoDeletes: {
    name: 'expect-no-deletes',
    holds: 'switch',
    summary: 'Fail before a resource is deleted because the program no longer registers it',
  },
  /** The older form of `onError: 'continue'`. */
  continueOnError: {
    name: 'continue-on-error',
    variable: 'CONTINUE_ON_ERROR',
    holds: 'switch',
    summary: 'Continue with resources that do not depend on a failed one',
  },
  /** Effect of an error on the rest. */
  onError: {
    name: 'on-error',
    value: 'what',
    holds: 'choice',
    of: ON_ERROR,
    summary:
      'On an error: stop (default), continue with independent resources, or rollback everything done so far',
  },
  /** Unit that fails and is rolled back as a whole. */
  isolate: {
    name: 'isolate',
    value: 'what',
    holds: 'choice',
    of: ISOLATIONS,
    summary: 'Choose what fails and rolls back together: none (everything, default), component or resource',
  },
  /** Makes a broken promise of a provider an error. */
  strictProviders: {
    name: 'strict-providers',
    holds: 'switch',
    summary: 'Fail if a provider breaks its contract, instead of warning',
  },
  /** Up: asks every provider about every resource. */
  noDigests: {
    name: 'no-digests',
    holds: 'switch',
    summary: 'Ask providers about resources even if the state answers for them',
  },
  /** Up: checks the types of the program before it runs. */
  typecheck: {
    name: 'typecheck',
    holds: 'switch',
    summary: 'Check the types of the program first',
  },
  /** Destroy: removes the stack afterwards. */
  remove: {
    name: 'remove',
    holds: 'switch',
    summary: 'Remove the stack and its configuration file afterwards',
  },
  /** Destroy: keeps the configuration file of the removed stack. */
  preserveConfig: {
    name: 'preserve-config',
    holds: 'switch',
    summary: 'Keep the configuration file, with --remove',
  },
  /** Up: directories of policy packs. */
  policyPacks: {
    name: 'policy-pack',
    value: 'directory',
    holds: 'list',
    path: true,
    summary: 'Run this policy pack',
  },
  /** JSON files with the configuration of the policy packs, in the same order. */
  policyPackConfigs: {
    name: 'policy-pack-config',
    value: 'file',
    holds: 'list',
    path: true,
    summary: 'Configure the --policy-pack at the same position with this JSON file',
  },
  /** Import: protects the imported resources. */
  protect: {
    name: 'protect',
    holds: 'switch',
    standard: 'on',
    summary: 'Protect the imported resources; --protect=false does not',
  },
  /** Import: the parent, as URN or `name=URN`. */
  parent: {
    name: 'parent',
    value: 'urn',
    holds: 'text',
    summary: 'Set the parent of the resource, as URN or as name=URN with its name in the program',
  },
  /** Import: the provider, as URN or `name=URN`. */
  provider: {
    name: 'provider',
    value: 'urn',
    holds: 'text',
    summary: 'Set the provider of the resource, as URN or as name=URN with its name in the program',
  },
  /** Import: properties that become inputs. */
  properties: {
    name: 'properties',
    value: 'names',
    holds: 'list',
    summary: 'Make only these properties inputs, separated by commas (default: all that were read)',
  },
  /** Import: the caller writes code for the imported resources. */
  generateCode: {
    name: 'generate-code',
    holds: 'switch',
    standard: 'on',
    summary: 'Write code for the program; --generate-code=false does not',
  },
  /** Import: the file that the code is written to. */
  out: {
    name: 'out',
    short: 'o',
    value: 'path',
    holds: 'text',
    path: true,
    summary: 'Write the code to this file instead of stdout',
  },
} as const satisfies Readonly<Record<string, OptionRow>>;

type Rows = typeof OPERATION_OPTIONS;

type Held<R extends OptionRow> = R extends { readonly holds: 'choice'; readonly of: readonly (infer W)[] }
  ? W
  : { text: string; count: number; list: readonly string[]; switch: boolean; choice: never }[R['holds']];

/**
 * Options that decide what an operation does. Its record keeps them, so that a continuation repeats them. Omitted
 * options count as not set.
 */
export type OperationOptions = { readonly [K in keyof Rows]?: Held<Rows[K]> | undefined };

/** Makes options by field from `read`, which returns the value of a row. Fields without a value are left out. */
export function optionsFrom(
  read: (row: OptionRow, field: keyof OperationOptions) => unknown,
): OperationOptions {
  const fields = Object.keys(OPERATION_OPTIONS) as (keyof OperationOptions)[];
  const rows = fields.map((field) => [field, read(OPERATION_OPTIONS[field], field)] as const);
  return Object.fromEntries(rows.filter(([, value]) => value !== undefined));
}
