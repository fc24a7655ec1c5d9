/** ProgramCheckout of one stack's program. */
export interface ProgramCheckout {
  /** Folder of the project. */
  readonly folder: string;
  readonly commit: string;
}

/** Program of a stack that has versions: a repository, or an archive of a bucket. */
export interface ProgramSource {
  /** Folder with the whole program. */
  readonly root: string;
  /** Reads the newest version, and what identifies the folder of the stack in it. */
  head(): Promise<{ readonly commit: string; readonly tree: string }>;
  /** Makes the folder of the program as it is in a version. `ref` is a name by which git finds it. */
  checkOut(commit: string, ref?: string): Promise<ProgramCheckout>;
  /** Returns what identifies the contents of the folder in a version that was fetched. */
  tree(commit: string): Promise<string>;
}
