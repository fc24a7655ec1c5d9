import { Fragment } from 'preact';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import type { ConsoleChangeAnswer, ConsoleChangeRow, ConsoleStackAnswer } from '@cairn/http-api';
import { ShownChangeLog } from '../../../src/model/change-page.js';
import type { ChangePage, TaskRow } from '../../../src/model/change-page.js';
import { isUnfinished } from '../../../src/model/change-words.js';
import { lineageOf, resumeSteps, rollbackSteps } from '../../../src/model/recovery-plan.js';
import type { RecoverySteps } from '../../../src/model/recovery-plan.js';
import { ApiFailure, call, stackCall } from '../../api/client.js';
import type { StackName } from '../../api/client.js';
import { Command, Failure, Name, Waiting } from '../../parts/basics.js';
import { Confirm, Plain } from '../../parts/confirm.js';
import { h } from '../../parts/h.js';

interface ContinueProps {
  readonly name: StackName;
  readonly row: ConsoleChangeRow;
  readonly stack: ConsoleStackAnswer | undefined;
  readonly page: ReadonlySignal<ChangePage>;
  readonly onSent: () => void;
}

const HOWS = {
  resume: { verb: 'Resume', title: 'Resume change' },
  rollback: { verb: 'Roll back', title: 'Roll back change' },
} as const;

type How = keyof typeof HOWS;

/** Ways to continue a change that has ended: each first says what it will do. */
export function ContinueActions(props: ContinueProps): VNode | null {
  const { row, stack } = props;
  const asked = useSignal<How | undefined>(undefined);
  const sent = useSignal('');
  const isNewest = stack?.changes[0]?.number === row.number;
  const hows: readonly How[] = [
    ...(isUnfinished(row) ? ['resume' as const] : []),
    ...(isUnfinished(row) || (isNewest && row.sealed?.result === 'succeeded') ? ['rollback' as const] : []),
  ];
  // Without the changes of the stack, it is not known what a change continues.
  if (stack === undefined) return null;
  // What was begun stays said, although the change is then not the newest any more.
  if (hows.length === 0 && sent.value === '') return null;
  return h('div', { class: isUnfinished(row) ? 'notice' : 'actions' }, [
    isUnfinished(row)
      ? h('p', null, 'The change did not end well. Continue it, or take back what it did.')
      : null,
    h('div', { class: 'actions', role: 'group', 'aria-label': 'Actions' }, [
      ...hows.map((how) =>
        h('button', { type: 'button', key: how, onClick: () => (asked.value = how) }, `${HOWS[how].verb} …`),
      ),
      sent.value === '' ? null : h('span', { class: 'quiet', role: 'status' }, sent.value),
    ]),
    asked.value === undefined
      ? null
      : h(ContinueDialog, {
          ...props,
          stack,
          key: asked.value,
          how: asked.value,
          onClose: () => (asked.value = undefined),
          onBegun: (text: string) => {
            sent.value = text;
            props.onSent();
          },
        }),
  ]);
}

interface DialogProps extends ContinueProps {
  readonly stack: ConsoleStackAnswer;
  readonly how: How;
  readonly onClose: () => void;
  readonly onBegun: (text: string) => void;
}

/** Says what a resume or a rollback will do, and then does it where this process can. */
function ContinueDialog({ name, row, stack, page, how, onClose, onBegun }: DialogProps): VNode {
  const { number } = row;
  const { verb, title } = HOWS[how];
  const { steps, failure } = useSteps(name, row, stack.changes, page.value.tasks, how);
  const command = `cairn ${how} ${number} --stack ${name.org}/${name.project}/${name.stack}`;
  const content = h(Fragment as () => VNode, {}, [
    failure === undefined ? null : h(Failure, { failure, what: 'read the earlier changes' }),
    steps === undefined ? h(Waiting, { what: 'the plan' }) : h(Steps, { steps, how }),
  ]);
  if (stack.continues !== true || stack.role === 'reader')
    return h(Plain, { title: `${title} ${number}`, onClose }, [
      content,
      h('p', null, 'Run this where the program and its providers are:'),
      h(Command, { text: command }),
      how === 'rollback'
        ? h(
            'p',
            { class: 'quiet' },
            'It needs the providers, and not the program. --preview-only shows its plan alone.',
          )
        : null,
    ]);
  const run = async (): Promise<void> => {
    await call('POST', stackCall(name, `/changes/${number}/continue`), { how });
    onBegun(how === 'resume' ? 'The resume has begun.' : 'The rollback has begun.');
  };
  return h(Confirm, { title: `${title} ${number}`, verb, run, onClose }, [content]);
}

/** Reads the changes that a change continues, and plans from the records of all of them. */
function useSteps(
  name: StackName,
  row: ConsoleChangeRow,
  changes: readonly ConsoleChangeRow[],
  tasks: readonly TaskRow[],
  how: How,
): { readonly steps: RecoverySteps | undefined; readonly failure: ApiFailure | undefined } {
  const earlier = useSignal<readonly (readonly TaskRow[])[] | undefined>(undefined);
  const failure = useSignal<ApiFailure | undefined>(undefined);
  const numbers = lineageOf(changes, row.number).slice(0, -1);
  useEffect(() => {
    let isOver = false;
    earlier.value = undefined;
    Promise.all(numbers.map((number) => tasksOf(name, number))).then(
      (read) => {
        if (!isOver) earlier.value = read;
      },
      (thrown: unknown) => {
        if (!(thrown instanceof ApiFailure)) throw thrown;
        if (!isOver) failure.value = thrown;
      },
    );
    return () => {
      isOver = true;
    };
  }, [numbers.join()]);
  if (earlier.value === undefined) return { steps: undefined, failure: failure.value };
  const lineage = [...earlier.value, tasks];
  // A resumed rollback continues to take back.
  const isBack = how === 'rollback' || row.operation.operation === 'rollback';
  return { steps: isBack ? rollbackSteps(lineage) : resumeSteps(lineage), failure: undefined };
}

async function tasksOf(name: StackName, number: number): Promise<readonly TaskRow[]> {
  const { records } = await call<ConsoleChangeAnswer>('GET', stackCall(name, `/changes/${number}`));
  const log = new ShownChangeLog();
  log.add(records);
  return log.page().tasks;
}

/** Steps that a dialog lists. */
const MOST = 200;

function Steps({ steps: { rows, kept }, how }: { readonly steps: RecoverySteps; readonly how: How }): VNode {
  return h('div', null, [
    how === 'resume'
      ? h('p', null, `${kept} steps are done and stay. The program then runs, and decides what else is left.`)
      : h('p', null, rows.length === 0 ? 'There is nothing to take back.' : 'In this order:'),
    rows.length === 0
      ? null
      : h(
          'ul',
          { class: 'planned plain-list', 'aria-label': 'Plan', tabIndex: 0 },
          rows
            .slice(0, MOST)
            .map(({ key, mark, tone, name, type, words }) =>
              h('li', { key, class: `tone-${tone}` }, [
                h('span', { class: 'mark', 'aria-hidden': true }, mark),
                h(Name, { text: name }),
                h('span', { class: 'quiet' }, [' ', h(Name, { text: type })]),
                ` ${words}`,
              ]),
            ),
        ),
    rows.length > MOST ? h('p', { class: 'quiet' }, `and ${rows.length - MOST} more`) : null,
  ]);
}
