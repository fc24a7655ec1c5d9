/** Returns a time as `12 s ago`, `2 min ago`, `3 h ago` or `5 days ago`; one ahead of the clock as `now`. */
export function agoText(ms: number, nowMs: number): string {
  const seconds = Math.floor((nowMs - ms) / 1000);
  if (Number.isNaN(seconds)) return '';
  if (seconds < 5) return 'now';
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`;
  const days = Math.floor(seconds / 86_400);
  return days === 1 ? '1 day ago' : `${days} days ago`;
}

/** Returns a duration as `850 ms`, `1.2 s`, `2 min 5 s` or `1 h 3 min`. */
export function elapsedText(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}

/** Returns a duration that is known in whole seconds. */
export function secondsText(seconds: number): string {
  return seconds === 0 ? 'under 1 s' : elapsedText(seconds * 1000);
}

const DAY_AND_TIME = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });
const TIME = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });

/** Returns a time as the clock on the wall shows it: with its date, unless that is the date of `nowMs`. */
export function localText(ms: number, nowMs: number): string {
  if (Number.isNaN(ms)) return '';
  const isToday = new Date(ms).toDateString() === new Date(nowMs).toDateString();
  return (isToday ? TIME : DAY_AND_TIME).format(ms);
}
