import * as v from 'valibot';

/** Request to continue a change where its providers are. */
export const ContinueRequest = v.object({ how: v.picklist(['resume', 'rollback']) });

/** Change of a stack as the service has it; `operation` and `sealed` are parts of the files of a journal. */
export interface ConsoleChangeRow {
  readonly number: number;
  readonly operation: {
    readonly operation?: string;
    readonly username?: string;
    readonly hostname?: string;
    readonly message?: string;
    /** In seconds since 1970. */
    readonly startTime?: number;
    readonly environment?: Readonly<Record<string, string>>;
    readonly continues?: { readonly change: string; readonly how: string };
  };
  readonly sealed?: {
    readonly result?: string;
    readonly status?: string;
    readonly tasks?: Readonly<Record<string, number>>;
    readonly ended?: string;
  };
  readonly running: boolean;
}

/** Answer with a change and its records, without journal entries. */
export interface ConsoleChangeAnswer {
  readonly change: ConsoleChangeRow;
  readonly records: readonly Readonly<Record<string, unknown>>[];
}

/** Event of the stream about a stack: facts of it have changed. */
export interface ConsoleStackEvent {
  /** `ORG/PROJECT/STACK`. */
  readonly stack: string;
  readonly running: string | null;
  readonly change: number | null;
  /** Id of the newest update that has ended, if the service ran one. Clients of Pulumi make updates without changes. */
  readonly latest: string | null;
}

/** Event of the stream with records of the newest change of a stack. */
export interface ConsoleRecordsEvent {
  readonly stack: string;
  readonly change: number;
  readonly records: readonly Readonly<Record<string, unknown>>[];
}
