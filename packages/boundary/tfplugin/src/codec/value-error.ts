import { pathText } from '../values/path.js';
import type { TfPath } from '../values/path.js';

/** Error with its path: a value is not of its type, or an encoding is malformed. */
export class TfValueError extends Error {
  override readonly name = 'TfValueError';

  constructor(
    /** Fault without the path. */
    readonly reason: string,
    readonly path: TfPath = [],
  ) {
    super(path.length === 0 ? reason : `${pathText(path)}: ${reason}`);
  }
}
