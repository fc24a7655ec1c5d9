import { pathText } from '../values/path.js';
import type { TfPath } from '../values/path.js';

/** A value that is not of its type, or an encoding that is malformed; says where. */
export class TfValueError extends Error {
  override readonly name = 'TfValueError';

  constructor(
    /** What is wrong, without the place. */
    readonly reason: string,
    readonly path: TfPath = [],
  ) {
    super(path.length === 0 ? reason : `${pathText(path)}: ${reason}`);
  }
}
