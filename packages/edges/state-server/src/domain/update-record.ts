import type { ChangeEndRequest, ChangeRequest, ConfigValueMessage } from '@cairn/http-api';
import type { StackId, UpdateKind } from '@cairn/backends';
import type { UpdateStatus } from './update-machine.js';

/**
 * End of an update that is being stored. Written before the state, so that an interrupted end is finished as it began.
 */
export interface UpdateEnding {
  readonly status: Extract<UpdateStatus, 'succeeded' | 'failed' | 'cancelled'>;
  /** True if the lease has expired. */
  readonly expired?: boolean;
  /** In seconds since 1970. */
  readonly at: number;
  /** End of its change, as its client has said it. */
  readonly change?: ChangeEndRequest;
}

/** Change whose records come beside the journal of an update. It gets its number when the update starts. */
interface UpdateChange extends ChangeRequest {
  readonly number?: number;
  /** Name of the stack at that time. A store may keep the journal under it. */
  readonly stack?: StackId;
}

/** One update, as the service keeps it. Times are in seconds since 1970. */
export interface UpdateRecord {
  readonly id: string;
  /** Immutable id of its stack. */
  readonly stackId: string;
  readonly kind: UpdateKind;
  readonly dryRun: boolean;
  readonly status: UpdateStatus;
  readonly expired?: boolean;
  /** Login of the user who created it. */
  readonly by: string;
  readonly message: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly config: Readonly<Record<string, ConfigValueMessage>>;
  readonly createdAt: number;
  readonly startedAt?: number;
  /** SHA-256 of its token, in hex. */
  readonly tokenHash?: string;
  /** True if it sends journal entries and no checkpoints. */
  readonly journaled?: boolean;
  /** Undefined for a client that sends no records of changes. */
  readonly change?: UpdateChange;
  /** Place of its entry in the history, or of a preview among those of its stack. */
  readonly stamp?: string;
  /** Version of the stack that a preview started from. */
  readonly previewOf?: number;
  readonly ending?: UpdateEnding;
  readonly resourceChanges?: Readonly<Record<string, number>>;
  /** Reason why its state could not be stored. */
  readonly problem?: string;
}

/** Update of a client that sends the records of its change. */
export type ChangingUpdate = UpdateRecord & Required<Pick<UpdateRecord, 'change'>>;

/** Returns true for an update of a client that sends the records of its change. */
export function hasChange(record: UpdateRecord): record is ChangingUpdate {
  return record.change !== undefined;
}
