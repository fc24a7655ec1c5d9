import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import type { DeploymentAnswer } from '@cairn/http-api';
import { statusOfDeployment, whyOfDeployment } from '@cairn/http-api/console';
import { runTone } from '../../../src/model/runs.js';
import { serviceAddress } from '../../api/base.js';
import { apiCall, call } from '../../api/client.js';
import type { StackName } from '../../api/client.js';
import { useLoaded } from '../../api/loaded.js';
import { go, stackAddress } from '../../api/router.js';
import { useAction } from '../../parts/action.js';
import { Badge, Empty, Failure, Name, Time, Waiting } from '../../parts/basics.js';
import { Choice } from '../../parts/fields.js';
import { StackHead, useTitle } from '../../parts/layout.js';
import { Table } from '../../parts/table.js';
import type { StackPageProps } from '../stack/stack-page.js';
import { Run } from './run.js';
import { h } from '../../parts/h.js';

/** Rows of one page of runs. */
const PAGE = 50;
/** Time between two looks at the list, in milliseconds. */
const LOOK_MS = 5000;

/** Operations that agents were asked for, or one of them with its plan, its approvals and its log. */
export function Runs({
  name,
  loaded: { value: stack },
  id,
}: StackPageProps & { readonly id: string }): VNode {
  useTitle(
    id === '' ? `Runs of ${name.project}/${name.stack}` : `Run ${id} of ${name.project}/${name.stack}`,
  );
  const mayWrite = stack !== undefined && stack.role !== 'reader';
  return h('div', null, [
    h(StackHead, { name, page: 'runs', doubts: stack?.doubts.length ?? 0 }),
    id === '' ? h(RunList, { name, mayWrite }) : h(Run, { key: id, name, number: id, mayWrite }),
  ]);
}

interface ListProps {
  readonly name: StackName;
  readonly mayWrite: boolean;
}

interface RunsAnswer {
  readonly deployments: readonly DeploymentAnswer[];
  readonly total: number;
}

function RunList({ name, mayWrite }: ListProps): VNode {
  const page = useSignal(1);
  const { loaded, reload } = useLoaded<RunsAnswer>(
    apiCall(
      name,
      `/deployments?${new URLSearchParams({ page: String(page.value), pageSize: String(PAGE) })}`,
    ),
  );
  useEffect(() => {
    const timer = setInterval(() => document.hidden || reload(), LOOK_MS);
    return () => clearInterval(timer);
  }, []);
  const { value, failure } = loaded.value;
  const rows = value?.deployments ?? [];
  return h('div', null, [
    failure === undefined ? null : h(Failure, { failure, what: 'list the runs' }),
    value === undefined && failure === undefined ? h(Waiting, { what: 'the runs' }) : null,
    mayWrite ? h(AskForRun, { name }) : null,
    value?.total === 0
      ? h(Empty, {
          text: 'No agent has been asked to do anything with this stack yet.',
          command: `cairn request up --service ${serviceAddress} --stack ${name.project}/${name.stack}`,
        })
      : null,
    rows.length === 0
      ? null
      : h(Table, {
          label: 'Rows of runs',
          head: ['Run', 'Status', 'Why', 'Agent', 'By', 'Asked'],
          rows: rows.map((run) => [
            h(
              'a',
              { href: stackAddress(name, `runs/${run.version}`) },
              `${run.version}  ${run.pulumiOperation}`,
            ),
            h(Badge, { tone: runTone(statusOfDeployment(run)), text: statusOfDeployment(run) }),
            h(Name, { text: whyOfDeployment(run) }),
            h(Name, { text: run.cairn.agent ?? '–' }),
            h(Name, { text: run.requestedBy.githubLogin }),
            h(Time, { ms: Date.parse(run.created) }),
          ]),
        }),
    h('div', { class: 'actions' }, [
      page.value > 1 ? h('button', { type: 'button', onClick: () => (page.value -= 1) }, 'Newer runs') : null,
      page.value * PAGE < (value?.total ?? 0)
        ? h('button', { type: 'button', onClick: () => (page.value += 1) }, 'Older runs')
        : null,
    ]),
  ]);
}

const OPERATIONS = [
  ['update', 'Update'],
  ['preview', 'Preview'],
  ['refresh', 'Refresh'],
  ['detect-drift', 'Look for drift'],
  ['remediate-drift', 'Put drift back'],
  ['destroy', 'Destroy'],
] as const;

function AskForRun({ name }: { readonly name: StackName }): VNode {
  const operation = useSignal('update');
  return h('div', { class: 'tools', role: 'group', 'aria-label': 'Ask an agent' }, [
    h(Choice, {
      ...{ label: 'Operation', value: operation.value, options: OPERATIONS },
      onChoose: (value: string) => (operation.value = value),
    }),
    h(AskButton, { name, operation: operation.value, text: 'Ask an agent' }),
  ]);
}

interface AskProps {
  readonly name: StackName;
  readonly operation: string;
  readonly text: string;
}

/** Button that asks agents for an operation, and goes to the run. What a run may do without a person, policies say. */
export function AskButton({ name, operation, text }: AskProps): VNode {
  const { failure, run } = useAction();
  const ask = async (): Promise<void> => {
    const body = { operation, inheritSettings: true };
    const made = await call<{ readonly version: number }>('POST', apiCall(name, '/deployments'), body);
    go(stackAddress(name, `runs/${made.version}`));
  };
  return h('span', null, [
    h('button', { type: 'button', onClick: () => void run(ask, () => undefined) }, text),
    failure.value === undefined ? null : h(Failure, { failure: failure.value, what: 'ask an agent' }),
  ]);
}
