import type { ResourceEntry } from '@cairn/state';
import { emptyMap } from '@cairn/values';
import type { AnalyzedOptions, HookOptions, RegisterResourceRequest } from '@cairn/wire';
import type { Goal, ReadGoal } from './goal.js';
import { FORMS } from './option-forms.js';
import type { Form, FormOf } from './option-forms.js';

/** What a goal is about; everything else that it has is an option. */
type Subject = 'urn' | 'type' | 'name' | 'custom' | 'parent' | 'inputs' | 'provider';

export type GoalOption = Exclude<keyof Goal, Subject>;

/**
 * When a change of a stored field is written that comes with a step that changes nothing else [STATE-7]. `now`: at
 * once. `end`: before the operation ends. `never`: with the next step that is written for another reason.
 */
export type Written = 'now' | 'end' | 'never';

/**
 * How a request becomes the option. `as is`: taken over. `path texts`: paths that are checked and kept as texts.
 * `paths`, `urns`, `urn`: parsed. `own pass`: a pass of `monitor/normalise/` with a rule of its own, or nothing of the
 * request.
 */
export type Taken = 'as is' | 'path texts' | 'paths' | 'urn' | 'urns' | 'own pass';

/** What a request must have for an option to be taken in that way. */
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

/** One option of a resource: what every part of the engine makes of it. */
interface OptionRow<K extends GoalOption> {
  /** Its form: the blank, equality, and how plan files hold it. */
  readonly form: FormOf<Goal[K]>;
  readonly taken: TakenOf<K>;
  /** From the parent. `unset`: where the resource does not say. `added`: before what the resource says. */
  readonly inherited: 'no' | 'unset' | 'added';
  /** When a change of the entry's field of this name is written; undefined: the option is not stored. */
  readonly stored: K extends keyof ResourceEntry ? Written | undefined : undefined;
  /**
   * A program that says another one wants something else, so that a begun operation does not go on with it as it is.
   */
  readonly wanted: boolean;
  /** Reads have it as well. */
  readonly read: K extends keyof ReadGoal ? true : false;
  /** Where a plan file has it: its key there, and what a violation calls it. Undefined: plans do not look at it. */
  readonly planned: { readonly key: string; readonly what: string } | undefined;
  /** What the program said is kept in a plan file with it, so that it can be said again. */
  readonly transcript: boolean;
  /** Its name in what hooks are told; undefined: they are not told. */
  readonly hook: K extends keyof ResourceEntry ? keyof HookOptions | undefined : undefined;
  /** Policy packs see it, under this name. */
  readonly policy: K extends keyof AnalyzedOptions ? true : false;
}

const plan = <const Key extends string>(key: Key, what: string = key) => ({ key, what });

/**
 * The options of resources, a row each: what the engine does with one is said here and nowhere else, apart from the
 * rule that it is there for (`docs/maintainers/adding-a-resource-option.md`). Goals without options, the fields of
 * entries and when they are written, transcripts, plans, and what hooks and policy packs are told follow from it. The
 * fields of requests are in the table of `@cairn/wire` (`options/fields.ts`). The order of the rows is the one in which
 * a violation of a plan is looked for [PLAN-4].
 */
