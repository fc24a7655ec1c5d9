import { signal } from '@preact/signals';

/** Time of the service now, in milliseconds since 1970, once a second while the page is seen. */
export const now = signal(Date.now());

/** Difference from which on the clock of this machine counts as wrong, in milliseconds. */
const WRONG_MS = 60_000;
/** Time between two drawings for the clock, in milliseconds. */
const TICK_MS = 1000;
let offsetMs = 0;

/** Takes the time of the service from an answer, because the clock of this machine may be wrong. */
export function hearTime(date: string | null): void {
  const ahead = Date.parse(date ?? '') - Date.now();
  if (Number.isNaN(ahead)) return;
  const wanted = Math.abs(ahead) > WRONG_MS ? ahead : 0;
  if (Math.abs(wanted - offsetMs) <= WRONG_MS) return;
  offsetMs = wanted;
  tick();
}

/** Sets the time. A view that is drawn anyway does so, and is then not drawn for the clock alone. */
export function tick(): void {
  now.value = Date.now() + offsetMs;
}

setInterval(() => {
  if (!document.hidden && Date.now() + offsetMs - now.value >= TICK_MS / 2) tick();
}, TICK_MS);
document.addEventListener('visibilitychange', tick);

/** Sentence for people who hear the page. */
export const announcement = signal('');

const LEAST_MS = 5000;
let saidAt = -Infinity;
let next: { readonly text: string; readonly timer: ReturnType<typeof setTimeout> } | undefined;

/** Says a sentence to people who hear the page: at most one in 5 seconds, and of several the last. */
export function announce(text: string): void {
  const wait = saidAt + LEAST_MS - performance.now();
  if (next !== undefined) clearTimeout(next.timer);
  const say = (): void => {
    saidAt = performance.now();
    next = undefined;
    announcement.value = text;
  };
  if (wait <= 0) say();
  else next = { text, timer: setTimeout(say, wait) };
}
