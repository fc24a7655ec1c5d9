import type { InlineProgram } from './program.js';

/** Options shared by inline and local projects. */
export interface WorkspaceOptions {
  /**
   * Location of the stacks, e.g. `file:///srv/state` or `s3://bucket`. Defaults to the one that the command line finds.
   */
  readonly backendUrl?: string | undefined;
  /** Variables added to those of this process; they take precedence. They are not set in this process. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Passphrase of the stacks. Defaults to `CAIRN_CONFIG_PASSPHRASE`, or the file in the home. */
  readonly passphrase?: string | undefined;
  /**
   * Further directories whose `node_modules` contain providers, beside those of this process's main module and
   * directory.
   */
  readonly packageRoots?: readonly string[] | undefined;
}

/** A project whose program is a function of this process. */
export interface InlineProject<Returned> extends WorkspaceOptions {
  /** Name of the project. */
  readonly project: string;
  readonly program: InlineProgram<Returned>;
  /**
   * Directory of the project file and the configuration of its stacks. A missing project file is created. Relative
   * paths of the program's resources are still resolved against the directory of this process. Defaults to a directory
   * that is removed with the workspace, so that every process sets the configuration it needs.
   */
  readonly directory?: string | undefined;
  /**
   * Milliseconds for which the program may keep waiting while none of its calls is under way. After that the operation
   * fails and names what the program waits for. By default the operation waits until it is cancelled.
   */
  readonly timeout?: number | undefined;
}

/** A project in a directory, as the command line runs it: its program runs in its own process. */
export interface LocalProject extends WorkspaceOptions {
  readonly directory: string;
}
