import type { InlineProgram } from './program.js';

/** What is the same for every way to have a project. */
export interface WorkspaceOptions {
  /** Where stacks are kept, e.g. `file:///srv/state` or `s3://bucket`; default: as the command line finds it. */
  readonly backendUrl?: string | undefined;
  /** Variables beside and over those of this process. They are not set in this process. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** The passphrase of the stacks; default: `CAIRN_CONFIG_PASSPHRASE`, or the file in the home. */
  readonly passphrase?: string | undefined;
  /** Directories whose `node_modules` have providers, beside those of this process's main module and directory. */
  readonly packageRoots?: readonly string[] | undefined;
}

/** A project whose program is a function of this process. */
export interface InlineProject<Returned> extends WorkspaceOptions {
  /** Name of the project. */
  readonly project: string;
  readonly program: InlineProgram<Returned>;
  /**
   * Where the project's file and the configuration of its stacks are; a project file is made where there is none.
   * Relative paths of the program's resources count from the directory of this process all the same.
   * Default: a directory that goes with the workspace, so that every process sets the configuration that it needs.
   */
  readonly directory?: string | undefined;
  /**
   * Milliseconds for which the program may go on waiting though no call of it is under way; then the operation fails,
   * and says what is waited for. Default: it is waited for until the operation is cancelled.
   */
  readonly timeout?: number | undefined;
}

/** A project in a directory, as the command line runs it: its program gets a process of its own. */
export interface LocalProject extends WorkspaceOptions {
  readonly directory: string;
}
