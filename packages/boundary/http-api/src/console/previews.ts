/** Preview of a stack. Times are in seconds since 1970. */
export interface ConsolePreviewRow {
  readonly id: string;
  /** Kind of the operation that it previews: `update`, `refresh`, `destroy`. */
  readonly kind: string;
  readonly by: string;
  readonly message: string;
  readonly startTime: number;
  readonly result: string;
  readonly changes: Readonly<Record<string, number>>;
}

/** Step of a preview, without values. */
export interface ConsolePreviewStep {
  readonly urn: string;
  readonly type: string;
  /** Word of the protocol for it. */
  readonly op: string;
  /** Reason for it, which only Cairn's own client sends. */
  readonly reason?: string;
  /** Properties because of which the object is replaced. */
  readonly replaces?: readonly string[];
  readonly differences: readonly { readonly path: string; readonly kind: string }[];
}

/** Verdict of a policy about a preview. */
export interface ConsolePolicyVerdict {
  readonly policy: string;
  readonly pack: string;
  readonly level: string;
  readonly message: string;
  readonly urn?: string;
}

/** Object that differs from its record. */
export interface ConsoleDrift extends ConsolePreviewStep {
  /** Time of the look that first found it, in seconds since 1970. */
  readonly since: number;
  /** Messages of its provider, such as who changed it. */
  readonly says?: readonly string[];
}

/** Answer with the previews of the newest version, newest first, and what the last refresh among them found. */
export interface ConsolePreviewsAnswer {
  readonly previews: readonly ConsolePreviewRow[];
  /** Undefined without a preview of a refresh that ended. */
  readonly drift?: {
    readonly at: number;
    readonly resources: readonly ConsoleDrift[];
  };
}

/** Answer with one preview. */
export interface ConsolePreviewAnswer {
  readonly preview: ConsolePreviewRow;
  readonly steps: readonly ConsolePreviewStep[];
  readonly policies: readonly ConsolePolicyVerdict[];
  /** Versions of the stack since the preview, and those of its resources that they changed. */
  readonly moved: { readonly versions: number; readonly urns: readonly string[] };
}
