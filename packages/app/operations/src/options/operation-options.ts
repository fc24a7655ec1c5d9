import type { OperationPolicy } from '@cairn/engine';

/**
 * What decides what an operation does. Its record keeps these, so that whoever goes on with it repeats them. What is
 * left out counts as not asked for.
 */
export interface OperationOptions {
  /** Kept in the history of the stack. */
  readonly message?: string | undefined;
  /** Steps that may run at once. */
  readonly parallel?: number | undefined;
  /** Only these resources: URNs with `*` and `**` as wildcards. */
  readonly targets?: readonly string[] | undefined;
  readonly targetDependents?: boolean | undefined;
  /** Everything but these resources. */
  readonly excludes?: readonly string[] | undefined;
  readonly excludeDependents?: boolean | undefined;
  /** Destroy: everything but protected resources and what they need. */
  readonly excludeProtected?: boolean | undefined;
  /** Up: new objects for these resources, changed or not. */
  readonly replace?: readonly string[] | undefined;
  /** Up: both targets and replacements. */
  readonly targetReplace?: readonly string[] | undefined;
  /** Reads the real state of the resources first. */
  readonly refresh?: boolean | undefined;
  /** Runs the program of a refresh or destroy too. */
  readonly runProgram?: boolean | undefined;
  readonly ignoreProtect?: boolean | undefined;
  /** Up: replacements, and deletes of what the program does not register any more, are refused. */
  readonly expectNoReplacements?: boolean | undefined;
  readonly expectNoDeletes?: boolean | undefined;
  /** The older way to say `onError: 'continue'`. */
  readonly continueOnError?: boolean | undefined;
  readonly onError?: OperationPolicy['onError'] | undefined;
  /** What fails and is rolled back together. */
  readonly isolate?: OperationPolicy['isolate'];
  /** Makes a broken promise of a provider an error. */
  readonly strictProviders?: boolean | undefined;
  /** Up: checks the types of the program before it is run. */
  readonly typecheck?: boolean | undefined;
  /** Destroy: removes the stack afterwards. */
  readonly remove?: boolean | undefined;
  /** Destroy: keeps the configuration file of the stack that is removed. */
  readonly preserveConfig?: boolean | undefined;
  /** Up: directories of policy packs, and for each, at the same place, a JSON file with its configuration. */
  readonly policyPacks?: readonly string[] | undefined;
  readonly policyPackConfigs?: readonly string[] | undefined;
  /**
   * Import: whether what is taken over is protected; its parent and provider, as URN or `name=URN`; properties that
   * become inputs.
   */
  readonly protect?: boolean | undefined;
  readonly parent?: string | undefined;
  readonly provider?: string | undefined;
  readonly properties?: readonly string[] | undefined;
  /** Import: whether the caller writes code for what was imported, and to which file. */
  readonly generateCode?: boolean | undefined;
  readonly out?: string | undefined;
}

/**
 * How an option is kept: a text, a whole number from 1, texts, whether it is on, or one of some words. `path`: texts
 * that name files.
 */
export type OptionForm =
  | { readonly holds: 'text'; readonly path?: true }
  | { readonly holds: 'count' }
  | { readonly holds: 'list'; readonly path?: true }
  | { readonly holds: 'switch' }
  | { readonly holds: 'choice'; readonly of: readonly string[] };

/** An option as records and command lines name it. */
export type OptionRow = OptionForm & { readonly name: string };

/** What an error may do to the rest of an operation. */
export const ON_ERROR = ['stop', 'continue', 'rollback'] as const;
/** What may fail and be rolled back together. */
const ISOLATIONS = ['none', 'component', 'resource'] as const;

/** Every option, in the order in which records keep them. */
export const OPERATION_OPTIONS = {
  message: { name: 'message', holds: 'text' },
  parallel: { name: 'parallel', holds: 'count' },
  targets: { name: 'target', holds: 'list' },
  targetDependents: { name: 'target-dependents', holds: 'switch' },
  excludes: { name: 'exclude', holds: 'list' },
  excludeDependents: { name: 'exclude-dependents', holds: 'switch' },
  excludeProtected: { name: 'exclude-protected', holds: 'switch' },
  replace: { name: 'replace', holds: 'list' },
  targetReplace: { name: 'target-replace', holds: 'list' },
  refresh: { name: 'refresh', holds: 'switch' },
  runProgram: { name: 'run-program', holds: 'switch' },
  ignoreProtect: { name: 'ignore-protect', holds: 'switch' },
  expectNoReplacements: { name: 'expect-no-replacements', holds: 'switch' },
  expectNoDeletes: { name: 'expect-no-deletes', holds: 'switch' },
  continueOnError: { name: 'continue-on-error', holds: 'switch' },
  onError: { name: 'on-error', holds: 'choice', of: ON_ERROR },
  isolate: { name: 'isolate', holds: 'choice', of: ISOLATIONS },
  strictProviders: { name: 'strict-providers', holds: 'switch' },
  typecheck: { name: 'typecheck', holds: 'switch' },
  remove: { name: 'remove', holds: 'switch' },
  preserveConfig: { name: 'preserve-config', holds: 'switch' },
  policyPacks: { name: 'policy-pack', holds: 'list', path: true },
  policyPackConfigs: { name: 'policy-pack-config', holds: 'list', path: true },
  protect: { name: 'protect', holds: 'switch' },
  parent: { name: 'parent', holds: 'text' },
  provider: { name: 'provider', holds: 'text' },
  properties: { name: 'properties', holds: 'list' },
  generateCode: { name: 'generate-code', holds: 'switch' },
  out: { name: 'out', holds: 'text', path: true },
} as const satisfies { readonly [K in keyof OperationOptions]-?: OptionRow };

/** Options by field, from whatever gives the value of a row; what it gives undefined for is left out. */
export function optionsFrom(read: (row: OptionRow) => unknown): OperationOptions {
  const rows = Object.entries(OPERATION_OPTIONS).map(([field, row]) => [field, read(row)] as const);
  return Object.fromEntries(rows.filter(([, value]) => value !== undefined));
}
