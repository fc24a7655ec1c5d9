import type { VNode } from 'preact';
import { useSignal } from '@preact/signals';
import type { CreatedTokenAnswer } from '@cairn/http-api';
import { ApiFailure, call } from '../../api/client.js';
import { now } from '../../api/clock.js';
import { Copy, Failure } from '../../parts/basics.js';
import { Plain } from '../../parts/confirm.js';
import { h } from '../../parts/h.js';

/** Days after which a new token ends. */
const DAYS = ['7', '30', '90', '365'] as const;
const DAY_SECONDS = 86_400;

/** Makes a token of an organization. Its value is shown once, and leaves the page with its dialog. */
export function NewToken({ at, onMade }: { readonly at: string; readonly onMade: () => void }): VNode {
  const name = useSignal('');
  const role = useSignal('writer');
  const days = useSignal<string>('90');
  const made = useSignal<CreatedTokenAnswer | undefined>(undefined);
  const failure = useSignal<ApiFailure | undefined>(undefined);
  const make = async (): Promise<void> => {
    failure.value = undefined;
    try {
      const expires = Math.floor(now.value / 1000) + Number(days.value) * DAY_SECONDS;
      const body = { name: name.value.trim(), role: role.value, expires };
      made.value = await call<CreatedTokenAnswer>('POST', `${at}/tokens`, body);
      name.value = '';
      onMade();
    } catch (thrown) {
      if (!(thrown instanceof ApiFailure)) throw thrown;
      failure.value = thrown;
    }
  };
  return h('div', null, [
    h('div', { class: 'tools', role: 'group', 'aria-label': 'New token' }, [
      h('input', {
        ...{
          type: 'text',
          'aria-label': 'Name of the token',
          placeholder: 'Name of the token',
          value: name.value,
        },
        onInput: (event: Event) => (name.value = (event.currentTarget as HTMLInputElement).value),
      }),
      choice('Role of the token', role.value, ['reader', 'writer', 'admin'], (value) => (role.value = value)),
      choice('Days until it ends', days.value, DAYS, (value) => (days.value = value)),
      h('button', { type: 'button', disabled: name.value.trim() === '', onClick: make }, 'Make a token'),
    ]),
    failure.value === undefined ? null : h(Failure, { failure: failure.value, what: 'make the token' }),
    made.value === undefined
      ? null
      : h(Plain, { title: `Token ${made.value.name}`, onClose: () => (made.value = undefined) }, [
          h('p', null, 'Copy it now. It is not shown again.'),
          h('div', { class: 'command' }, [
            h('code', null, made.value.tokenValue),
            h(Copy, { text: made.value.tokenValue, what: 'token' }),
          ]),
        ]),
  ]);
}

function choice(
  label: string,
  value: string,
  options: readonly string[],
  onChoose: (value: string) => void,
): VNode {
  return h(
    'select',
    {
      ...{ 'aria-label': label, value },
      onChange: (event: Event) => onChoose((event.currentTarget as HTMLSelectElement).value),
    },
    options.map((each) => h('option', { key: each, value: each, selected: each === value }, each)),
  );
}
