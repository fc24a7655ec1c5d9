import { isCairnError, messageOf } from '@cairn/diagnostics';
import type { ProviderMethod, ProviderMethods } from '@cairn/tfplugin';
import { protocols } from '@cairn/tfplugin';
import { InvalidAnswerError, isProviderError, isStatusError, ProviderError } from '@cairn/wire';
import { serviceClient } from '@cairn/wire/caller';
import type { Caller, RpcRequest, RpcResponse, ServiceClient } from '@cairn/wire/caller';

/** The request of a method. */
export type RequestFor<M extends ProviderMethod> = RpcRequest<ProviderMethods[M]>;
/** The answer of a method. */
type ResponseFor<M extends ProviderMethod> = RpcResponse<ProviderMethods[M]>;

/** Calls a provider's methods by their names in protocol 6, whatever protocol it speaks. */
export interface ProviderCalls {
  /** Name for messages, for example `hashicorp/random`. */
  readonly name: string;
  /**
   * Calls a method. Fails with a `ProviderError` that names provider and method. UNKNOWN means that the process has
   * ended, INTERNAL that the answer cannot be read, UNIMPLEMENTED that the provider does not have the method.
   */
  call<M extends ProviderMethod>(method: M, request: RequestFor<M>): Promise<ResponseFor<M>>;
  /** Returns the bytes of the answer to a request without content, for callers that do not need all of it. */
  answerBytes(method: ProviderMethod): Promise<Uint8Array>;
  readonly protocolVersion: 5 | 6;
}

/** Returns calls over a connection of a provider that has announced its protocol. */
export function providerCalls(name: string, protocolVersion: number, caller: Caller): ProviderCalls {
  const { service, version } = protocols[protocolVersion === 5 ? 5 : 6];
  const client: ServiceClient<typeof service> = serviceClient(service, caller);
  return {
    name,
    protocolVersion: version,
    answerBytes: (method) => {
      const known = service.methods[method] as { readonly name: string } | undefined;
      if (known === undefined) return Promise.reject(notKnown(name, method));
      const answer = caller.unary(`/${service.fullName}/${known.name}`, NO_BYTES);
      return answer.catch((error: unknown) => {
        throw explained(name, known.name, error);
      });
    },
    call: (method, request) => {
      const send = client[method] as ((request: unknown) => Promise<never>) | undefined;
      const known = service.methods[method] as { readonly name: string } | undefined;
      if (send === undefined || known === undefined) return Promise.reject(notKnown(name, method));
      return send(request).catch((error: unknown) => {
        throw explained(name, known.name, error);
      });
    },
  };
}

function explained(name: string, method: string, error: unknown): Error {
  if (isProviderError(error) || isCairnError(error)) return error;
  if (!isStatusError(error)) {
    const fault = `${method} of ${name}: ${messageOf(error)}`;
    return new InvalidAnswerError(fault, { cause: error });
  }
  if (error.status === 'UNIMPLEMENTED') return notKnown(name, method, error);
  return new ProviderError(error.status, `provider ${name}, ${method}: ${error.message}`, { cause: error });
}

function notKnown(name: string, method: string, cause?: unknown): ProviderError {
  return new ProviderError('UNIMPLEMENTED', `provider ${name} does not have ${method} in this version`, {
    cause,
  });
}

/** Capabilities that Cairn offers to providers: write-only attributes, and no deferral [TFC-12]. */
export const CLIENT_CAPABILITIES = { deferralAllowed: false, writeOnlyAttributesAllowed: true } as const;

/** The Terraform version reported to providers, which compare it with those of Terraform. */
export const TERRAFORM_VERSION = '1.11.4';

export const NO_BYTES = new Uint8Array();