export const OPTIONS = {
  protect: {
    form: 'flag',
    taken: 'as is',
    inherited: 'unset',
    stored: 'now',
    wanted: true,
    read: false,
    planned: plan('protect'),
    transcript: true,
    hook: 'protect',
    policy: true,
  },
  idempotencyKey: {
    form: 'label',
    taken: 'own pass',
    inherited: 'no',
    stored: undefined,
    wanted: true,
    read: false,
    planned: undefined,
    transcript: true,
    hook: undefined,
    policy: false,
  },
  deleteBeforeReplace: {
    form: 'choice',
    taken: 'as is',
    inherited: 'no',
    stored: undefined,
    wanted: true,
    read: false,
    planned: plan('deleteBeforeReplace'),
    transcript: true,
    hook: undefined,
    policy: true,
  },
  importId: {
    form: 'text',
    taken: 'as is',
    inherited: 'no',
    stored: 'now',
    wanted: true,
    read: false,
    planned: plan('id', 'import id'),
    transcript: true,
    hook: 'importId',
    policy: false,
  },
  customTimeouts: {
    form: 'timeouts',
    taken: 'own pass',
    inherited: 'no',
    stored: 'now',
    wanted: true,
    read: false,
    planned: plan('customTimeouts', 'timeout'),
    transcript: true,
    hook: 'customTimeouts',
    policy: true,
  },
  ignoreChanges: {
    form: 'texts',
    taken: 'path texts',
    inherited: 'no',
    stored: 'end',
    wanted: true,
    read: false,
    planned: plan('ignoreChanges'),
    transcript: true,
    hook: 'ignoreChanges',
    policy: true,
  },
  additionalSecretOutputs: {
    form: 'texts',
    taken: 'own pass',
    inherited: 'no',
    stored: 'end',
    wanted: true,
    read: true,
    planned: plan('additionalSecretOutputs'),
    transcript: true,
    hook: 'additionalSecretOutputs',
    policy: true,
  },
  dependencies: {
    form: 'urnSet',
    taken: 'own pass',
    inherited: 'no',
    stored: 'now',
    wanted: true,
    read: true,
    planned: plan('dependencies'),
    transcript: true,
    hook: 'dependsOn',
    policy: false,
  },
  statedAliases: {
    form: 'urns',
    taken: 'own pass',
    inherited: 'no',
    stored: undefined,
    wanted: false,
    read: false,
    planned: plan('aliases'),
    transcript: true,
    hook: undefined,
    policy: false,
  },
  propertyDependencies: {
    form: 'urnLists',
    taken: 'own pass',
    inherited: 'no',
    stored: 'now',
    wanted: true,
    read: false,
    planned: plan('propertyDependencies', 'dependencies of property'),
    transcript: true,
    hook: undefined,
    policy: false,
  },
  retainOnDelete: {
    form: 'flag',
    taken: 'as is',
    inherited: 'unset',
    stored: 'now',
    wanted: true,
    read: false,
    planned: undefined,
    transcript: true,
    hook: 'retainOnDelete',
    policy: false,
  },
  deletedWith: {
    form: 'urn',
    taken: 'urn',
    inherited: 'unset',
    stored: 'now',
    wanted: true,
    read: false,
    planned: undefined,
    transcript: true,
    hook: 'deletedWith',
    policy: false,
  },
  replaceOnChanges: {
    form: 'texts',
    taken: 'path texts',
    inherited: 'no',
    stored: 'end',
    wanted: true,
    read: false,
    planned: undefined,
    transcript: true,
    hook: 'replaceOnChanges',
    policy: false,
  },
  hideDiffs: {
    form: 'paths',
    taken: 'paths',
    inherited: 'no',
    stored: 'end',
    wanted: true,
    read: false,
    planned: undefined,
    transcript: true,
    hook: 'hideDiffs',
    policy: false,
  },
  replaceWith: {
    form: 'urns',
    taken: 'urns',
    inherited: 'no',
    stored: 'now',
    wanted: true,
    read: false,
    planned: undefined,
    transcript: true,
    hook: 'replaceWith',
    policy: false,
  },
  replacementTrigger: {
    form: 'value',
    taken: 'as is',
    inherited: 'no',
    stored: 'now',
    wanted: true,
    read: false,
    planned: undefined,
    transcript: true,
    hook: 'replacementTrigger',
    policy: false,
  },
  /* Functions of the program: what has some is in no transcript. */
  resourceHooks: {
    form: 'textLists',
    taken: 'own pass',
    inherited: 'no',
    stored: 'now',
    wanted: true,
    read: false,
    planned: undefined,
    transcript: false,
    hook: 'hooks',
    policy: false,
  },
  rollback: {
    form: 'rollback',
    taken: 'own pass',
    inherited: 'unset',
    stored: undefined,
    wanted: false,
    read: false,
    planned: undefined,
    transcript: true,
    hook: undefined,
    policy: false,
  },
  gates: {
    form: 'gates',
    taken: 'own pass',
    inherited: 'added',
    stored: undefined,
    wanted: false,
    read: false,
    planned: undefined,
    transcript: true,
    hook: undefined,
    policy: false,
  },
  lateInputs: {
    form: 'texts',
    taken: 'own pass',
    inherited: 'no',
    stored: undefined,
    wanted: false,
    read: false,
    planned: undefined,
    transcript: true,
    hook: undefined,
    policy: false,
  },
  /* An entry's aliases are another thing: the one name under which it was found. */
  aliases: {
    form: 'urns',
    taken: 'own pass',
    inherited: 'no',
    stored: undefined,
    wanted: false,
    read: true,
    planned: undefined,
    transcript: true,
    hook: undefined,
    policy: true,
  },
  /* Of the engine, not of the program. */
  naming: {
    form: 'naming',
    taken: 'own pass',
    inherited: 'no',
    stored: undefined,
    wanted: false,
    read: false,
    planned: undefined,
    transcript: true,
    hook: undefined,
    policy: false,
  },
  snippetId: {
    form: 'label',
    taken: 'as is',
    inherited: 'no',
    stored: 'end',
    wanted: true,
    read: false,
    planned: undefined,
    transcript: true,
    hook: undefined,
    policy: false,
  },
  extensionRef: {
    form: 'label',
    taken: 'own pass',
    inherited: 'no',
    stored: 'now',
    wanted: true,
    read: true,
    planned: undefined,
    transcript: true,
    hook: undefined,
    policy: false,
  },
  sourcePosition: {
    form: 'label',
    taken: 'own pass',
    inherited: 'no',
    stored: 'end',
    wanted: false,
    read: true,
    planned: undefined,
    transcript: true,
    hook: undefined,
    policy: false,
  },
  stackTrace: {
    form: 'trace',
    taken: 'own pass',
    inherited: 'no',
    stored: 'end',
    wanted: false,
    read: true,
    planned: undefined,
    transcript: true,
    hook: undefined,
    policy: false,
  },
} as const satisfies { readonly [K in GoalOption]-?: OptionRow<K> };

