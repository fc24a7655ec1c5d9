import type { VNode } from 'preact';
import { useSignal } from '@preact/signals';
import type { HookAnswer } from '@cairn/http-api';
import { call } from '../../api/client.js';
import { useLoaded } from '../../api/loaded.js';
import { useAction } from '../../parts/action.js';
import { Badge, Empty, Failure, Name, Waiting } from '../../parts/basics.js';
import { Choice, TextField, rowButton } from '../../parts/fields.js';
import { RemoveButton } from '../../parts/remove.js';
import { Table } from '../../parts/table.js';
import { h } from '../../parts/h.js';

/** Webhooks of a stack or an organization, for administrators. `at` is the path of its webhooks in the protocol. */
export function Hooks({ at }: { readonly at: string }): VNode {
  const { loaded, reload } = useLoaded<readonly HookAnswer[]>(at);
  const { value, failure: unread } = loaded.value;
  const { failure, run } = useAction();
  const answer = useSignal('');
  const hookAt = ({ name }: HookAnswer, rest = ''): string => `${at}/${encodeURIComponent(name)}${rest}`;
  const tryHook = async (hook: HookAnswer): Promise<void> => {
    const { responseCode } = await call<{ readonly responseCode: number }>('POST', hookAt(hook, '/ping'), {});
    answer.value = `${hook.displayName}: ${responseCode === 0 ? 'no answer' : responseCode}`;
  };
  return h('section', { 'aria-label': 'Webhooks' }, [
    h('h2', null, 'Webhooks'),
    unread === undefined ? null : h(Failure, { failure: unread, what: 'list the webhooks' }),
    value === undefined && unread === undefined ? h(Waiting, { what: 'the webhooks' }) : null,
    value?.length === 0 ? h(Empty, { text: 'There are none.', command: 'cairn stack webhook new' }) : null,
    (value?.length ?? 0) === 0
      ? null
      : h(Table, {
          label: 'Rows of webhooks',
          head: ['Name', 'Sends to', 'Form', 'Events', 'Change'],
          rows: (value ?? []).map((hook) => [
            h('span', null, [
              h(Name, { text: hook.displayName }),
              hook.active ? null : h(Badge, { tone: 'doubt', text: 'not active' }),
            ]),
            // The rest of the address may hold a token.
            h(Name, { text: originOf(hook.payloadUrl) }),
            hook.format,
            h(Name, { text: [...hook.filters, ...hook.groups].join(', ') || 'all' }),
            h('span', { class: 'actions' }, [
              rowButton('Try', hook.displayName, () => void run(() => tryHook(hook), reload)),
              rowButton(
                hook.active ? 'Pause' : 'Resume',
                hook.displayName,
                () => void run(() => call('PATCH', hookAt(hook), { active: !hook.active }), reload),
              ),
              h(RemoveButton, {
                about: `webhook ${hook.displayName}`,
                effect: 'Nothing is sent to it any more, and what waits for it is given up.',
                run: () => call('DELETE', hookAt(hook)),
                onDone: reload,
              }),
            ]),
          ]),
        }),
    answer.value === '' ? null : h('p', { role: 'status' }, h(Name, { text: answer.value })),
    value === undefined ? null : h(NewHook, { at, run, reload }),
    failure.value === undefined ? null : h(Failure, { failure: failure.value, what: 'change the webhooks' }),
  ]);
}

const FORMATS = [
  ['raw', 'JSON'],
  ['slack', 'Slack'],
  ['ms_teams', 'Microsoft Teams'],
] as const;

interface NewHookProps extends Pick<ReturnType<typeof useAction>, 'run'> {
  readonly at: string;
  readonly reload: () => void;
}

function NewHook({ at, run, reload }: NewHookProps): VNode {
  const displayName = useSignal('');
  const payloadUrl = useSignal('');
  const secret = useSignal('');
  const format = useSignal('raw');
  const make = (): void => {
    const body = { displayName: displayName.value.trim(), payloadUrl: payloadUrl.value.trim() };
    const more = { format: format.value, ...(secret.value !== '' && { secret: secret.value }) };
    void run(
      () => call('POST', at, { ...body, ...more }),
      () => {
        [displayName.value, payloadUrl.value, secret.value] = ['', '', ''];
        reload();
      },
    );
  };
  const isComplete = displayName.value.trim() !== '' && URL.canParse(payloadUrl.value.trim());
  return h('div', { class: 'tools', role: 'group', 'aria-label': 'New webhook' }, [
    h(TextField, { label: 'Name of the webhook', text: displayName }),
    h(TextField, { label: 'Address to send events to', text: payloadUrl, type: 'url' }),
    h(TextField, { label: 'Secret for its signature', text: secret, type: 'password' }),
    h(Choice, {
      ...{ label: 'Form of its bodies', value: format.value, options: FORMATS },
      onChoose: (value: string) => (format.value = value),
    }),
    h('button', { type: 'button', disabled: !isComplete, onClick: make }, 'Make a webhook'),
  ]);
}

function originOf(address: string): string {
  return /^https?:/i.test(address) && URL.canParse(address) ? new URL(address).origin : address;
}
