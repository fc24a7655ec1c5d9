import * as v from 'valibot';
import { Login } from './access.js';
import { CHANGES_CAPABILITY } from './changes.js';
import { QUEUE_CAPABILITY } from './queue.js';

/** Answer of `GET /api/capabilities`. */
export const CAPABILITIES = {
  capabilities: [
    { capability: 'batch-encrypt' },
    { capability: 'deployment-schema-version', version: 1, configuration: { version: 4 } },
    { capability: CHANGES_CAPABILITY },
    { capability: QUEUE_CAPABILITY },
  ],
} as const;

/** Answer of `GET /api/user`. */
export interface UserAnswer {
  readonly id: string;
  readonly githubLogin: string;
  readonly name: string;
  readonly email: string;
  readonly avatarUrl: string;
  readonly organizations: readonly {
    readonly githubLogin: string;
    readonly name: string;
    readonly avatarUrl: string;
  }[];
  readonly identities: readonly string[];
  readonly siteAdmin: boolean;
  readonly tokenInfo: { readonly name: string; readonly organization?: string; readonly team?: string };
}

/** Answer of `GET /api/user/organizations/default`. The keys are in this case on the wire. */
export interface DefaultOrganizationAnswer {
  readonly GitHubLogin: string;
  readonly Messages: readonly string[];
}

/** Request of the first administrator. */
export const SetupRequest = v.object({ user: v.optional(Login, 'admin') });

/** Answer to the first administrator: the only place where the token is shown. */
export interface SetupAnswer {
  readonly user: string;
  readonly token: string;
}
