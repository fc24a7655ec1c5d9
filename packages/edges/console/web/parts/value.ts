import { Fragment } from 'preact';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import { visible } from '@cairn/diagnostics';
import { shortenText } from '../../src/model/texts.js';
import { valueKind, lineOfValue } from '../../src/model/values.js';
import { webLink } from '../../src/model/web-links.js';
import { ApiFailure } from '../api/client.js';
import { Copy, Failure } from './basics.js';
import { h } from './h.js';
import { Links } from './links.js';

/** Place of a property: its keys from the inputs or outputs on. */
export type PropertyPath = readonly (string | number)[];

/** Asks the service for one secret value. Undefined where the user may not see any. */
export type Reveal = (path: PropertyPath) => Promise<unknown>;

interface ValueProps {
  readonly value: unknown;
  readonly path: PropertyPath;
  readonly reveal?: Reveal | undefined;
}

/** Time for which a secret is seen, in milliseconds. */
const SEEN_MS = 30_000;
/** Members of a list or map that are shown before it is asked for more. */
const MOST = 100;

/** Shows a value of a property: containers can be opened, and secrets are asked for one by one. */
export function Value({ value, path, reveal }: ValueProps): VNode {
  const kind = valueKind(value);
  if (kind === 'secret') return h(Secret, { path, reveal });
  if (kind === 'map' || kind === 'list') return h(Members, { value: value as object, path, reveal });
  if (kind === 'text') return h(LongText, { text: String(value) });
  if (kind === 'null') return h('span', { class: 'quiet' }, 'null');
  return h('span', { class: `value-${kind}` }, visible(lineOfValue(value)));
}

function Members({
  value,
  path,
  reveal,
}: {
  readonly value: object;
  readonly path: PropertyPath;
  readonly reveal?: Reveal | undefined;
}): VNode {
  const shown = useSignal(MOST);
  const members = Object.entries(value);
  const isList = Array.isArray(value);
  if (members.length === 0) return h('span', { class: 'quiet' }, isList ? '[]' : '{}');
  const left = members.length - shown.value;
  return h(Fragment as () => VNode, {}, [
    h(
      'dl',
      { class: 'members' },
      members
        .slice(0, shown.value)
        .map(([key, each]) =>
          h('div', { key }, [
            h('dt', null, h('bdi', null, visible(shortenText(key, 200).text))),
            h('dd', null, h(Value, { value: each, path: [...path, isList ? Number(key) : key], reveal })),
          ]),
        ),
    ),
    left > 0
      ? h(
          'button',
          { type: 'button', class: 'small', onClick: () => (shown.value += MOST * 5) },
          `Show ${Math.min(left, MOST * 5)} of ${left} more`,
        )
      : null,
  ]);
}

function LongText({ text }: { readonly text: string }): VNode {
  const isWhole = useSignal(false);
  const cut = isWhole.value ? { text, left: 0 } : shortenText(text);
  const link = webLink(text);
  return h('span', { class: text.includes('\n') ? 'value-text lines' : 'value-text' }, [
    h('bdi', null, visible(cut.text)),
    cut.left > 0
      ? h(
          'button',
          { type: 'button', class: 'small', onClick: () => (isWhole.value = true) },
          `Show ${cut.left} more characters`,
        )
      : null,
    link === undefined ? null : h(Links, { links: [link] }),
  ]);
}

/** A secret is seen for 30 seconds after it was asked for, and leaves the page with its view. */
function Secret({
  path,
  reveal,
}: {
  readonly path: PropertyPath;
  readonly reveal?: Reveal | undefined;
}): VNode {
  const seen = useSignal<{ readonly text: string } | undefined>(undefined);
  const failure = useSignal<ApiFailure | undefined>(undefined);
  const hide = (): void => {
    seen.value = undefined;
  };
  useEffect(() => {
    const whenHidden = (): void => {
      if (document.hidden) hide();
    };
    document.addEventListener('visibilitychange', whenHidden);
    return () => {
      document.removeEventListener('visibilitychange', whenHidden);
      hide();
    };
  }, []);
  useEffect(() => {
    if (seen.value === undefined) return undefined;
    const timer = setTimeout(hide, SEEN_MS);
    return () => clearTimeout(timer);
  }, [seen.value]);
  const show = async (): Promise<void> => {
    failure.value = undefined;
    try {
      const value = await reveal?.(path);
      seen.value = { text: typeof value === 'string' ? value : JSON.stringify(value) };
    } catch (thrown) {
      if (!(thrown instanceof ApiFailure)) throw thrown;
      failure.value = thrown;
    }
  };
  const { value } = seen;
  const name = String(path.at(-1) ?? 'value');
  if (value !== undefined)
    return h('span', { class: 'secret' }, [
      h('bdi', { class: 'value-text lines' }, visible(value.text)),
      h(Copy, { text: value.text, what: `secret ${name}` }),
      h('button', { type: 'button', class: 'small', onClick: hide }, 'Hide'),
    ]);
  return h('span', { class: 'secret' }, [
    h('span', { class: 'badge tone-same' }, 'secret'),
    reveal === undefined
      ? null
      : h(
          'button',
          { type: 'button', class: 'small', 'aria-label': `Reveal secret ${name}`, onClick: show },
          'Reveal',
        ),
    failure.value === undefined
      ? null
      : h(Failure, { failure: failure.value, what: `reveal ${visible(name)}` }),
  ]);
}
