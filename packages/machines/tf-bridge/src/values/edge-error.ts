import type { PropertyPath } from '@cairn/values';
import { formatPath } from '@cairn/values';

/** A property that cannot be given to the provider. */
export interface EdgeFailure {
  readonly path: PropertyPath;
  readonly reason: string;
}

/** Properties that do not match the provider's schema: all of them, by the names of programs. */
export class EdgeError extends Error {
  override readonly name = 'EdgeError';

  constructor(readonly failures: readonly EdgeFailure[]) {
    super(failures.map(failureText).join('; '));
  }
}

/** Returns a failure with its place. */
function failureText({ path, reason }: EdgeFailure): string {
  return path.length === 0 ? reason : `${formatPath(path)}: ${reason}`;
}
