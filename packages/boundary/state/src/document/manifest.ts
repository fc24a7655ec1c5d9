import { createHash } from 'node:crypto';
import { structText } from './struct-text.js';
import type { Manifest } from './serialized.js';

/** Returns the lower-case hex SHA-256 of a manifest's version; empty without a version [STATE-5]. */
export function manifestMagic(version: string): string {
  return version === '' ? '' : createHash('sha256').update(version).digest('hex');
}

/** Makes the manifest of a deployment that this version of the software writes at `now`. */
export function newManifest(now: Date, version: string): Manifest {
  return { time: localTime(now), magic: manifestMagic(version), version };
}

/**
 * Formats a time as RFC 3339 in local time with its offset. Trailing zeros of the fraction are trimmed, as in Go
 * [STATE-2].
 */
export function localTime(date: Date): string {
  const offset = -date.getTimezoneOffset();
  const local = utcTime(new Date(date.getTime() + offset * 60_000));
  return offset === 0 ? local : local.slice(0, -1) + offsetText(offset);
}

/**
 * Formats a time as RFC 3339 in UTC, without trailing zeros of the fraction. Entries have their times in this form
 * [STATE-2].
 */
export function utcTime(date: Date): string {
  return date.toISOString().replace(/\.?0*Z$/, 'Z');
}

function offsetText(minutes: number): string {
  const size = Math.abs(minutes);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

export function manifestText(manifest: Manifest): string {
  const { time, magic, version, plugins } = manifest;
  return structText([
    ['time', time],
    ['magic', magic],
    ['version', version],
    ['plugins', plugins === undefined || plugins.length === 0 ? undefined : plugins],
  ]);
}
