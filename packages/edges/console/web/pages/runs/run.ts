import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import type { DeploymentAnswer } from '@cairn/http-api';
import {
  factsOfDeployment,
  runOfDeployment,
  statusOfDeployment,
  whyOfDeployment,
} from '@cairn/http-api/console';
import type { DeploymentFact } from '@cairn/http-api/console';
import { nameOfResource } from '../../../src/model/resource-tree.js';
import { isRunOver, mayDeny, runTone } from '../../../src/model/runs.js';
import { webLink } from '../../../src/model/web-links.js';
import { apiCall, call } from '../../api/client.js';
import type { StackName } from '../../api/client.js';
import { useLoaded } from '../../api/loaded.js';
import { stackAddress } from '../../api/router.js';
import { useAction } from '../../parts/action.js';
import { Badge, Copy, Failure, Name, Time, Waiting } from '../../parts/basics.js';
import { Links } from '../../parts/links.js';
import { Decide } from './decide-run.js';
import { RunLog } from './run-log.js';
import { h } from '../../parts/h.js';

/** Time between two looks at a run that has not ended, in milliseconds. */
const LOOK_MS = 3000;
/** Steps that the page lists. */
const MOST_STEPS = 500;

interface RunProps {
  readonly name: StackName;
  readonly number: string;
  readonly mayWrite: boolean;
}

/** One run: why it is where it is, its plan and its approvals, and what it has written. */
export function Run({ name, number, mayWrite }: RunProps): VNode {
  const { loaded, reload } = useLoaded<DeploymentAnswer>(
    apiCall(name, `/deployments/version/${encodeURIComponent(number)}`),
  );
  const { value, failure } = loaded.value;
  const isOpen = value !== undefined && !isRunOver(value);
  useEffect(() => {
    if (!isOpen) return undefined;
    const timer = setInterval(reload, LOOK_MS);
    return () => clearInterval(timer);
  }, [isOpen]);
  return h('div', null, [
    failure === undefined ? null : h(Failure, { failure, what: 'show the run' }),
    value === undefined && failure === undefined ? h(Waiting, { what: 'the run' }) : null,
    value === undefined ? null : h(RunView, { name, deployment: value, mayWrite, reload }),
  ]);
}

interface ViewProps extends Omit<RunProps, 'number'> {
  readonly deployment: DeploymentAnswer;
  readonly reload: () => void;
}

function RunView({ name, deployment, mayWrite, reload }: ViewProps): VNode {
  const { version, pulumiOperation, requestedBy, created, initiator } = deployment;
  const status = statusOfDeployment(deployment);
  const run = runOfDeployment(deployment);
  const why = whyOfDeployment(deployment);
  const isOpen = !isRunOver(deployment);
  return h('div', null, [
    h('h2', null, `Run ${version}: ${pulumiOperation}`),
    h('p', { role: 'status' }, [
      h(Badge, { tone: runTone(status), text: status }),
      ' requested by ',
      h(Name, { text: requestedBy.githubLogin }),
      initiator === '' ? null : [' with ', h(Name, { text: initiator })],
      ' ',
      h(Time, { ms: Date.parse(created) }),
    ]),
    why === '' ? null : h('p', null, h(Name, { text: why })),
    mayWrite && run !== undefined && mayDeny(run) ? h(Decide, { name, deployment, run, reload }) : null,
    isOpen && mayWrite ? h(Cancel, { name, deployment, reload }) : null,
    h('dl', { class: 'members' }, [
      fact('Commit', run?.commit),
      fact('Plan', run?.digest),
      fact('State', run?.base),
      ...factsOfDeployment(deployment).map((each, index) => h(Fact, { key: index, name, fact: each })),
      ...(run?.approvals ?? []).map(({ by, at }) =>
        h('div', { key: `approval ${by}` }, [
          h('dt', null, 'Approved by'),
          h('dd', null, [h(Name, { text: by }), ' ', h(Time, { ms: Date.parse(at) })]),
        ]),
      ),
    ]),
    h(PlannedSteps, { steps: run?.steps ?? [] }),
    h(RunLog, { name, id: deployment.id, isOpen }),
  ]);
}

/** Fact with a link to the page that it is about, or to another site by its name. */
function Fact({ name, fact: { name: key, text, page, url } }: FactProps): VNode {
  const link = url === undefined ? undefined : webLink(url);
  return h('div', null, [
    h('dt', null, key),
    h('dd', null, [
      page === undefined ? h(Name, { text }) : h('a', { href: stackAddress(name, page) }, h(Name, { text })),
      link === undefined ? null : h(Links, { links: [link] }),
    ]),
  ]);
}

interface FactProps {
  readonly name: StackName;
  readonly fact: DeploymentFact;
}

/** Order of a plan: replacements and deletes first. */
const FIRST = [/replac/, /delete/, /./] as const;

function PlannedSteps({
  steps,
}: {
  readonly steps: readonly { readonly kind: string; readonly urn: string }[];
}): VNode | null {
  if (steps.length === 0) return null;
  const placeOf = ({ kind }: { readonly kind: string }): number => FIRST.findIndex((each) => each.test(kind));
  const shown = [...steps].sort((a, b) => placeOf(a) - placeOf(b)).slice(0, MOST_STEPS);
  return h('section', { 'aria-label': 'Plan' }, [
    h('h3', null, 'Plan'),
    h('ul', { class: 'plain-list', 'aria-label': 'Steps of the plan' }, [
      ...shown.map(({ kind, urn }) => {
        const { name, type } = nameOfResource(urn);
        return h('li', { key: `${kind} ${urn}` }, [
          `${kind} `,
          h('strong', null, h(Name, { text: name })),
          h('span', { class: 'quiet' }, [' ', h(Name, { text: type })]),
        ]);
      }),
      steps.length > MOST_STEPS ? h('li', { class: 'quiet' }, `and ${steps.length - MOST_STEPS} more`) : null,
    ]),
  ]);
}

function Cancel({ name, deployment: { id }, reload }: Omit<ViewProps, 'mayWrite'>): VNode {
  const { failure, run } = useAction();
  const cancel = (): Promise<unknown> => call('POST', apiCall(name, `/deployments/${id}/cancel`), {});
  return h('div', { class: 'actions' }, [
    h('button', { type: 'button', onClick: () => void run(cancel, reload) }, 'Cancel the run'),
    failure.value === undefined ? null : h(Failure, { failure: failure.value, what: 'cancel the run' }),
  ]);
}

function fact(key: string, text: string | undefined): VNode | null {
  if (text === undefined) return null;
  return h('div', { key }, [
    h('dt', null, key),
    h('dd', null, h('span', { class: 'copied' }, [h(Name, { text }), h(Copy, { text, what: key })])),
  ]);
}
