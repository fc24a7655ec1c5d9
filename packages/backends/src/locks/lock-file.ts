/** Who holds a stack (state.md 5.7). */
export interface LockHolder {
  /** UUID of the holding process: the lock file's name. */
  readonly id: string;
  /** Key of the lock file in the store. */
  readonly key: string;
  readonly pid: number;
  readonly username: string;
  readonly hostname: string;
  /** RFC 3339. */
  readonly timestamp: string;
}
