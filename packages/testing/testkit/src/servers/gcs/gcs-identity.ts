import { randomBytes } from 'node:crypto';
import type { ServerReply, ServerRequest } from '../http-server.js';

/** Lifetime of a token, in seconds. */
const TOKEN_SECONDS = 3600;

/** Valid tokens: one issued at the start, and those that a workload gets for its own token. */
export class GcsIdentity {
  readonly #tokens = new Set<string>();
  /** Token that a workload exchanges for an access token, as its platform would write it to a file. */
  readonly workloadToken = randomBytes(24).toString('base64url');

  /** Returns a token that is valid from then on. */
  issue(): string {
    const token = `ya29.${randomBytes(24).toString('base64url')}`;
    this.#tokens.add(token);
    return token;
  }

  /** Makes every issued token invalid. */
  expireAll(): void {
    this.#tokens.clear();
  }

  admits({ headers }: ServerRequest): boolean {
    const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
    return token !== undefined && this.#tokens.has(token);
  }

  /**
   * Returns the text of a credentials file for workload identity federation. `origin` is that of this server,
   * `tokenFile` the file of the workload's token. (A service account's key cannot be used: the vendor's library
   * requests its tokens from one address only, regardless of the file.)
   */
  credentialsFile(origin: string, tokenFile: string): string {
    return JSON.stringify({
      type: 'external_account',
      audience: '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/pool/providers/test',
      subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
      token_url: `${origin}/token`,
      credential_source: { file: tokenFile },
    });
  }

  /** Answers `POST /token`: exchanges the workload's token for an access token of this server (RFC 8693). */
  exchange({ body }: ServerRequest): ServerReply {
    const form = new URLSearchParams(body.toString('utf8'));
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    if (form.get('subject_token') !== this.workloadToken) {
      const error = { error: 'invalid_grant', error_description: 'The workload is not known.' };
      return { status: 400, headers, body: JSON.stringify(error) };
    }
    const answer = {
      access_token: this.issue(),
      issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      expires_in: TOKEN_SECONDS,
      token_type: 'Bearer',
    };
    return { status: 200, headers, body: JSON.stringify(answer) };
  }
}
