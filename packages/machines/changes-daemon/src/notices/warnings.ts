import { NoEntryError } from '@cairn/changes';
import type { Clock } from '@cairn/changes';
import { BugError } from '@cairn/diagnostics';
import { formatNoticeDuration, parseNoticeDuration } from './duration.js';
import type { Micros } from './instant.js';
import { formatMicros, microsOf, parseMicros } from './instant.js';

const DAY_MS = 24 * 3_600_000;

/** Message to show until it has been shown often enough [CHG-21]. There is one for each text. */
export interface Warning {
  readonly message: string;
  readonly firstAdded: Micros;
  readonly lastAdded: Micros;
  /** Time at which it was last shown, if ever. */
  readonly lastShown: Micros | undefined;
  /** Milliseconds after `lastAdded`. */
  readonly expireAfterMs: number;
  /** Milliseconds after `lastShown` until it is shown again; with 0 it is always shown. */
  readonly repeatAfterMs: number;
}

/** Stored form of a warning. */
export interface WarningJson {
  readonly message: string;
  readonly 'first-added': string;
  readonly 'last-added': string;
  readonly 'last-shown'?: string;
  readonly 'expire-after': string;
  readonly 'repeat-after'?: string;
}

/** Tells whether it is to be shown as of this time. */
function isPending(warning: Warning, now: Micros): boolean {
  if (warning.lastShown === undefined) return warning.firstAdded <= now;
  return warning.repeatAfterMs === 0 || warning.lastShown + warning.repeatAfterMs * 1000 <= now;
}

export function warningToJson(warning: Warning): WarningJson {
  return {
    message: warning.message,
    'first-added': formatMicros(warning.firstAdded),
    'last-added': formatMicros(warning.lastAdded),
    ...(warning.lastShown !== undefined && { 'last-shown': formatMicros(warning.lastShown) }),
    'expire-after': formatNoticeDuration(warning.expireAfterMs),
    ...(warning.repeatAfterMs > 0 && { 'repeat-after': formatNoticeDuration(warning.repeatAfterMs) }),
  };
}

/** Parses a stored warning. Throws an error that names the missing or invalid member. */
export function warningFromJson(json: Partial<WarningJson>): Warning {
  const { message } = json;
  if (message === undefined) throw new Error('warning has no message');
  if (message === '' || message !== message.trim())
    throw new Error(`malformed warning message ${JSON.stringify(message)}`);
  const firstAdded = timeOf(json, 'first-added');
  if (firstAdded === undefined) throw new Error('warning has no first-added time');
  const expireAfterMs = durationOf(json, 'expire-after');
  if (expireAfterMs === undefined) throw new Error('warning has no expire-after time');
  return {
    message,
    firstAdded,
    lastAdded: timeOf(json, 'last-added') ?? firstAdded,
    lastShown: timeOf(json, 'last-shown'),
    expireAfterMs,
    repeatAfterMs: durationOf(json, 'repeat-after') ?? 0,
  };
}

function timeOf(
  json: Partial<WarningJson>,
  member: 'first-added' | 'last-added' | 'last-shown',
): Micros | undefined {
  const text = json[member];
  if (text === undefined) return undefined;
  const micros = parseMicros(text);
  if (micros === undefined) throw new Error(`cannot parse the ${member} time ${JSON.stringify(text)}`);
  return micros;
}

function durationOf(json: Partial<WarningJson>, member: 'expire-after' | 'repeat-after'): number | undefined {
  const text = json[member];
  if (text === undefined) return undefined;
  const ms = parseNoticeDuration(text);
  if (ms === undefined) throw new Error(`cannot parse the ${member} duration ${JSON.stringify(text)}`);
  return ms;
}

/** Warnings of a scope. */
export class Warnings {
  readonly #warnings = new Map<string, Warning>();
  /** Called after each change, with the texts of the warnings that were added, shown or deleted. */
  onChanged: (messages: readonly string[]) => void = () => undefined;
  /** Called for each added warning, also if it is repeated. */
  onAdded: (warning: Warning) => void = () => undefined;
  readonly #clock: Clock;

  constructor(clock: Clock, stored: readonly Partial<WarningJson>[] = []) {
    this.#clock = clock;
    for (const json of stored) {
      const warning = warningFromJson(json);
      this.#warnings.set(warning.message, warning);
    }
    this.expire();
  }

  /**
   * Adds a warning or repeats it. Times are in milliseconds. By default it is shown once a day and deleted after 28
   * days.
   */
  add(
    message: string,
    times: { readonly repeatAfterMs?: number; readonly expireAfterMs?: number } = {},
  ): void {
    const text = message.trim();
    if (text === '') throw new BugError('a warning without a message');
    const now = this.#now();
    const known = this.#warnings.get(text);
    const warning: Warning = {
      message: text,
      firstAdded: known?.firstAdded ?? now,
      lastAdded: now,
      lastShown: known?.lastShown,
      expireAfterMs: times.expireAfterMs ?? 28 * DAY_MS,
      repeatAfterMs: times.repeatAfterMs ?? DAY_MS,
    };
    this.#warnings.set(text, warning);
    this.onChanged([text]);
    this.onAdded(warning);
  }

  /** Returns the warnings in the order in which they were last added. */
  all(): readonly Warning[] {
    return [...this.#warnings.values()].sort((a, b) => a.lastAdded - b.lastAdded);
  }

  /** Returns the warnings to be shown, and the time to pass to {@link okay} once they have been shown. */
  pending(): { readonly warnings: readonly Warning[]; readonly at: Micros } {
    const at = this.#now();
    return { warnings: this.all().filter((warning) => isPending(warning, at)), at };
  }

  /** Marks the warnings pending at this time as shown. Returns their number. */
  okay(at: Micros): number {
    const shown = this.all().filter((warning) => isPending(warning, at));
    for (const warning of shown) this.#warnings.set(warning.message, { ...warning, lastShown: at });
    if (shown.length > 0) this.onChanged(shown.map(({ message }) => message));
    return shown.length;
  }

  /** Deletes a warning. Fails with a NoEntryError when there is none. */
  remove(message: string): void {
    if (!this.#warnings.delete(message)) throw new NoEntryError(message);
    this.onChanged([message]);
  }

  /** Returns the number of pending warnings and the time at which one was last added, for reminders in clients. */
  summary(): { readonly count: number; readonly lastAdded: Micros | undefined } {
    const { warnings } = this.pending();
    return { count: warnings.length, lastAdded: warnings.at(-1)?.lastAdded };
  }

  /** Deletes warnings that were last added long ago. */
  expire(): void {
    const now = this.#now();
    const expired = [...this.#warnings.values()]
      .filter(({ lastAdded, expireAfterMs }) => lastAdded + expireAfterMs * 1000 < now)
      .map(({ message }) => message);
    for (const message of expired) this.#warnings.delete(message);
    if (expired.length > 0) this.onChanged(expired);
  }

  /** Returns a warning by its text. */
  get(message: string): Warning | undefined {
    return this.#warnings.get(message);
  }

  toJson(): readonly WarningJson[] {
    return this.all().map(warningToJson);
  }

  #now(): Micros {
    return microsOf(this.#clock.now());
  }
}
