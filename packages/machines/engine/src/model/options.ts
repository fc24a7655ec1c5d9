import type { Urn } from '@cairn/addresses';
import { ENTRY_FIELD_LIST } from '@cairn/state';
import type { EntryFields, EntryProperty, ResourceEntry } from '@cairn/state';
import { emptyMap } from '@cairn/values';
import type { AnalyzedOptions, HookOptions, RegisterResourceRequest } from '@cairn/wire';
import type { Goal, ReadGoal } from './goal.js';
import { FORMS } from './option-forms.js';
import type { OptionForm, FormOf } from './option-forms.js';

/** Identity of a goal. Everything else in it is an option. */
type Subject = 'urn' | 'type' | 'name' | 'custom' | 'parent' | 'inputs' | 'provider';

export type GoalOption = Exclude<keyof Goal, Subject>;

/**
 * Conversion of a request's field into the option. `as is`: taken over. `path texts`: paths that are checked and kept
 * as texts. `paths`, `urns`, `urn`: parsed. `own pass`: a pass of `monitor/normalise/` with a rule of its own, or no
 * field of the request.
 */
export type Taken = 'as is' | 'path texts' | 'paths' | 'urn' | 'urns' | 'own pass';

/** Type of the request's field that each conversion requires. */
interface TakenFrom<K extends GoalOption> {
  'as is': Goal[K];
  'path texts': readonly string[];
  paths: readonly string[];
  urn: string;
  urns: readonly string[];
}

type TakenOf<K extends GoalOption> = K extends keyof RegisterResourceRequest
  ? | {
        [T in keyof TakenFrom<K>]: RegisterResourceRequest[K] extends TakenFrom<K>[T] | undefined ? T : never;
      }[keyof TakenFrom<K>]
    | 'own pass'
  : 'own pass';

/** One option of a resource, as every part of the engine treats it. */
interface OptionRow<K extends GoalOption> {
  /** Form: the blank, equality, and the format in plan files. */
  readonly form: FormOf<Goal[K]>;
  readonly taken: TakenOf<K>;
  /** Inheritance from the parent. `unset`: if the resource does not set it. `added`: before the resource's own. */
  readonly inherited: 'no' | 'unset' | 'added';
  /**
   * True if a different value is a different goal. Then an operation that has begun does not continue with it
   * unchanged.
   */
  readonly wanted: boolean;
  /** True if reads have it as well. */
  readonly read: K extends keyof ReadGoal ? true : false;
  /** Key in a plan file, and the name that a violation gives it. Undefined if plans do not check it. */
  readonly planned: { readonly key: string; readonly what: string } | undefined;
  /** True if a plan file keeps the program's value in its transcript, so that it can be replayed. */
  readonly transcript: boolean;
  /** Name in the options that hooks receive. Undefined if hooks do not receive it. */
  readonly hook: K extends keyof ResourceEntry ? keyof HookOptions | undefined : undefined;
  /** True if policy packs see it, under this name. */
  readonly policy: K extends keyof AnalyzedOptions ? true : false;
}

const plan = <const Key extends string>(key: Key, what: string = key) => ({ key, what });

/** Columns of most rows. */
const COMMON = {
  taken: 'own pass',
  inherited: 'no',
  wanted: true,
  read: false,
  planned: undefined,
  transcript: true,
  hook: undefined,
  policy: false,
} as const satisfies Partial<OptionRow<GoalOption>>;

/**
 * Table of the options of resources, one row each. It defines everything the engine does with one, except the option's
 * own rule (`docs/maintainers/adding-a-resource-option.md`). Goals without options follow from it. So do transcripts,
 * plans, and the values for hooks and policy packs. The fields of requests are in the table of `@cairn/wire`
 * (`options/fields.ts`). An option is stored if the table of `@cairn/state` has a field of its name (`ENTRY_FIELDS`).
 * Violations of a plan are looked for in the order of the rows [PLAN-4].
 */
export const OPTIONS = {
  protect: {
    ...COMMON,
    form: 'flag',
    taken: 'as is',
    inherited: 'unset',
    planned: plan('protect'),
    hook: 'protect',
    policy: true,
  },
  idempotencyKey: { ...COMMON, form: 'label' },
  deleteBeforeReplace: {
    ...COMMON,
    form: 'choice',
    taken: 'as is',
    planned: plan('deleteBeforeReplace'),
    policy: true,
  },
  importId: { ...COMMON, form: 'text', taken: 'as is', planned: plan('id', 'import id'), hook: 'importId' },
  customTimeouts: {
    ...COMMON,
    form: 'timeouts',
    planned: plan('customTimeouts', 'timeout'),
    hook: 'customTimeouts',
    policy: true,
  },
  ignoreChanges: {
    ...COMMON,
    form: 'texts',
    taken: 'path texts',
    planned: plan('ignoreChanges'),
    hook: 'ignoreChanges',
    policy: true,
  },
  additionalSecretOutputs: {
    ...COMMON,
    form: 'texts',
    read: true,
    planned: plan('additionalSecretOutputs'),
    hook: 'additionalSecretOutputs',
    policy: true,
  },
  dependencies: { ...COMMON, form: 'urnSet', read: true, planned: plan('dependencies'), hook: 'dependsOn' },
  statedAliases: { ...COMMON, form: 'urns', wanted: false, planned: plan('aliases') },
  propertyDependencies: {
    ...COMMON,
    form: 'urnLists',
    planned: plan('propertyDependencies', 'dependencies of property'),
  },
  retainOnDelete: { ...COMMON, form: 'flag', taken: 'as is', inherited: 'unset', hook: 'retainOnDelete' },
  deletedWith: { ...COMMON, form: 'urn', taken: 'urn', inherited: 'unset', hook: 'deletedWith' },
  replaceOnChanges: { ...COMMON, form: 'texts', taken: 'path texts', hook: 'replaceOnChanges' },
  hideDiffs: { ...COMMON, form: 'paths', taken: 'paths', hook: 'hideDiffs' },
  replaceWith: { ...COMMON, form: 'urns', taken: 'urns', hook: 'replaceWith' },
  replacementTrigger: { ...COMMON, form: 'value', taken: 'as is', hook: 'replacementTrigger' },
  /* Functions of the program: a goal with hooks is in no transcript. */
  resourceHooks: { ...COMMON, form: 'textLists', transcript: false, hook: 'hooks' },
  rollback: { ...COMMON, form: 'rollback', inherited: 'unset', wanted: false },
  gates: { ...COMMON, form: 'gates', inherited: 'added', wanted: false },
  lateInputs: { ...COMMON, form: 'texts', wanted: false },
  /* An entry's aliases differ from these: they contain the one name under which it was found. */
  aliases: { ...COMMON, form: 'urns', wanted: false, read: true, policy: true },
  /* The engine sets it, not the program. */
  naming: { ...COMMON, form: 'naming', wanted: false },
  snippetId: { ...COMMON, form: 'label', taken: 'as is' },
  extensionRef: { ...COMMON, form: 'label', read: true },
  sourcePosition: { ...COMMON, form: 'label', wanted: false, read: true },
  stackTrace: { ...COMMON, form: 'trace', wanted: false, read: true },
} as const satisfies { readonly [K in GoalOption]-?: OptionRow<K> };

