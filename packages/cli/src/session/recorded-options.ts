import { cairnError } from '@cairn/diagnostics';
import type { Json } from '@cairn/state';
import type { Flags } from '../commands/command-spec.js';

/**
 * Flags that decide what an operation does, and what they hold. Those that only decide how it is shown are not here.
 */
const DECIDING = {
  message: 'text',
  parallel: 'text',
  target: 'list',
  'target-dependents': 'switch',
  exclude: 'list',
  'exclude-dependents': 'switch',
  'exclude-protected': 'switch',
  replace: 'list',
  'target-replace': 'list',
  refresh: 'switch',
  'run-program': 'switch',
  'ignore-protect': 'switch',
  'continue-on-error': 'switch',
  'on-error': 'text',
  isolate: 'text',
  'strict-providers': 'switch',
  typecheck: 'switch',
  remove: 'switch',
  'policy-pack': 'list',
  'policy-pack-config': 'list',
  protect: 'switch',
  parent: 'text',
  provider: 'text',
  properties: 'list',
  'generate-code': 'switch',
  out: 'text',
} as const satisfies Record<string, 'text' | 'list' | 'switch'>;

/** Flags whose values are paths: kept absolute, because whoever goes on may stand elsewhere. */
const PATHS: ReadonlySet<string> = new Set(['policy-pack', 'policy-pack-config', 'out']);

type Kept = Readonly<Record<string, string | readonly string[] | boolean>>;

/** What a change keeps of the command line that began it, so that going on with it repeats it. */
export interface RecordedOptions {
  readonly flags: Kept;
  /** Words after the command; an import has some. */
  readonly words: readonly (string | null)[];
  /** Texts of files that it was held to, by the flag that named them; sealed by the stack's secrets manager. */
  readonly files: Readonly<Record<string, string>>;
}

/** The options as they are stored with the change. `absolute`: a path as seen from anywhere. */
export function recordOptions(
  flags: Flags,
  absolute: (path: string) => string,
  more: Partial<Omit<RecordedOptions, 'flags'>> = {},
): Json {
  const kept: Record<string, string | string[] | boolean> = {};
  for (const [name, holds] of Object.entries(DECIDING)) {
    if (!flags.has(name)) continue;
    const value = valueOf(flags, name, holds);
    if (value === undefined) continue;
    kept[name] = PATHS.has(name) ? absolutePaths(value, absolute) : value;
  }
  return { version: 1, flags: kept, words: [...(more.words ?? [])], files: { ...more.files } };
}

function absolutePaths(
  value: string | string[] | boolean,
  absolute: (path: string) => string,
): string | string[] | boolean {
  if (Array.isArray(value)) return value.map(absolute);
  return typeof value === 'string' ? absolute(value) : value;
}

function valueOf(
  flags: Flags,
  name: string,
  holds: 'text' | 'list' | 'switch',
): string | string[] | boolean | undefined {
  if (holds === 'switch') return flags.on(name);
  if (holds === 'text') return flags.text(name);
  const list = flags.list(name);
  return list.length === 0 ? undefined : [...list];
}

/** Reads what {@link recordOptions} stored. Throws CAIRN-JOURNAL-CORRUPT for anything else. */
export function readOptions(stored: Json | undefined, change: number): RecordedOptions {
  const options = stored as (Partial<RecordedOptions> & { readonly version?: unknown }) | null | undefined;
  if (options?.version !== 1 || !isKept(options.flags)) throw unreadable(change);
  const { words = [], files = {} } = options;
  if (!Array.isArray(words) || !Object.values(files).every((text) => typeof text === 'string'))
    throw unreadable(change);
  return { flags: options.flags, words, files };
}

function isKept(flags: unknown): flags is Kept {
  return (
    typeof flags === 'object' &&
    flags !== null &&
    Object.values(flags).every(
      (value) =>
        typeof value === 'string' ||
        typeof value === 'boolean' ||
        (Array.isArray(value) && value.every((each) => typeof each === 'string')),
    )
  );
}

/**
 * What whoever goes on with an operation may decide anew. `continue-on-error` is part of `on-error`: it counts as given
 * with it.
 */
const DECIDED_ANEW: Readonly<Record<string, string>> = {
  parallel: 'parallel',
  'on-error': 'on-error',
  'continue-on-error': 'on-error',
  isolate: 'isolate',
};

/**
 * The flags of an operation that is repeated: what decides what it does comes from the record, everything else from the
 * command line at hand. A number of steps at a time and what an error does that are given now win.
 */
export function repeatedFlags({ flags: kept }: RecordedOptions, now: Flags): Flags {
  const recorded = (name: string): string | readonly string[] | boolean | undefined => {
    const anew = DECIDED_ANEW[name];
    if (anew !== undefined && now.has(anew) && now.text(anew) !== undefined)
      return anew === name ? now.text(name) : undefined;
    return Object.hasOwn(kept, name) ? kept[name] : undefined;
  };
  const decides = (name: string): boolean => Object.hasOwn(DECIDING, name);
  const text = (name: string): string | undefined => {
    if (!decides(name)) return now.has(name) ? now.text(name) : undefined;
    const value = recorded(name);
    return typeof value === 'string' ? value : undefined;
  };
  return {
    has: (name) => decides(name) || now.has(name),
    text,
    list: (name) => {
      if (!decides(name)) return now.has(name) ? now.list(name) : [];
      const value = recorded(name);
      return Array.isArray(value) ? (value as readonly string[]) : [];
    },
    on: (name) => (decides(name) ? recorded(name) === true : now.has(name) && now.on(name)),
    count: (name) => {
      if (!decides(name)) return now.has(name) ? now.count(name) : undefined;
      const value = text(name);
      return value === undefined ? undefined : Number(value);
    },
  };
}

function unreadable(change: number): Error {
  return cairnError(
    'CAIRN-JOURNAL-CORRUPT',
    `cannot read the options with which change ${change} was begun`,
    {
      hint: `\`cairn rollback ${change}\` needs none; \`cairn up\` begins a new operation`,
    },
  );
}
