import type { VNode } from 'preact';
import { useSignal } from '@preact/signals';
import { visible } from '@cairn/diagnostics';
import type { ApiFailure } from '../api/client.js';
import { now } from '../api/clock.js';
import { agoText, localText } from '../../src/model/times.js';
import { h } from './h.js';

interface TimeProps {
  readonly ms: number | undefined;
  /** True for a time that will be. It has no `2 min ago`. */
  readonly isAhead?: boolean;
}

/** Shows a time as local text with `2 min ago` beside it, and in UTC on hover. */
export function Time({ ms, isAhead = false }: TimeProps): VNode | null {
  if (ms === undefined || Number.isNaN(ms)) return null;
  const utc = new Date(ms).toISOString();
  const local = localText(ms, now.value);
  const text = isAhead ? local : `${local}, ${agoText(ms, now.value)}`;
  return h('time', { dateTime: utc, title: utc }, text);
}

/** Next action by the status of a failure. */
const NEXT: Readonly<Record<number, string>> = {
  401: 'Log in again.',
  403: 'Ask an administrator of the organization for a higher role.',
  404: 'It may have been renamed or removed, or you may not see it. Go back to the list of stacks.',
  409: 'Look at the stack again: it has changed.',
  429: 'Wait for that time.',
};

function nextAction({ status, isRead }: ApiFailure): string {
  if (status !== 0 && status !== 503) return NEXT[status] ?? 'Look into the log of the service.';
  const again = isRead ? 'The page tries again by itself.' : 'Try again.';
  return status === 0 ? again : `The service is busy. ${again}`;
}

/** Shows a failure: its code, its cause, the next action and the id of the request, which the log has too. */
export function Failure({ failure, what }: { readonly failure: ApiFailure; readonly what: string }): VNode {
  const { status, message, requestId } = failure;
  return h('div', { class: 'failure', role: 'alert' }, [
    h('strong', null, `Cannot ${what}`),
    h('p', null, status === 0 ? message : `${status} ${visible(message)}`),
    h('p', null, nextAction(failure)),
    requestId === undefined ? null : h('p', { class: 'quiet' }, ['Request ', h('code', null, requestId)]),
  ]);
}

/** Says what the page waits for. */
export function Waiting({ what }: { readonly what: string }): VNode {
  return h('p', { class: 'quiet waiting', role: 'status' }, `Loading ${what} …`);
}

/** Says that there is nothing, and the command that changes that. */
export function Empty({ text, command }: { readonly text: string; readonly command?: string }): VNode {
  return h('div', { class: 'empty' }, [
    h('p', null, text),
    command === undefined ? null : h(Command, { text: command }),
  ]);
}

/** Shows a command with a button that copies it. */
export function Command({ text }: { readonly text: string }): VNode {
  return h('div', { class: 'command' }, [h('code', null, text), h(Copy, { text, what: 'command' })]);
}

/** Button that copies a text. */
export function Copy({ text, what }: { readonly text: string; readonly what: string }): VNode {
  const copied = useSignal(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard?.writeText(text).then(
      () => {
        copied.value = true;
        setTimeout(() => (copied.value = false), 2000);
      },
      () => undefined,
    );
  };
  const label = copied.value ? 'Copied' : 'Copy';
  return h(
    'button',
    { type: 'button', class: 'small', 'aria-label': `${label} ${what}`, onClick: copy },
    label,
  );
}

/** Text of a name from outside: hidden characters are seen, and its direction stays inside. */
export function Name({ text }: { readonly text: string }): VNode {
  const shown = text.length > 300 ? `${text.slice(0, 300)}…` : text;
  return h('bdi', null, visible(shown).replaceAll('\n', '\\n'));
}

/** Word on a coloured ground. The word says what the colour says. */
export function Badge({ tone, text }: { readonly tone: string; readonly text: string }): VNode {
  return h('span', { class: `badge tone-${tone}` }, text);
}

/** Returns the tone of the result of an operation. */
export function toneOfResult(result: string | undefined): string {
  if (result === 'succeeded') return 'create';
  if (result === undefined || result === 'running' || result === 'in-progress') return 'update';
  return result === 'waiting' || result === 'interrupted' ? 'doubt' : 'failed';
}
