import type { VNode } from 'preact';
import type { ConsoleDrift, ConsolePreviewStep } from '@cairn/http-api';
import { STEP_MARKS, STEP_PHRASES, isStepKind } from '@cairn/engine/words';
import { nameOfResource } from '../../../src/model/resource-tree.js';
import { toneOfStep } from '../../../src/model/change-page.js';
import { Name, Time } from '../../parts/basics.js';
import { h } from '../../parts/h.js';

/** Steps that a page shows before it is asked for more. */
const MOST = 500;

type ShownStep = ConsolePreviewStep & Partial<Pick<ConsoleDrift, 'since' | 'says'>>;

/** Steps of a preview with their reasons. Those of a look for drift have the time since which each differs. */
export function PreviewSteps({
  steps,
  label,
}: {
  readonly steps: readonly ShownStep[];
  readonly label: string;
}): VNode {
  return h('ul', { class: 'plain-list', 'aria-label': label }, [
    ...steps.slice(0, MOST).map((step) => h(Step, { key: `${step.urn} ${step.op}`, step })),
    steps.length > MOST ? h('li', { class: 'quiet' }, `and ${steps.length - MOST} more`) : null,
  ]);
}

function Step({
  step: { urn, op, reason, replaces = [], differences, since, says = [] },
}: {
  readonly step: ShownStep;
}): VNode {
  const { name, type } = nameOfResource(urn);
  const [mark, words] = isStepKind(op) ? [STEP_MARKS[op].trim(), STEP_PHRASES[op].plan] : ['', op];
  return h('li', null, [
    h('div', { class: `compared tone-${toneOfStep(op)}` }, [
      h('span', { class: 'mark', 'aria-hidden': true }, mark),
      h('strong', null, h(Name, { text: name })),
      h('span', { class: 'quiet' }, [' ', h(Name, { text: type })]),
      ` ${words}`,
      reason === undefined ? null : h('span', { class: 'quiet' }, [' ', h(Name, { text: reason })]),
      since === undefined
        ? null
        : h('span', { class: 'quiet' }, [' found first ', h(Time, { ms: since * 1000 })]),
    ]),
    says.map((text) => h('p', { class: 'differences', key: text }, h(Name, { text }))),
    replaces.length === 0
      ? null
      : h('p', { class: 'differences' }, [
          'Replaced because of ',
          h('code', null, h(Name, { text: replaces.join(', ') })),
        ]),
    differences.length === 0
      ? null
      : h(
          'ul',
          { class: 'differences' },
          differences
            .slice(0, 100)
            .map(({ path, kind }) =>
              h('li', { key: path }, [
                h('code', null, h(Name, { text: path })),
                ` ${DIFFERENCES[kind] ?? kind}`,
              ]),
            ),
        ),
  ]);
}

/** Words for the kinds of differences of a property. */
const DIFFERENCES: Readonly<Record<string, string>> = {
  add: 'is added',
  'add-replace': 'is added, and the object is replaced',
  delete: 'is removed',
  'delete-replace': 'is removed, and the object is replaced',
  update: 'changes',
  'update-replace': 'changes, and the object is replaced',
};
