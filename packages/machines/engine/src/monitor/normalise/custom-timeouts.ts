import type { CustomTimeouts } from '@cairn/state';
import { invalid } from '../refusal.js';
import type { NormalisePass } from './draft.js';

/** Converts timeouts by operation to seconds. Refuses a text that is not a duration [REG-18]. */
export const customTimeouts: NormalisePass = ({ request }) => {
  const { create, update, delete: del, read = '' } = request.customTimeouts;
  if (create === '' && update === '' && del === '' && read === '') return undefined;
  const timeouts: CustomTimeouts = {
    create: seconds(create, 'create'),
    update: seconds(update, 'update'),
    delete: seconds(del, 'delete'),
    read: seconds(read, 'read'),
  };
  return { goal: { customTimeouts: timeouts } };
};

const SECONDS_PER_UNIT: Readonly<Record<string, number>> = {
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  μs: 1e-6,
  ms: 1e-3,
  s: 1,
  m: 60,
  h: 3600,
};

const TERM = /(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g;
const DURATION = /^\+?(?:0|(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/;

/**
 * Returns the seconds of a duration such as `1h30m` or `1.5s`, or `undefined` if the text is not a duration or is
 * negative.
 */
export function parseTimeout(text: string): number | undefined {
  if (!DURATION.test(text)) return undefined;
  let total = 0;
  for (const [, amount, unit] of text.matchAll(TERM))
    total += Number(amount) * (SECONDS_PER_UNIT[unit as string] ?? 0);
  return total;
}

function seconds(text: string, operation: string): number {
  if (text === '') return 0;
  const parsed = parseTimeout(text);
  if (parsed !== undefined) return parsed;
  throw invalid(
    `customTimeouts.${operation} ${JSON.stringify(text)} is not a duration such as "5m" or "1h30m"`,
  );
}
