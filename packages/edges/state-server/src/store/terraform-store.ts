import type { StackId } from '@cairn/backends';
import type { TerraformLockInfo, TerraformVersionRow } from '@cairn/http-api';
import type { EditKey, WrappedKey } from '../crypto/stack-keys.js';

/** State of Terraform or OpenTofu, as the service keeps it. Its name is that of a project and a stack. */
export interface TerraformRecord {
  /** Immutable. The versions are sealed under it. */
  readonly id: string;
  readonly key: WrappedKey;
  /** Newest version, or 0 if there is none yet. */
  readonly version: number;
  readonly lock?: TerraformLockInfo;
}

/** Page of versions. */
interface VersionPage {
  /** Newest version of the page. */
  readonly from: number;
  readonly count: number;
}

/** States of Terraform in the store. */
export interface TerraformStore {
  /** Lists the names in an organization by project and name, also of states that only have a lock. */
  list(of: {
    readonly organization: string;
    readonly project?: string | undefined;
  }): Promise<readonly StackId[]>;
  find(name: StackId): Promise<TerraformRecord | undefined>;
  /** Stores a record, and with it the version that was put before. The data key of a known record stays. */
  put(name: StackId, record: TerraformRecord): Promise<void>;
  /** Replaces the wrapped data key, as `editStackKey` does for a stack. */
  editKey(name: StackId, edit: EditKey): Promise<boolean>;
  /** Removes a state with all versions. */
  remove(name: StackId, record: TerraformRecord): Promise<void>;
  /** Stores a version of a state, sealed. It counts once the record names it. Without bytes it is a deletion. */
  putVersion(
    record: TerraformRecord,
    version: TerraformVersionRow,
    sealed: Uint8Array | undefined,
  ): Promise<void>;
  /** Returns versions, newest first. */
  versions(record: TerraformRecord, page: VersionPage): Promise<readonly TerraformVersionRow[]>;
  /** Returns the sealed bytes of a version, or undefined for a deletion. */
  sealedVersion(record: TerraformRecord, version: number): Promise<Uint8Array | undefined>;
}
