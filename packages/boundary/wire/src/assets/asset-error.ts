import { formatPath } from '@cairn/values';
import type { PropertyPath } from '@cairn/values';

const BRAND = Symbol.for('cairn.wire.asset-error');

/** Error: the content of an asset or archive cannot be read. */
export class AssetError extends Error {
  override readonly name = 'AssetError';

  /** `source` names the source, e.g. `file "a.txt"`. `property` is its path in the resource's inputs. */
  constructor(
    readonly source: string,
    readonly reason: string,
    readonly property: string | undefined = undefined,
  ) {
    super(`cannot read ${source}${property === undefined ? '' : ` of property "${property}"`}: ${reason}`);
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** Returns the same error with the property named. The content of a secret is not quoted. */
  at(path: PropertyPath, secret: boolean): AssetError {
    return secret
      ? new AssetError('[secret]', 'its content is not available', formatPath(path))
      : new AssetError(this.source, this.reason, formatPath(path));
  }
}

/** Recognises an {@link AssetError} of this or another copy of the package. */
export function isAssetError(error: unknown): error is AssetError {
  return typeof error === 'object' && error !== null && BRAND in error;
}

/** Describes a file error in words. */
export function fileReason(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code;
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return 'there is no such file';
    case 'EACCES':
    case 'EPERM':
      return 'access is denied';
    case 'EISDIR':
      return 'it is a directory';
    case 'ELOOP':
      return 'its symbolic links form a cycle';
    default:
      return error instanceof Error ? error.message : String(error);
  }
}
