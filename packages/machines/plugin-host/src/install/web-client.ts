/** Request over HTTP. */
export interface WebRequest {
  readonly url: string;
  readonly accept?: string | undefined;
  readonly authorization?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Error of a request: a response that is not a success, or no response. */
export class WebFailure extends Error {
  constructor(
    message: string,
    /** Undefined if there was no response. */
    readonly status: number | undefined,
    readonly headers: Headers | undefined,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Makes requests. Rejects with {@link WebFailure} unless the response is a success. */
export type WebClient = (request: WebRequest) => Promise<Response>;

type Environment = Readonly<Record<string, string | undefined>>;

/** Returns a client that goes through the proxies that the environment names. */
export function webClient(environment: Environment, version: string): WebClient {
  let dispatcher: Promise<unknown> | undefined;
  return async ({ url, accept, authorization, signal }) => {
    const init = {
      headers: {
        'user-agent': `cairn/${version} (${process.platform})`,
        // An archive is taken as it is sent: its checksum is that of the bytes sent.
        'accept-encoding': 'identity',
        ...(accept === undefined ? {} : { accept }),
        ...(authorization === undefined ? {} : { authorization }),
      },
      ...(signal === undefined ? {} : { signal }),
    };
    const response = await ask(url, init, await (dispatcher ??= proxies(environment))).catch(
      (error: unknown) => {
        throw new WebFailure(`cannot reach ${url}: ${reason(error)}`, undefined, undefined, { cause: error });
      },
    );
    if (response.ok) return response;
    await response.body?.cancel();
    throw new WebFailure(
      `${response.status} HTTP error fetching plugin from ${url}`,
      response.status,
      response.headers,
    );
  };
}

async function ask(url: string, init: RequestInit, dispatcher: unknown): Promise<Response> {
  if (dispatcher === undefined) return fetch(url, init);
  const undici = await import('undici');
  const through = { ...init, dispatcher } as unknown as Parameters<typeof undici.fetch>[1];
  return (await undici.fetch(url, through)) as unknown as Response;
}

/** Returns undefined if no proxy is named. */
async function proxies(environment: Environment): Promise<unknown> {
  const named = (name: string) => environment[name.toLowerCase()] || environment[name] || undefined;
  const [httpProxy, httpsProxy, noProxy] = [named('HTTP_PROXY'), named('HTTPS_PROXY'), named('NO_PROXY')];
  if (httpProxy === undefined && httpsProxy === undefined) return undefined;
  const { EnvHttpProxyAgent } = await import('undici');
  return new EnvHttpProxyAgent({
    ...(httpProxy === undefined ? {} : { httpProxy }),
    ...(httpsProxy === undefined ? {} : { httpsProxy }),
    noProxy: noProxy ?? '',
  });
}

/** Returns the reason of a failure. The network's own words are in the cause. */
function reason(error: unknown): string {
  const { message, cause } = error as { message?: unknown; cause?: { message?: unknown } };
  return String(cause?.message ?? message ?? error);
}
