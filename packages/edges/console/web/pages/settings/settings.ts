import type { VNode } from 'preact';
import { useSignal } from '@preact/signals';
import type { ConsoleSettingsAnswer } from '@cairn/http-api';
import {
  COMMON_SETTINGS,
  isSettingPath,
  settingChange,
  settingPath,
  settingRows,
} from '../../../src/model/setting-rows.js';
import { apiCall, call, stackCall } from '../../api/client.js';
import type { StackName } from '../../api/client.js';
import { useLoaded } from '../../api/loaded.js';
import { useAction } from '../../parts/action.js';
import { Empty, Failure, Name, Waiting } from '../../parts/basics.js';
import { Check, TextField } from '../../parts/fields.js';
import { StackHead, useTitle } from '../../parts/layout.js';
import { RemoveButton } from '../../parts/remove.js';
import { Table } from '../../parts/table.js';
import { Value } from '../../parts/value.js';
import type { StackPageProps } from '../stack/stack-page.js';
import { Hooks } from './hooks.js';
import { Schedules } from './schedules.js';
import { h } from '../../parts/h.js';

/** Settings of a stack that agents follow, its schedules and its webhooks. Writers change the first two. */
export function Settings({ name, loaded: { value: stack } }: StackPageProps): VNode {
  useTitle(`Settings of ${name.project}/${name.stack}`);
  const { loaded, reload } = useLoaded<ConsoleSettingsAnswer>(stackCall(name, '/settings'));
  const { value, failure } = loaded.value;
  const mayEdit = stack !== undefined && stack.role !== 'reader';
  return h('div', null, [
    h(StackHead, { name, page: 'settings', doubts: stack?.doubts.length ?? 0 }),
    failure === undefined ? null : h(Failure, { failure, what: 'show the settings' }),
    value === undefined && failure === undefined ? h(Waiting, { what: 'the settings' }) : null,
    value === undefined ? null : h(DeploymentSettings, { name, answer: value, mayEdit, reload }),
    value === undefined ? null : h(Schedules, { name, answer: value, mayEdit, reload }),
    stack?.role === 'admin' ? h(Hooks, { at: apiCall(name, '/hooks') }) : null,
  ]);
}

/** Properties of a part of the page. */
export interface SettingsProps {
  readonly name: StackName;
  readonly answer: ConsoleSettingsAnswer;
  readonly mayEdit: boolean;
  readonly reload: () => void;
}

function DeploymentSettings({ name, answer: { settings }, mayEdit, reload }: SettingsProps): VNode {
  const { failure, run } = useAction();
  const send = (change: object): Promise<unknown> =>
    call('POST', apiCall(name, '/deployments/settings'), change);
  const store = (change: object): Promise<void> => run(() => send(change), reload);
  const rows = settingRows(settings ?? {});
  return h('section', { 'aria-label': 'Deployments' }, [
    h('h2', null, 'Deployments'),
    rows.length === 0
      ? h(Empty, {
          text: 'The stack has no settings for agents: where its program is, and with which variables it runs.',
          command: 'cairn deployment settings edit',
        })
      : h(Table, {
          label: 'Settings',
          head: ['Setting', 'Value', ...(mayEdit ? ['Change'] : [])],
          rows: rows.map(({ path, value }) => [
            h('code', null, h(Name, { text: path.join('.') })),
            h(Value, { value, path }),
            ...(mayEdit
              ? [
                  h(RemoveButton, {
                    about: path.join('.'),
                    effect: `Runs that begin later have no ${path.join('.')}.`,
                    run: () => send(settingChange(path, null)),
                    onDone: reload,
                  }),
                ]
              : []),
          ]),
        }),
    mayEdit ? h(SettingForm, { store }) : null,
    failure.value === undefined ? null : h(Failure, { failure: failure.value, what: 'change the settings' }),
  ]);
}

function SettingForm({ store }: { readonly store: (change: object) => Promise<void> }): VNode {
  const path = useSignal('');
  const text = useSignal('');
  const isSecret = useSignal(false);
  const send = async (): Promise<void> => {
    await store(settingChange(settingPath(path.value), text.value, isSecret.value));
    text.value = '';
  };
  return h('div', { class: 'tools', role: 'group', 'aria-label': 'Change a setting' }, [
    h(TextField, { label: 'Setting', text: path, list: 'common-settings' }),
    h(
      'datalist',
      { id: 'common-settings' },
      COMMON_SETTINGS.map((value) => h('option', { key: value, value })),
    ),
    h(TextField, {
      label: 'Value of the setting',
      text,
      type: isSecret.value ? ('password' as const) : ('text' as const),
    }),
    h(Check, { label: 'Secret', isOn: isSecret }),
    h(
      'button',
      { type: 'button', disabled: !isSettingPath(path.value), onClick: () => void send() },
      'Change setting',
    ),
  ]);
}
