import type { VNode } from 'preact';
import type { ConsolePreviewAnswer, ConsolePreviewRow, ConsolePreviewsAnswer } from '@cairn/http-api';
import { nameOfResource } from '../../../src/model/resource-tree.js';
import { stackCall } from '../../api/client.js';
import type { StackName } from '../../api/client.js';
import { useLoaded } from '../../api/loaded.js';
import { stackAddress } from '../../api/router.js';
import { Badge, Empty, Failure, Name, Time, Waiting, toneOfResult } from '../../parts/basics.js';
import { StackHead, useTitle } from '../../parts/layout.js';
import type { StackPageProps } from '../stack/stack-page.js';
import { PreviewSteps } from './preview-steps.js';
import { h } from '../../parts/h.js';

/** Previews since the newest version, or one of them with its steps. */
export function Previews({
  name,
  loaded: { value: stack },
  id,
}: StackPageProps & { readonly id: string }): VNode {
  useTitle(`Plans of ${name.project}/${name.stack}`);
  return h('div', null, [
    h(StackHead, { name, page: 'previews', doubts: stack?.doubts.length ?? 0 }),
    id === ''
      ? h(PreviewList, { name, version: stack?.version })
      : h(Preview, { key: id, name, id, version: stack?.version ?? 0 }),
  ]);
}

function PreviewList({
  name,
  version,
}: {
  readonly name: StackName;
  readonly version: number | undefined;
}): VNode {
  const { loaded } = useLoaded<ConsolePreviewsAnswer>(
    version === undefined ? undefined : stackCall(name, `/previews?newest=${version}`),
  );
  const { value, failure } = loaded.value;
  return h('div', null, [
    failure === undefined ? null : h(Failure, { failure, what: 'list the previews' }),
    value === undefined && failure === undefined ? h(Waiting, { what: 'the previews' }) : null,
    value?.previews.length === 0
      ? h(Empty, {
          text: 'The service has no preview of the newest version.',
          command: 'cairn preview',
        })
      : null,
    (value?.previews.length ?? 0) === 0
      ? null
      : h('div', { class: 'scroll', role: 'region', 'aria-label': 'Previews', tabIndex: 0 }, [
          h('table', { class: 'list' }, [
            h(
              'thead',
              null,
              h(
                'tr',
                null,
                ['Preview', 'Changes', 'By', 'Begun'].map((text) => h('th', { scope: 'col' }, text)),
              ),
            ),
            h(
              'tbody',
              null,
              (value?.previews ?? []).map((row) =>
                h('tr', { key: row.id }, [
                  h('th', { scope: 'row' }, [
                    h('a', { href: stackAddress(name, `previews/${row.id}`) }, [
                      row.kind,
                      ...(row.message === ''
                        ? []
                        : [' ', h(Name, { text: row.message.split('\n', 1)[0] ?? '' })]),
                    ]),
                    ' ',
                    h(Badge, { tone: toneOfResult(row.result), text: row.result }),
                  ]),
                  h('td', null, changesText(row)),
                  h('td', null, h(Name, { text: row.by })),
                  h('td', null, h(Time, { ms: row.startTime * 1000 })),
                ]),
              ),
            ),
          ]),
        ]),
  ]);
}

function changesText({ changes }: ConsolePreviewRow): string {
  const texts = Object.entries(changes).map(([op, count]) => `${count} ${op}`);
  return texts.length === 0 ? '–' : texts.join(', ');
}

interface PreviewProps {
  readonly name: StackName;
  readonly id: string;
  readonly version: number;
}

function Preview({ name, id, version }: PreviewProps): VNode {
  const { loaded } = useLoaded<ConsolePreviewAnswer>(
    stackCall(name, `/previews/${encodeURIComponent(id)}?newest=${version}`),
  );
  const { value, failure } = loaded.value;
  if (value === undefined)
    return h('div', null, [
      failure === undefined
        ? h(Waiting, { what: 'the preview' })
        : h(Failure, { failure, what: 'show the preview' }),
    ]);
  const { preview, steps, policies, moved } = value;
  return h('div', null, [
    h('h2', null, [`Preview of ${preview.kind} by `, h(Name, { text: preview.by })]),
    h('p', null, [
      h(Badge, { tone: toneOfResult(preview.result), text: preview.result }),
      ' ',
      h(Name, { text: preview.message }),
      ', begun ',
      h(Time, { ms: preview.startTime * 1000 }),
    ]),
    h(
      'p',
      null,
      h(
        'a',
        {
          href: `${stackAddress(name, 'history')}?${new URLSearchParams({ from: String(version), plan: id })}`,
        },
        'Compare its result with the state',
      ),
    ),
    moved.versions === 0
      ? null
      : h('div', { class: 'notice' }, [
          h('strong', null, `The stack has moved: ${moved.versions} newer versions.`),
          h(
            'p',
            null,
            moved.urns.length === 0
              ? 'They changed none of the resources of this plan.'
              : [
                  'They changed resources of this plan: ',
                  h(Name, { text: moved.urns.map((urn) => nameOfResource(urn).name).join(', ') }),
                ],
          ),
        ]),
    policies.length === 0
      ? null
      : h('section', { 'aria-label': 'Policies' }, [
          h('h3', null, 'Policies'),
          ...policies.map(({ pack, policy, level, message, urn = '' }) =>
            h('p', { key: `${policy} ${urn}`, class: level === 'mandatory' ? 'failed' : '' }, [
              h(Name, { text: `${pack} ${policy} (${level}): ${message}` }),
              urn === ''
                ? null
                : h('span', { class: 'quiet' }, [' ', h(Name, { text: nameOfResource(urn).name })]),
            ]),
          ),
        ]),
    h('h3', null, 'Steps'),
    steps.length === 0
      ? h('p', { class: 'quiet' }, 'The preview would change nothing.')
      : h(PreviewSteps, { steps, label: 'Steps' }),
  ]);
}
