import { factsOfDeployment } from '@cairn/agent';
import type { RunRow } from '@cairn/agent';

/** Returns lines that show a run. */
export function runLines(run: RunRow): readonly string[] {
  const { id, stack, kind, by, status: at, why, commit, digest, steps = [], approvals, needed } = run;
  return [
    `Run ${id}: ${kind} of ${stack}, requested by ${by}, is ${at}`,
    ...why.map((reason) => `    ${reason}`),
    ...(commit === undefined ? [] : [`Commit ${commit.slice(0, 8)}`]),
    ...(digest === undefined || steps.length === 0 ? [] : [`Plan ${digest.slice(0, 8)}:`]),
    ...steps.map(({ kind: step, urn }) => `    ${step} ${urn}`),
    ...approvals.map(({ by: person, at: when }) => `Approved by ${person} at ${when}`),
    ...(at === 'waiting' ? [`Needs ${needed - approvals.length} more: cairn agent approve ${id}`] : []),
  ];
}

/** Returns lines about a run that are not its own: its agent, its pull request, and what it made. */
export function factLines(deployment: Parameters<typeof factsOfDeployment>[0]): readonly string[] {
  return factsOfDeployment(deployment).map(({ name, text, url }) =>
    [name, text, ...(url === undefined ? [] : [url])].join(' '),
  );
}
