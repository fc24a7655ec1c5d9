import type { ConfigValueMessage } from './updates.js';

/** Update as the history lists it. Times are in seconds since 1970. */
export interface UpdateInfo {
  readonly kind: string;
  readonly startTime: number;
  readonly message: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly config: Readonly<Record<string, ConfigValueMessage>>;
  readonly result: 'not-started' | 'in-progress' | 'succeeded' | 'failed';
  readonly endTime: number;
  readonly version: number;
  readonly resourceChanges?: Readonly<Record<string, number>>;
  /** Our own member: the change, if the other fields do not say it all. */
  readonly cairn?: { readonly change: string; readonly kind: string; readonly result: string };
}
