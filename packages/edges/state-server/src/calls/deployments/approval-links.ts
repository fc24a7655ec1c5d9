import { answerApprovalLink, linkedApproval } from '@cairn/changes-daemon';
import type { ApprovalClaims, LinkAnswer, LinkPorts } from '@cairn/changes-daemon';
import type { StackId } from '@cairn/backends';
import { numberedRun } from '../../domain/deployments/deployment.js';
import type { AskedDeployment } from '../../domain/deployments/deployment.js';
import { Refusal } from '../../domain/refusal.js';
import type { Accounts } from '../accounts.js';
import { ApiCaller } from '../caller.js';
import { openTarget } from '../hooks.js';
import type { ServicePorts } from '../service-ports.js';
import { stackOf } from '../stack-names.js';
import type { Stacks } from '../stacks.js';
import { foundDeployment } from './deployment-ports.js';
import { mayApprove } from './approvers.js';
import type { Deployments } from './deployments.js';
import { policyIn } from './place-runs.js';

/** Facilities of links that approve. */
interface LinkCallPorts extends Pick<ServicePorts, 'store' | 'keys' | 'now'> {
  readonly accounts: Accounts;
  readonly deployments: Deployments;
  readonly stacks: Stacks;
}

/** Request for a link. */
interface LinkRequest {
  readonly organization: string;
  /** Name of the webhook that sent it. */
  readonly hook: string;
  readonly token: string;
  /** True for the click that approves. */
  readonly isClick: boolean;
}

/** Approval of a link, for the audit log. */
interface ApprovedByLink {
  readonly person: string;
  readonly stack: StackId;
  readonly deployment: string;
}

/**
 * Answers links that approve, of notices that webhooks have sent [AGT-22]. A link is valid while its webhook is there
 * with the same reader, and while that user may approve runs of the stack.
 */
export class ApprovalLinks {
  readonly #ports: LinkCallPorts;

  constructor(ports: LinkCallPorts) {
    this.#ports = ports;
  }

  /** `approved` learns of an approval. */
  async answer(
    { organization, hook: name, token, isClick }: LinkRequest,
    approved: (by: ApprovedByLink) => void,
  ): Promise<LinkAnswer> {
    const { store, keys, now, deployments } = this.#ports;
    const hook = await store.findAccess('hooks', organization, name);
    const { linkKey } = hook === undefined ? { linkKey: undefined } : await openTarget(keys, hook);
    const ports: LinkPorts = {
      ...{ now, key: linkKey === undefined ? undefined : Buffer.from(linkKey, 'base64') },
      find: async (claims) => {
        const found = await this.#find(organization, claims);
        const isReader =
          hook?.links === claims.person && (await this.#mayApprove(found?.stack, claims.person));
        return {
          run: found && numberedRun(found.deployment),
          persons: new Set(isReader ? [claims.person] : []),
          others: policyIn(found?.deployment.settings ?? {})?.['others'] === true,
        };
      },
      approve: async (claims) => {
        const { stack, id } = placeOf(organization, claims);
        return deployments.approve(stack, id, linkedApproval(claims)).then(
          () => void approved({ person: claims.person, stack, deployment: id }),
          (thrown: unknown) => {
            if (thrown instanceof Refusal) return thrown.message.replace(/\.$/, '');
            throw thrown;
          },
        );
      },
      log: () => undefined,
    };
    return answerApprovalLink(token, isClick, ports);
  }

  /** Finds the deployment of a link, if it and its stack are still there. */
  async #find(
    organization: string,
    claims: ApprovalClaims,
  ): Promise<{ readonly stack: StackId; readonly deployment: AskedDeployment } | undefined> {
    const { stack, id } = placeOf(organization, claims);
    try {
      const { id: stackId } = await this.#ports.stacks.record(stack);
      return { stack, deployment: await foundDeployment(this.#ports.store, stackId, id) };
    } catch (thrown) {
      if (thrown instanceof Refusal && thrown.status === 404) return undefined;
      throw thrown;
    }
  }

  async #mayApprove(stack: StackId | undefined, user: string): Promise<boolean> {
    return stack !== undefined && mayApprove(ApiCaller.ofUser(user, this.#ports), stack);
  }
}

function placeOf(org: string, { run }: ApprovalClaims): { readonly stack: StackId; readonly id: string } {
  const [project, stack, id = ''] = run.split('/');
  return { stack: stackOf({ org, project, stack }), id };
}
