import { generateKeyPair, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';

/** Claims of a token. */
type Claims = Readonly<Record<string, unknown>>;

interface ProviderKey {
  readonly id: string;
  readonly private: KeyObject;
  readonly published: Readonly<Record<string, unknown>>;
}

/** Provider of OpenID Connect on a socket, whose keys and answers a test controls. */
export class OidcProvider {
  readonly #server: Server;
  #keys: readonly ProviderKey[] = [];
  /** Requests by path, counted. */
  readonly asked = new Map<string, number>();
  /** Claims of the user who signs in next. */
  user: Claims = {};
  /** Requests to the endpoint of authorization and of tokens. */
  readonly authorizations: URLSearchParams[] = [];
  readonly tokenRequests: { readonly form: URLSearchParams; readonly authorization: string }[] = [];

  private constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  static async start(): Promise<OidcProvider> {
    const provider = new OidcProvider();
    await new Promise<void>((resolve) => provider.#server.listen(0, '127.0.0.1', resolve));
    await provider.rotate();
    return provider;
  }

  get issuer(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Replaces all keys by a new one. */
  async rotate(): Promise<void> {
    this.#keys = [await newKey()];
  }

  /** Returns a key that the provider does not publish. */
  static foreignKey(id: string): Promise<ProviderKey> {
    return newKey(id);
  }

  get key(): ProviderKey {
    return this.#keys[0] as ProviderKey;
  }

  /** Signs a token. Times are in seconds from now. */
  async token(
    claims: Claims,
    { key = this.key, from = -5, until = 300 }: { key?: ProviderKey; from?: number; until?: number } = {},
  ): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const times = { iat: now + from, nbf: now + from, exp: now + until };
    const head = part({ alg: 'RS256', kid: key.id });
    const signed = `${head}.${part({ iss: this.issuer, ...claims, ...times })}`;
    return `${signed}.${sign('sha256', Buffer.from(signed), key.private).toString('base64url')}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.issuer);
    this.asked.set(url.pathname, (this.asked.get(url.pathname) ?? 0) + 1);
    const json = (value: object): void => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(value));
    };
    if (url.pathname === '/.well-known/openid-configuration') return json(this.#settings());
    if (url.pathname === '/keys') return json({ keys: this.#keys.map(({ published }) => published) });
    if (url.pathname === '/authorize') {
      this.authorizations.push(url.searchParams);
      const back = new URL(url.searchParams.get('redirect_uri') ?? '');
      back.search = new URLSearchParams({
        ...{ code: `code-${this.authorizations.length}`, state: url.searchParams.get('state') ?? '' },
      }).toString();
      response.writeHead(302, { location: back.href }).end();
      return;
    }
    if (url.pathname !== '/token') return void response.writeHead(404).end();
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const form = new URLSearchParams(body);
    this.tokenRequests.push({ form, authorization: request.headers.authorization ?? '' });
    const { searchParams } = { searchParams: this.authorizations.at(-1) ?? new URLSearchParams() };
    const nonce = searchParams.get('nonce');
    const claims = { aud: searchParams.get('client_id'), ...(nonce !== null && { nonce }), ...this.user };
    json({
      access_token: 'unused',
      token_type: 'Bearer',
      expires_in: 60,
      id_token: await this.token(claims),
    });
  }

  #settings(): object {
    return {
      ...{ issuer: this.issuer, jwks_uri: `${this.issuer}/keys` },
      ...{ authorization_endpoint: `${this.issuer}/authorize`, token_endpoint: `${this.issuer}/token` },
      ...{ response_types_supported: ['code'], subject_types_supported: ['public'] },
      ...{ id_token_signing_alg_values_supported: ['RS256'], code_challenge_methods_supported: ['S256'] },
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    };
  }
}

let made = 0;

async function newKey(id = `key-${(made += 1)}`): Promise<ProviderKey> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  const published = { ...publicKey.export({ format: 'jwk' }), kid: id, alg: 'RS256', use: 'sig' };
  return { id, private: privateKey, published };
}

/** Part of a token: JSON in base64. */
function part(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
