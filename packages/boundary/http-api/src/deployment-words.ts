import type { ConsolePage } from './console-address.js';
import type { DeployedUpdate, DeploymentAnswer } from './deployments.js';

/** Run of a deployment as agents know it, as far as it is shown. */
export interface ShownRun {
  readonly status: string;
  /** Reasons for the status, one sentence each. */
  readonly why: readonly string[];
  readonly commit?: string;
  /** Digest of the plan, and of the state from which it was made. */
  readonly digest?: string;
  readonly base?: string;
  readonly steps?: readonly { readonly kind: string; readonly urn: string }[];
  readonly approvals: readonly { readonly by: string; readonly at: string }[];
  /** Number of approvals that it needs. */
  readonly needed: number;
  /** Name of the pull request that it is for, and the address of its page at the forge. */
  readonly pull?: string;
  readonly pullPage?: string;
}

/** Fact about a deployment in words, with the page of the console or of another site that it is about. */
export interface DeploymentFact {
  readonly name: string;
  readonly text: string;
  readonly page?: ConsolePage;
  readonly url?: string;
}

type Answer = Pick<DeploymentAnswer, 'cairn'>;

/** Returns the run of a deployment, or undefined before an agent has it. */
export function runOfDeployment({ cairn }: Answer): ShownRun | undefined {
  return (cairn.run ?? undefined) as ShownRun | undefined;
}

/** Returns the status of a deployment: that of its run, once there is one. */
export function statusOfDeployment(deployment: Answer & Pick<DeploymentAnswer, 'status'>): string {
  return runOfDeployment(deployment)?.status ?? deployment.status;
}

/** Returns why a deployment is where it is. */
export function whyOfDeployment(deployment: Answer): string {
  const { waitsFor } = deployment.cairn;
  return waitsFor === undefined
    ? (runOfDeployment(deployment)?.why ?? []).join('; ')
    : `waits for ${waitsFor}`;
}

/** Returns what terminal and page show of a deployment beside its run: who ran it, for what, and what it made. */
export function factsOfDeployment(
  deployment: Answer & Pick<DeploymentAnswer, 'agentPool' | 'updates'>,
): readonly DeploymentFact[] {
  const { agentPool, updates, cairn } = deployment;
  const { pull, pullPage } = runOfDeployment(deployment) ?? {};
  return [
    ...(cairn.agent === undefined ? [] : [{ name: 'Agent', text: cairn.agent }]),
    ...(agentPool === undefined ? [] : [{ name: 'Pool', text: agentPool }]),
    ...(pull === undefined ? [] : [{ name: 'Pull request', text: pull, ...(pullPage && { url: pullPage }) }]),
    ...updates.map(factOfUpdate),
  ];
}

function factOfUpdate({ id, version, kind, result, cairn }: DeployedUpdate): DeploymentFact {
  const end = `${kind} ${result}`;
  if (cairn?.preview === true)
    return { name: 'Preview', text: `of version ${version}: ${end}`, page: `previews/${id}` };
  const change = cairn?.change;
  if (change !== undefined) return { name: 'Change', text: `${change}: ${end}`, page: `changes/${change}` };
  return { name: 'Version', text: `${version}: ${end}`, page: `updates/${version}` };
}
