/** What every operation may be told. */
export interface OperationSettings {
  /** Aborting it asks the operation to end: no further step starts, and running ones come to their end. */
  readonly signal?: AbortSignal | undefined;
  /** An error when something changes, or would. */
  readonly expectNoChanges?: boolean | undefined;
}

/** What every operation that takes steps may be told. */
export interface StepOptions extends OperationSettings {
  /** Kept in the history of the stack. */
  readonly message?: string | undefined;
  /** Steps that may run at once; default 16. */
  readonly parallel?: number | undefined;
  /** Only these resources: URNs, with `*` and `**` as wildcards. */
  readonly targets?: readonly string[] | undefined;
  /** What depends on a target takes part too. */
  readonly targetDependents?: boolean | undefined;
  /** Everything but these resources. */
  readonly excludes?: readonly string[] | undefined;
  /** What depends on an excluded resource is excluded too. */
  readonly excludeDependents?: boolean | undefined;
  /** What an error does to the rest: nothing more starts, all that can be done is done, or all is undone. */
  readonly onError?: 'stop' | 'continue' | 'rollback' | undefined;
  /** What fails and is rolled back together. */
  readonly isolate?: 'none' | 'component' | 'resource' | undefined;
  /** A provider that breaks its contract is an error instead of a warning. */
  readonly strictProviders?: boolean | undefined;
}

/** What only `up` and `preview` may be told. */
export interface ProgramOptions extends StepOptions {
  /** Deletes and replaces protected resources too. */
  readonly ignoreProtect?: boolean | undefined;
  /** Only these resources, each with a new object: `targets` and `replace` in one. */
  readonly targetReplace?: readonly string[] | undefined;
  /** An error when something would be replaced. */
  readonly expectNoReplacements?: boolean | undefined;
  /** An error when something that the program no longer declares would be deleted. */
  readonly expectNoDeletes?: boolean | undefined;
  /** Reads the real state of the resources first. */
  readonly refresh?: boolean | undefined;
  /** New objects for these resources, changed or not. */
  readonly replace?: readonly string[] | undefined;
  /** Checks the types of a program in a directory before it is run. */
  readonly typecheck?: boolean | undefined;
  /** Directories of policy packs; relative ones count from the directory of this process. */
  readonly policyPacks?: readonly string[] | undefined;
  /** For each policy pack, at the same place, a JSON file with its configuration; relative ones as those. */
  readonly policyPackConfigs?: readonly string[] | undefined;
}

/** How an `up` is run. */
export interface UpOptions extends ProgramOptions {
  /** The plan of a preview: no step is taken that it does not have. */
  readonly plan?: string | undefined;
}

/** How a preview is run. */
export interface PreviewOptions extends ProgramOptions {
  /** What is previewed; default: `up`. */
  readonly of?: 'up' | 'refresh' | 'destroy' | undefined;
  /** Makes a plan that an `up` can be held to. */
  readonly plan?: boolean | undefined;
}

/** How a refresh is run. */
export interface RefreshOptions extends StepOptions {
  /** Runs the program too, so that providers are configured as it says. */
  readonly runProgram?: boolean | undefined;
  /** Creates whose end nobody knows have made nothing. */
  readonly clearPendingCreates?: boolean | undefined;
  /** What creates whose end nobody knows have made: the id, by URN. */
  readonly importPendingCreates?: Readonly<Record<string, string>> | undefined;
}

/** How a destroy is run. */
export interface DestroyOptions extends StepOptions {
  /** Runs the program too, so that providers are configured as it says. */
  readonly runProgram?: boolean | undefined;
  /** Deletes protected resources too. */
  readonly ignoreProtect?: boolean | undefined;
  /** Reads the real state of the resources first. */
  readonly refresh?: boolean | undefined;
  /** Everything but protected resources and what they need. */
  readonly excludeProtected?: boolean | undefined;
  /** Removes the stack and its configuration file when everything is deleted. */
  readonly remove?: boolean | undefined;
  /** With `remove`: keeps the configuration file. */
  readonly preserveConfig?: boolean | undefined;
}

/** How a change is gone on with, or taken back. */
export interface ResumeOptions extends OperationSettings {
  /** Number of the change that is meant; default: the newest. */
  readonly change?: number | undefined;
  /** Steps that may run at once; default: as the change had it. */
  readonly parallel?: number | undefined;
  /** What an error does to the rest; default: as the change had it. */
  readonly onError?: 'stop' | 'continue' | 'rollback' | undefined;
}

/** How objects are taken over. */
export interface ImportOptions extends OperationSettings {
  /** Kept in the history of the stack. */
  readonly message?: string | undefined;
  /** Steps that may run at once; default 16. */
  readonly parallel?: number | undefined;
  /** What is taken over is protected: it cannot be deleted before that is lifted. Default: true. */
  readonly protect?: boolean | undefined;
}

/** How a running operation is asked to end from outside. */
export interface CancelOptions {
  /** What was done is rolled back; default: it stays, and `resume` goes on from there. */
  readonly rollback?: boolean | undefined;
}

/** Which operations of a history are meant. */
export interface HistoryOptions {
  /** Counts from 1, the newest operations first. */
  readonly page?: number | undefined;
  /** Operations on a page; default 10. */
  readonly size?: number | undefined;
}
