/** Answer with the holders of roles on a stack. */
export interface ConsoleAccessAnswer {
  readonly holders: readonly { readonly to: string; readonly role: string; readonly through: string }[];
}

/** Schedule of a stack, without the settings of what it asks for. Times are RFC 3339. */
export interface ConsoleSchedule {
  readonly id: string;
  readonly kind: 'raw' | 'drift' | 'ttl';
  readonly operation: string;
  /** True if drift that it finds is repaired, or if the destroyed stack is removed as well. */
  readonly also: boolean;
  readonly cron?: string;
  readonly once?: string;
  readonly zone?: string;
  readonly jitter?: string;
  readonly next?: string;
  readonly last?: string;
  readonly paused: boolean;
}

/** Answer with the settings and schedules that agents follow. */
export interface ConsoleSettingsAnswer {
  /** Settings with marks in place of their secrets. `null` if the stack has none. */
  readonly settings: Readonly<Record<string, unknown>> | null;
  readonly schedules: readonly ConsoleSchedule[];
}
