import { createVerify, generateKeyPairSync, randomBytes } from 'node:crypto';
import type { KeyPairKeyObjectResult } from 'node:crypto';
import type { ServerReply, ServerRequest } from '../http-server.js';

/** How long a token made here is good, in seconds. */
const TOKEN_SECONDS = 3600;

/** Who may come in: a token handed out at the start, and those that a service account gets for assertions it signed. */
export class GcsIdentity {
  private pair: KeyPairKeyObjectResult | undefined;
  private readonly tokens = new Set<string>();
  readonly email = 'cairn@test-project.iam.gserviceaccount.com';

  /** Made when somebody asks for it, because it takes a while. */
  private get keys(): KeyPairKeyObjectResult {
    this.pair ??= generateKeyPairSync('rsa', { modulusLength: 2048 });
    return this.pair;
  }

  /** A token that is good from now on. */
  issue(): string {
    const token = `ya29.${randomBytes(24).toString('base64url')}`;
    this.tokens.add(token);
    return token;
  }

  /** Every token handed out so far becomes worthless. */
  expireAll(): void {
    this.tokens.clear();
  }

  admits({ headers }: ServerRequest): boolean {
    const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
    return token !== undefined && this.tokens.has(token);
  }

  /** Text of a key file, as `gcloud iam service-accounts keys create` writes it; `origin`: of this server. */
  keyFile(origin: string): string {
    return JSON.stringify({
      type: 'service_account',
      project_id: 'test-project',
      private_key_id: 'test-key',
      private_key: this.keys.privateKey.export({ type: 'pkcs8', format: 'pem' }),
      client_email: this.email,
      client_id: '1',
      token_uri: `${origin}/token`,
    });
  }

  /** `POST /token`: a signed assertion for a token (RFC 7523). */
  exchange({ body }: ServerRequest): ServerReply {
    const form = new URLSearchParams(body.toString('utf8'));
    const [head, claims, signature] = (form.get('assertion') ?? '').split('.');
    const signed = createVerify('RSA-SHA256').update(`${head}.${claims}`);
    const good = signed.verify(this.keys.publicKey, Buffer.from(signature ?? '', 'base64url'));
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    if (!good) {
      const error = { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' };
      return { status: 400, headers, body: JSON.stringify(error) };
    }
    const answer = { access_token: this.issue(), expires_in: TOKEN_SECONDS, token_type: 'Bearer' };
    return { status: 200, headers, body: JSON.stringify(answer) };
  }
}
