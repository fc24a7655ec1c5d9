import type { VNode } from 'preact';
import { useSignal } from '@preact/signals';
import { scheduleAction, scheduleTimes } from '@cairn/backends/words';
import { isInstant, scheduleCall } from '../../../src/model/schedule-call.js';
import { apiCall, call } from '../../api/client.js';
import { useAction } from '../../parts/action.js';
import { Badge, Empty, Failure, Name, Time } from '../../parts/basics.js';
import { Check, Choice, TextField, rowButton } from '../../parts/fields.js';
import { RemoveButton } from '../../parts/remove.js';
import { Table } from '../../parts/table.js';
import type { SettingsProps } from './settings.js';
import { h } from '../../parts/h.js';

/** Schedules of a stack: what agents are asked for, and when. Those made here are in UTC. */
export function Schedules({ name, answer: { schedules }, mayEdit, reload }: SettingsProps): VNode {
  const { failure, run } = useAction();
  const at = (id: string, rest = ''): string =>
    apiCall(name, `/deployments/schedules/${encodeURIComponent(id)}${rest}`);
  return h('section', { 'aria-label': 'Schedules' }, [
    h('h2', null, 'Schedules'),
    schedules.length === 0
      ? h(Empty, {
          text: 'Nothing is scheduled.',
          command: `cairn stack schedule new --kind drift --cron "0 3 * * *"`,
        })
      : h(Table, {
          label: 'Rows of schedules',
          head: ['Does', 'When', 'Next', 'Last', ...(mayEdit ? ['Change'] : [])],
          rows: schedules.map((schedule) => {
            const { id, next, last, paused } = schedule;
            const what = scheduleAction(schedule);
            return [
              h('span', null, [what, paused ? h(Badge, { tone: 'doubt', text: 'paused' }) : null]),
              h('code', null, h(Name, { text: scheduleTimes(schedule) })),
              next === undefined ? 'never' : h(Time, { ms: Date.parse(next), isAhead: true }),
              last === undefined ? 'never' : h(Time, { ms: Date.parse(last) }),
              ...(mayEdit
                ? [
                    h('span', { class: 'actions' }, [
                      rowButton(
                        paused ? 'Resume' : 'Pause',
                        what,
                        () => void run(() => call('POST', at(id, paused ? '/resume' : '/pause'), {}), reload),
                      ),
                      h(RemoveButton, {
                        about: `schedule ${what}`,
                        effect: 'Agents are not asked for it any more.',
                        run: () => call('DELETE', at(id)),
                        onDone: reload,
                      }),
                    ]),
                  ]
                : []),
            ];
          }),
        }),
    mayEdit ? h(NewSchedule, { name, run, reload }) : null,
    failure.value === undefined ? null : h(Failure, { failure: failure.value, what: 'change the schedules' }),
  ]);
}

const KINDS = [
  ['drift', 'Look for drift'],
  ['update', 'Update'],
  ['preview', 'Preview'],
  ['refresh', 'Refresh'],
  ['destroy', 'Destroy'],
  ['ttl', 'Destroy the stack at its end'],
] as const;

/** Words for the second effect of a schedule, by its kind. */
const ALSO: Readonly<Record<string, string>> = { drift: 'Put it back', ttl: 'Remove the stack' };

function NewSchedule({
  name,
  run,
  reload,
}: Pick<SettingsProps, 'name' | 'reload'> & Pick<ReturnType<typeof useAction>, 'run'>): VNode {
  const kind = useSignal('drift');
  const when = useSignal('');
  const also = useSignal(false);
  const zone = useSignal('');
  const jitter = useSignal('');
  const make = (): void => {
    const { path, body } = scheduleCall(kind.value, when.value, also.value, {
      ...{ zone: zone.value, jitter: jitter.value },
    });
    void run(
      () => call('POST', apiCall(name, `/deployments${path}`), body),
      () => {
        [when.value, zone.value, jitter.value] = ['', '', ''];
        reload();
      },
    );
  };
  const isOnce = kind.value === 'ttl';
  return h('div', { class: 'tools', role: 'group', 'aria-label': 'New schedule' }, [
    h(Choice, {
      ...{ label: 'What is scheduled', value: kind.value, options: KINDS },
      onChoose: (value: string) => {
        kind.value = value;
        also.value = false;
      },
    }),
    h(TextField, {
      label: isOnce ? 'Time: 2030-01-31T18:00:00Z' : 'When: 0 3 * * *, or a time like 2030-01-31T18:00:00Z',
      text: when,
    }),
    ...(isOnce || isInstant(when.value)
      ? []
      : [
          h(TextField, { label: 'Zone: Europe/Berlin, or empty for UTC', text: zone }),
          h(TextField, { label: 'Longest delay: 10m, or empty', text: jitter }),
        ]),
    ALSO[kind.value] === undefined ? null : h(Check, { label: ALSO[kind.value] as string, isOn: also }),
    h('button', { type: 'button', disabled: when.value.trim() === '', onClick: make }, 'Make a schedule'),
  ]);
}
