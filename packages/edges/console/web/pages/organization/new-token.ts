import type { VNode } from 'preact';
import { useSignal } from '@preact/signals';
import type { CreatedTokenAnswer } from '@cairn/http-api';
import { ApiFailure, call } from '../../api/client.js';
import { now } from '../../api/clock.js';
import { Copy, Failure } from '../../parts/basics.js';
import { Plain } from '../../parts/confirm.js';
import { Choice, TextField } from '../../parts/fields.js';
import { h } from '../../parts/h.js';
import { BUILT_IN } from './access-forms.js';

/** Days after which a new token ends. */
const DAYS = ['7', '30', '90', '365'].map((days) => [days, `${days} days`] as const);
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
      h(TextField, { label: 'Name of the token', text: name }),
      h(Choice, {
        ...{ label: 'Role of the token', value: role.value, options: BUILT_IN },
        onChoose: (value: string) => (role.value = value),
      }),
      h(Choice, {
        ...{ label: 'Time until it ends', value: days.value, options: DAYS },
        onChoose: (value: string) => (days.value = value),
      }),
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
