import { organizationOf } from '@cairn/backends';
import type { StackId } from '@cairn/backends';
import { ISSUER_KEYS_PATH, RUN_TOKEN_SECONDS } from '@cairn/http-api';
import type { RunTokenBody, RunTokenRequest } from '@cairn/http-api';
import type { InferOutput } from 'valibot';
import type { AskedDeployment } from '../../domain/deployments/deployment.js';
import { Refusal } from '../../domain/refusal.js';
import type { ApiCaller } from '../caller.js';
import { seconds } from '../service-ports.js';
import type { ServicePorts } from '../service-ports.js';
import { SIGNING_ALGORITHM } from '../signing-keys.js';
import type { SigningKeys } from '../signing-keys.js';
import type { Stacks } from '../stacks.js';
import { foundDeployment } from './deployment-ports.js';

interface RunTokenPorts extends Pick<ServicePorts, 'store' | 'now' | 'newId'> {
  readonly stacks: Stacks;
  readonly signing: SigningKeys;
  /** Address at which clients reach the service, if it is known. */
  readonly issuer: string | undefined;
}

/** Claims of a token of a run. */
const CLAIMS = [
  ...['iss', 'sub', 'aud', 'iat', 'nbf', 'exp', 'jti'],
  ...['organization', 'project', 'stack', 'operation', 'deployment'],
] as const;

/** OpenID Connect tokens of runs, for clouds that trust the service [AGT-16]. */
export class RunTokens {
  readonly #ports: RunTokenPorts;

  constructor(ports: RunTokenPorts) {
    this.#ports = ports;
  }

  /** Returns the settings of the issuer, as OpenID Connect Discovery has them. */
  issuerSettings(): object {
    const issuer = this.#issuer();
    return {
      issuer,
      jwks_uri: issuer + ISSUER_KEYS_PATH,
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: [SIGNING_ALGORITHM],
      scopes_supported: ['openid'],
      claims_supported: CLAIMS,
    };
  }

  /** Returns the keys with which tokens can be checked. */
  async issuerKeys(): Promise<object> {
    this.#issuer();
    return { keys: await this.#ports.signing.published() };
  }

  /** Issues a token to the agent that has a run, or to a process of the run. Refuses other callers. */
  async issue(
    stack: StackId,
    id: string,
    caller: ApiCaller,
    { fence, audience }: InferOutput<typeof RunTokenRequest>,
  ): Promise<InferOutput<typeof RunTokenBody>> {
    const { store, stacks, now, newId, signing } = this.#ports;
    const { id: stackId } = await stacks.record(stack);
    const deployment = await foundDeployment(store, stackId, id);
    const isHeld = deployment.fence === fence && deployment.agent !== undefined;
    if (!isHeld || !(await store.livingRunLeases([id])).has(id))
      throw new Refusal(409, 'The run belongs to another agent, or has ended.');
    if (!(await this.#isOfRun(deployment, caller)))
      throw new Refusal(403, 'Only the agent that has the run, and its processes, get a token for it.');
    const issuer = this.#issuer();
    const at = seconds(now());
    const place = [organizationOf(stack), stack.project, stack.stack, deployment.operation];
    const token = await signing.sign({
      ...{ iss: issuer, sub: place.join(':'), aud: audience ?? issuer },
      ...{ iat: at, nbf: at, exp: at + RUN_TOKEN_SECONDS, jti: newId() },
      ...{ organization: organizationOf(stack), project: stack.project, stack: stack.stack },
      ...{ operation: deployment.operation, deployment: id },
    } satisfies Record<(typeof CLAIMS)[number], unknown>);
    return { token, expiresIn: RUN_TOKEN_SECONDS };
  }

  /** The token of the processes was made with that of the agent. */
  async #isOfRun({ token }: AskedDeployment, caller: ApiCaller): Promise<boolean> {
    if (token === undefined) return false;
    const { hash } = caller.token;
    return hash === token || (await this.#ports.store.findToken(token))?.parent === hash;
  }

  #issuer(): string {
    const { issuer } = this.#ports;
    if (issuer !== undefined) return issuer;
    throw new Refusal(
      404,
      'The service issues no OpenID Connect tokens: it does not know its address. Start it with --url.',
    );
  }
}
