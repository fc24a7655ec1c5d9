import { signal } from '@preact/signals';

/** Time now, in milliseconds since 1970, once a second while the page is seen. */
export const now = signal(Date.now());

setInterval(() => {
  if (!document.hidden) now.value = Date.now();
}, 1000);
document.addEventListener('visibilitychange', () => (now.value = Date.now()));

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
