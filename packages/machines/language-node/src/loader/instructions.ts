/** URLs of modules that a waiting process loads, as JSON. */
export const PRELOAD_VARIABLE = 'CAIRN_PRELOAD';

/** Descriptor of the pipe at which a waiting process reads its instructions. */
export const INSTRUCTIONS_DESCRIPTOR = 3;

/** Instructions for a waiting process, as JSON: everything that is not known when it starts. */
export interface Instructions {
  /** Variables to set, or with null to delete. */
  readonly variables: Readonly<Record<string, string | null>>;
  /** Arguments of the program's runner. */
  readonly args: readonly string[];
}
