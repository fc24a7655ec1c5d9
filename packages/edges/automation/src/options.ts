/** Options of every operation. */
export interface OperationSettings {
  /** Signal that asks the operation to end: no further step starts, and running steps complete. */
  readonly signal?: AbortSignal | undefined;
  /** Fails if something changes, or would change. */
  readonly expectNoChanges?: boolean | undefined;
}

/** Options of every operation that takes steps. */
export interface StepOptions extends OperationSettings {
  /** Message stored in the history of the stack. */
  readonly message?: string | undefined;
  /** Number of steps that may run at once. Defaults to 16. */
  readonly parallel?: number | undefined;
  /** Includes only these resources: URNs, with `*` and `**` as wildcards. */
  readonly targets?: readonly string[] | undefined;
  /** Includes the dependents of targets as well. */
  readonly targetDependents?: boolean | undefined;
  /** Includes everything except these resources. */
  readonly excludes?: readonly string[] | undefined;
  /** Excludes the dependents of excluded resources as well. */
  readonly excludeDependents?: boolean | undefined;
  /**
   * Effect of an error on the rest: `stop` starts no further step, `continue` takes every step that is still possible,
   * and `rollback` undoes everything.
   */
  readonly onError?: 'stop' | 'continue' | 'rollback' | undefined;
  /** Unit that fails and is rolled back as a whole. */
  readonly isolate?: 'none' | 'component' | 'resource' | undefined;
  /** Treats a provider's breach of its contract as an error instead of a warning. */
  readonly strictProviders?: boolean | undefined;
}

/** Options of `up` and `preview` only. */
export interface ProgramOptions extends StepOptions {
  /** Deletes and replaces protected resources too. */
  readonly ignoreProtect?: boolean | undefined;
  /** Includes only these resources and replaces each of them: `targets` and `replace` in one. */
  readonly targetReplace?: readonly string[] | undefined;
  /** Fails if something would be replaced. */
  readonly expectNoReplacements?: boolean | undefined;
  /** Fails if something that the program no longer declares would be deleted. */
  readonly expectNoDeletes?: boolean | undefined;
  /** Reads the real state of the resources first. */
  readonly refresh?: boolean | undefined;
  /** Replaces these resources, whether they changed or not. */
  readonly replace?: readonly string[] | undefined;
  /** Checks the types of a program in a directory before running it. */
  readonly typecheck?: boolean | undefined;
  /** Directories of policy packs. Relative paths are resolved against the directory of this process. */
  readonly policyPacks?: readonly string[] | undefined;
  /**
   * JSON files with the configurations of the policy packs, in the same order. Relative paths are resolved the same
   * way.
   */
  readonly policyPackConfigs?: readonly string[] | undefined;
}

/** Options of an `up`. */
export interface UpOptions extends ProgramOptions {
  /** Plan of a preview. No step is taken that is not in the plan. */
  readonly plan?: string | undefined;
}

/** Options of a preview. */
export interface PreviewOptions extends ProgramOptions {
  /** Operation to preview. Defaults to `up`. */
  readonly of?: 'up' | 'refresh' | 'destroy' | undefined;
  /** Makes a plan that can constrain an `up`. */
  readonly plan?: boolean | undefined;
}

/** Options of a refresh. */
export interface RefreshOptions extends StepOptions {
  /** Runs the program too, so that providers get the configuration it sets. */
  readonly runProgram?: boolean | undefined;
  /** Records that creates with an unknown outcome made nothing. */
  readonly clearPendingCreates?: boolean | undefined;
  /** Ids of the objects made by creates with an unknown outcome, by URN. */
  readonly importPendingCreates?: Readonly<Record<string, string>> | undefined;
}

/** Options of a destroy. */
export interface DestroyOptions extends StepOptions {
  /** Runs the program too, so that providers get the configuration it sets. */
  readonly runProgram?: boolean | undefined;
  /** Deletes protected resources too. */
  readonly ignoreProtect?: boolean | undefined;
  /** Reads the real state of the resources first. */
  readonly refresh?: boolean | undefined;
  /** Keeps protected resources and everything they need. */
  readonly excludeProtected?: boolean | undefined;
  /** Removes the stack and its configuration file once everything is deleted. */
  readonly remove?: boolean | undefined;
  /** With `remove`: keeps the configuration file. */
  readonly preserveConfig?: boolean | undefined;
}

/** Options for resuming or rolling back a change. */
export interface ResumeOptions extends OperationSettings {
  /** Number of the change. Defaults to the newest. */
  readonly change?: number | undefined;
  /** Number of steps that may run at once. Defaults to the value of the change. */
  readonly parallel?: number | undefined;
  /** Effect of an error on the rest. Defaults to the value of the change. */
  readonly onError?: 'stop' | 'continue' | 'rollback' | undefined;
}

/** Options of an import. */
export interface ImportOptions extends OperationSettings {
  /** Message stored in the history of the stack. */
  readonly message?: string | undefined;
  /** Number of steps that may run at once. Defaults to 16. */
  readonly parallel?: number | undefined;
  /** Protects the imported resources: they cannot be deleted until the protection is removed. Defaults to true. */
  readonly protect?: boolean | undefined;
}

/** Options for asking a running operation to end from outside. */
export interface CancelOptions {
  /** Rolls back the steps already taken. By default they remain, and `resume` continues from there. */
  readonly rollback?: boolean | undefined;
}

/** Selects operations of a history. */
export interface HistoryOptions {
  /** Page number, starting at 1 with the newest operations. */
  readonly page?: number | undefined;
  /** Number of operations on a page. Defaults to 10. */
  readonly size?: number | undefined;
}