type Table = typeof OPTIONS;

type StoredProperty = {
  [K in keyof EntryFields]: EntryFields[K]['written'] extends 'unstored' ? never : EntryProperty<K>;
}[keyof EntryFields];

const STORED_PROPERTIES: ReadonlySet<string> = new Set(
  ENTRY_FIELD_LIST.filter(({ written }) => written !== 'unstored').map(({ property }) => property),
);

/** Options by their value in a column. */
export type OptionsWith<C extends keyof OptionRow<GoalOption>, V> = {
  [K in GoalOption]: Table[K][C] extends V ? K : never;
}[GoalOption];

/** Options that stored entries contain, in the field of the same name. */
export type StoredOption = Extract<GoalOption, StoredProperty>;
/** Options that come from the parent or are added to its own. */
export type InheritedOption = OptionsWith<'inherited', 'unset' | 'added'>;
/** Options that a plan fixes for a resource. */
export type PlannedOption = OptionsWith<'planned', object>;

/** Options that reads have as well. */
export type ReadOption = OptionsWith<'read', true>;

/** Options that hooks receive. Entries contain them. */
export type HookOption = OptionsWith<'hook', string>;
/** Options that policy packs see. */
type PolicyOption = OptionsWith<'policy', true>;

/** Returns the names of the options whose row satisfies a condition, in the order of the table. */
function names<K extends GoalOption>(holds: (row: OptionRow<GoalOption>) => boolean): readonly K[] {
  const all = Object.keys(OPTIONS) as GoalOption[];
  return all.filter((name) => holds(OPTIONS[name] as OptionRow<GoalOption>)) as K[];
}

const OPTION_NAMES = names<GoalOption>(() => true);
export const STORED_OPTIONS = OPTION_NAMES.filter(isStored);
export const PLANNED_OPTIONS = names<PlannedOption>(({ planned }) => planned !== undefined);
/** Options that transcripts contain. */
export const SAID_OPTIONS = names<OptionsWith<'transcript', true>>(({ transcript }) => transcript);
export const READ_OPTIONS = names<ReadOption>(({ read }) => read);
export const HOOK_OPTIONS = names<HookOption>(({ hook }) => hook !== undefined);
export const POLICY_OPTIONS = names<PolicyOption>(({ policy }) => policy);
export const INHERITED_OPTIONS = names<InheritedOption>(({ inherited }) => inherited !== 'no');
/** Options of which a different value is a different goal. */
export const WANTED = OPTION_NAMES.filter((name) => OPTIONS[name].wanted);
/** Options that count in a goal but that entries do not contain. */
export const WANTED_UNSTORED = OPTION_NAMES.filter((name) => OPTIONS[name].wanted && !isStored(name));
/** Options that entries contain although they do not count in a goal. */
export const STORED_UNWANTED = STORED_OPTIONS.filter((name) => !OPTIONS[name].wanted);

/** Returns true if stored entries contain the option. */
export function isStored<K extends GoalOption>(name: K): name is K & StoredOption {
  return STORED_PROPERTIES.has(name);
}

/** Returns the value of an option that is not set. */
export function blankOf<K extends GoalOption>(name: K): Goal[K] {
  return FORMS[OPTIONS[name].form as OptionForm].blank as Goal[K];
}

/** Template of goals, with every field and not frozen: V8 copies such an object at once. */
const blank: Goal = {
  parent: undefined,
  inputs: emptyMap,
  provider: undefined,
  ...(Object.fromEntries(OPTION_NAMES.map((name) => [name, blankOf(name)])) as Pick<Goal, GoalOption>),
  urn: '' as Urn,
  type: '',
  name: '',
  custom: false,
};

/** Parts of a goal: identity, and every difference from a goal without options. */
type GoalSpec = Pick<Goal, 'urn' | 'type' | 'name' | 'custom'> & Partial<Goal>;

/** Makes a goal with every field present, so that all have one shape. */
export function goalOf(spec: GoalSpec): Goal {
  return { ...blank, ...spec };
}
