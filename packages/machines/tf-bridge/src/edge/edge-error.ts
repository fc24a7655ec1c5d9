import type { PropertyPath } from '@cairn/values';
import { formatPath } from '@cairn/values';

/** A property that cannot be given to the provider. */
export interface EdgeFailure {
  readonly path: PropertyPath;
  readonly reason: string;
}

/** Properties that are not what the provider's schema asks for: every one of them, by the names of programs. */
export class EdgeError extends Error {
  override readonly name = 'EdgeError';

  constructor(readonly failures: readonly EdgeFailure[]) {
    super(failures.map(failureText).join('; '));
  }
}

/** A failure with its place. */
function failureText({ path, reason }: EdgeFailure): string {
  return path.length === 0 ? reason : `${formatPath(path)}: ${reason}`;
}
