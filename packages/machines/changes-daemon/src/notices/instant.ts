/** Microseconds since 1970: notices need times that differ even within one millisecond. */
export type Micros = number;

export function microsOf(date: Date): Micros {
  return date.getTime() * 1000;
}

/** Formats a time as RFC 3339 in UTC with six digits, so that texts sort as the times do. */
export function formatMicros(micros: Micros): string {
  const whole = Math.floor(micros / 1000);
  const rest = String(micros - whole * 1000).padStart(3, '0');
  return new Date(whole).toISOString().replace('Z', `${rest}Z`);
}

const RFC_3339 = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/;

/** Parses an RFC 3339 time and drops digits after the sixth. Returns `undefined` if the text is not such a time. */
export function parseMicros(text: string): Micros | undefined {
  const [, seconds, fraction = '', zone] = RFC_3339.exec(text) ?? [];
  const ms = Date.parse(`${String(seconds)}${String(zone)}`);
  return Number.isNaN(ms) ? undefined : ms * 1000 + Number(fraction.padEnd(6, '0').slice(0, 6));
}
