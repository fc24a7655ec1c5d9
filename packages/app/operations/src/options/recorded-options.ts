import { cairnError } from '@cairn/diagnostics';
import type { Json } from '@cairn/state';
import { OPERATION_OPTIONS, optionsFrom } from './operation-options.js';
import type { OperationOptions, OptionRow } from './operation-options.js';

type KeptValue = string | readonly string[] | boolean;

/** Options with which a change was begun. The change keeps them so that a continuation repeats them. */
export interface RecordedOptions {
  readonly options: OperationOptions;
  /** Words of an import. */
  readonly words: readonly (string | null)[];
  /** Texts of files that limited it, by the option that named them; sealed by the stack's secrets manager. */
  readonly files: Readonly<Record<string, string>>;
}

/**
 * Returns the options in the form that is stored with the change. `absolute` makes a path absolute, because a
 * continuation may run in another folder.
 */
export function recordOptions(
  options: OperationOptions,
  absolute: (path: string) => string,
  more: Partial<Omit<RecordedOptions, 'options'>> = {},
): Json {
  const flags: Record<string, string | string[] | boolean> = {};
  for (const [field, row] of Object.entries<OptionRow>(OPERATION_OPTIONS)) {
    const value = keptValue(options[field as keyof OperationOptions]);
    if (value === undefined) continue;
    flags[row.name] = 'path' in row ? absolutePaths(value, absolute) : value;
  }
  return { version: 1, flags, words: [...(more.words ?? [])], files: { ...more.files } };
}

function keptValue(value: OperationOptions[keyof OperationOptions]): string | string[] | boolean | undefined {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'object') return value.length === 0 ? undefined : [...value];
  return value;
}

function absolutePaths(
  value: string | string[] | boolean,
  absolute: (path: string) => string,
): string | string[] | boolean {
  if (Array.isArray(value)) return value.map(absolute);
  return typeof value === 'string' ? absolute(value) : value;
}

/** Reads the result of {@link recordOptions}. Throws CAIRN-JOURNAL-CORRUPT for anything else. */
export function readOptions(stored: Json | undefined, change: number): RecordedOptions {
  const record = stored as {
    readonly version?: unknown;
    readonly flags?: unknown;
    readonly words?: unknown;
    readonly files?: unknown;
  } | null;
  if (record?.version !== 1 || typeof record.flags !== 'object' || record.flags === null)
    throw unreadable(change);
  const { words = [], files = {} } = record;
  if (!Array.isArray(words) || typeof files !== 'object' || files === null) throw unreadable(change);
  if (!Object.values(files).every((text) => typeof text === 'string')) throw unreadable(change);
  const flags = record.flags as Readonly<Record<string, unknown>>;
  if (!Object.values(flags).every(isKept)) throw unreadable(change);
  const options = optionsFrom((row) => {
    const value = Object.hasOwn(flags, row.name) ? (flags[row.name] as KeptValue) : undefined;
    return value === undefined ? undefined : readValue(row, value, change);
  });
  return { options, words: words as RecordedOptions['words'], files: files as RecordedOptions['files'] };
}

function isKept(value: unknown): value is KeptValue {
  return (
    typeof value === 'string' ||
    typeof value === 'boolean' ||
    (Array.isArray(value) && value.every((each) => typeof each === 'string'))
  );
}

/** Returns the value of an option for use. A value of another form than the option's counts as not kept. */
function readValue(row: OptionRow, value: KeptValue, change: number): unknown {
  switch (row.holds) {
    case 'text':
      return typeof value === 'string' ? value : undefined;
    case 'switch':
      return typeof value === 'boolean' ? value : undefined;
    case 'list':
      return typeof value === 'object' ? value : undefined;
    case 'count':
      return typeof value === 'string' && /^[1-9]\d{0,8}$/.test(value) ? Number(value) : undefined;
    case 'choice':
      if (typeof value !== 'string') return undefined;
      if (!row.of.includes(value)) throw unreadable(change);
      return value;
  }
}

/** Options that a continuation may decide again. */
export type ResumeOverrides = Pick<OperationOptions, 'parallel' | 'onError' | 'isolate'>;

/** Returns the options of a repeated operation: those of the record, except for those decided again. */
export function repeatedOptions({ options }: RecordedOptions, now: ResumeOverrides): OperationOptions {
  const { parallel, onError, isolate } = now;
  return {
    ...options,
    ...(parallel !== undefined && { parallel }),
    ...(onError !== undefined && { onError, continueOnError: undefined }),
    ...(isolate !== undefined && { isolate }),
  };
}

function unreadable(change: number): Error {
  return cairnError('CAIRN-JOURNAL-CORRUPT', `cannot read the options of change ${change}`, {
    hint: `Run \`cairn rollback ${change}\`, which does not need them, or start a new operation with \`cairn up\`.`,
  });
}
