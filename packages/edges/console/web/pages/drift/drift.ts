import type { VNode } from 'preact';
import type { ConsolePreviewsAnswer } from '@cairn/http-api';
import { stackCall } from '../../api/client.js';
import { useLoaded } from '../../api/loaded.js';
import { stackAddress } from '../../api/router.js';
import { Command, Empty, Failure, Name, Time, Waiting } from '../../parts/basics.js';
import { StackHead, useTitle } from '../../parts/layout.js';
import { AskButton } from '../runs/runs.js';
import { PreviewSteps } from '../previews/preview-steps.js';
import type { StackPageProps } from '../stack/stack-page.js';
import { h } from '../../parts/h.js';

/** Differences between the state and the objects, as previews of refreshes have found them. */
export function Drift({ name, loaded: { value: stack } }: StackPageProps): VNode {
  useTitle(`Drift of ${name.project}/${name.stack}`);
  const { loaded } = useLoaded<ConsolePreviewsAnswer>(
    stack === undefined ? undefined : stackCall(name, `/previews?newest=${stack.version}`),
  );
  const { value, failure } = loaded.value;
  const flags = `--stack ${name.org}/${name.project}/${name.stack}`;
  const runs = (value?.previews ?? []).filter(({ kind }) => kind === 'refresh');
  const mayAsk = stack !== undefined && stack.role !== 'reader';
  const found = value?.drift?.resources ?? [];
  return h('div', null, [
    h(StackHead, { name, page: 'drift', doubts: stack?.doubts.length ?? 0 }),
    failure === undefined ? null : h(Failure, { failure, what: 'show the drift' }),
    value === undefined && failure === undefined ? h(Waiting, { what: 'the runs' }) : null,
    value !== undefined && value.drift === undefined
      ? h(Empty, {
          text: 'No preview of a refresh has come to the service since the newest version. Each is a run of the drift detection.',
          command: 'cairn refresh --preview-only',
        })
      : null,
    value?.drift === undefined
      ? null
      : h('p', { role: 'status' }, [
          differing(found.length),
          'Looked at ',
          h(Time, { ms: value.drift.at * 1000 }),
          '.',
        ]),
    found.length === 0
      ? null
      : h('div', null, [
          h(PreviewSteps, { steps: found, label: 'Resources that differ' }),
          h('h2', null, 'Accept it into the state'),
          h(Command, { text: `cairn refresh ${flags}` }),
          mayAsk ? h(AskButton, { name, operation: 'refresh', text: 'Ask an agent to accept it' }) : null,
          h('h2', null, 'Put it back as the program has it'),
          h(Command, { text: `cairn up --refresh ${flags}` }),
          mayAsk
            ? h(AskButton, { name, operation: 'remediate-drift', text: 'Ask an agent to put it back' })
            : null,
        ]),
    runs.length === 0
      ? null
      : h('section', { 'aria-label': 'Runs' }, [
          h('h2', null, 'Runs'),
          h(
            'ul',
            { class: 'plain-list' },
            runs.map(({ id, by, startTime, result }) =>
              h('li', { key: id }, [
                h('a', { href: stackAddress(name, `previews/${id}`) }, h(Time, { ms: startTime * 1000 })),
                ` ${result} by `,
                h(Name, { text: by }),
              ]),
            ),
          ),
        ]),
  ]);
}

function differing(count: number): string {
  if (count === 0) return 'No resource differs from the state. ';
  return count === 1 ? '1 resource differs. ' : `${count} resources differ. `;
}