type Table = typeof OPTIONS;

/** The options that a column says something about, by what it says. */
export type OptionsWith<C extends keyof OptionRow<GoalOption>, V> = {
  [K in GoalOption]: Table[K][C] extends V ? K : never;
}[GoalOption];

/** Options that entries hold. */
export type StoredOption = OptionsWith<'stored', Written>;
/** Options that come from the parent or add to its own. */
export type InheritedOption = OptionsWith<'inherited', 'unset' | 'added'>;
/** Options that a plan holds a resource to. */
export type PlannedOption = OptionsWith<'planned', object>;

/** Options that reads have as well. */
export type ReadOption = OptionsWith<'read', true>;

/** Options that hooks are told: entries hold them. */
export type HookOption = OptionsWith<'hook', string>;
/** Options that policy packs see. */
type PolicyOption = OptionsWith<'policy', true>;

/** Names of the options for which a column holds something, in the order of the table. */
function names<K extends GoalOption>(holds: (row: OptionRow<GoalOption>) => boolean): readonly K[] {
  const all = Object.keys(OPTIONS) as GoalOption[];
  return all.filter((name) => holds(OPTIONS[name] as OptionRow<GoalOption>)) as K[];
}

const OPTION_NAMES = names<GoalOption>(() => true);
export const STORED_OPTIONS = names<StoredOption>(({ stored }) => stored !== undefined);
export const PLANNED_OPTIONS = names<PlannedOption>(({ planned }) => planned !== undefined);
/** What transcripts hold. */
export const SAID_OPTIONS = names<OptionsWith<'transcript', true>>(({ transcript }) => transcript);
export const READ_OPTIONS = names<ReadOption>(({ read }) => read);
export const HOOK_OPTIONS = names<HookOption>(({ hook }) => hook !== undefined);
export const POLICY_OPTIONS = names<PolicyOption>(({ policy }) => policy);
export const INHERITED_OPTIONS = names<InheritedOption>(({ inherited }) => inherited !== 'no');
/** What a program wants that entries do not hold. */
export const WANTED_UNSTORED = names<GoalOption>(({ stored, wanted }) => wanted && stored === undefined);
/** What entries hold although another one does not mean that something else is wanted. */
export const STORED_UNWANTED = names<StoredOption>(({ stored, wanted }) => !wanted && stored !== undefined);

/** Whether entries hold the option. */
export function isStored<K extends GoalOption>(name: K): name is K & StoredOption {
  return OPTIONS[name].stored !== undefined;
}

/** What an option is where nobody says anything. */
export function blankOf<K extends GoalOption>(name: K): Goal[K] {
  return FORMS[OPTIONS[name].form as Form].blank as Goal[K];
}

const blank = Object.freeze({
  parent: undefined,
  inputs: emptyMap,
  provider: undefined,
  ...(Object.fromEntries(OPTION_NAMES.map((name) => [name, blankOf(name)])) as Pick<Goal, GoalOption>),
});

/** What a goal is made of: identity, and whatever differs from a goal without options. */
type GoalSpec = Pick<Goal, 'urn' | 'type' | 'name' | 'custom'> & Partial<Goal>;

/** A goal with every field present, so that all have one shape. */
export function goalOf(spec: GoalSpec): Goal {
  return { ...blank, ...spec };
}
