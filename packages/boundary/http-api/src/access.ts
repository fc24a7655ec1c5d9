import * as v from 'valibot';

/** Logins, and names of organizations and teams: clients refuse names of fewer than 3 characters. */
export const Login = v.pipe(
  v.string(),
  v.regex(/^[a-zA-Z0-9][a-zA-Z0-9_-]{1,38}[a-zA-Z0-9]$/, 'has to have 3 to 40 letters, digits, "-" or "_"'),
);

/** Role on stacks or in an organization, each with the rights of the one before it. */
export const AccessRoles = v.picklist(['reader', 'writer', 'admin'], 'is not reader, writer or admin');

/** Id of a role: `reader`, `writer`, `admin`, or that of a role of the organization. */
const RoleId = v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,40}$/, 'is no id of a role'));

/** Role of a member. `none`: the member has the roles of grants only. */
const MemberRole = RoleId;

/** Request of a new role. Its details say what it permits; see `permissionsIn`. */
export const CreateRoleRequest = v.object({
  name: v.pipe(v.string(), v.nonEmpty('is empty'), v.maxLength(100, 'is longer than 100 characters')),
  description: v.optional(v.pipe(v.string(), v.maxLength(1000, 'is longer than 1000 characters')), ''),
  uxPurpose: v.optional(v.pipe(v.string(), v.maxLength(40, 'is longer than 40 characters')), ''),
  resourceType: v.optional(v.picklist(['', 'organization', 'global', 'stack'], 'is not stack or global'), ''),
  details: v.unknown(),
});

/** Request that changes a role. */
export const ChangeRoleRequest = v.pick(CreateRoleRequest, ['name', 'description', 'details']);

const Label = v.pipe(v.string(), v.nonEmpty('is empty'), v.maxLength(100, 'is longer than 100 characters'));

/** Pattern of stacks: `PROJECT/STACK`, or `PROJECT` for all of its stacks. `*` is any text in one of the names. */
const StackPattern = v.pipe(
  v.string(),
  v.regex(
    /^[a-zA-Z0-9_.*-]{1,100}(?:\/[a-zA-Z0-9_.*-]{1,100})?$/,
    'is not PROJECT/STACK with "*" for any text',
  ),
);

/** Pattern of a tag: `NAME`, or `NAME=VALUE` with `*` for any text in the value. */
const TagPattern = v.pipe(
  v.string(),
  v.regex(/^[a-zA-Z0-9_.:-]{1,40}(?:=.{0,256})?$/s, 'is not NAME or NAME=VALUE'),
);

/** Holder of a grant. */
const GranteeName = v.pipe(
  v.string(),
  v.regex(/^(?:user|team):[a-zA-Z0-9][a-zA-Z0-9_-]{1,38}[a-zA-Z0-9]$/, 'is not user:LOGIN or team:NAME'),
  v.transform((text) => text as `user:${string}` | `team:${string}`),
);

/** Request of a new organization. */
export const CreateOrganizationRequest = v.object({ name: Login });

/** Request that adds a member. */
export const AddMemberRequest = v.object({ role: v.optional(MemberRole, 'reader') });

/** Request that changes the role of a member. `member` is the reader of other clients. */
export const ChangeMemberRequest = v.object({
  role: v.nullish(v.picklist(['admin', 'member'], 'is not admin or member')),
  fgaRoleId: v.nullish(MemberRole),
});

/** Request of a new team. */
export const CreateTeamRequest = v.object({ name: Login, members: v.optional(v.array(Login), []) });

/** Request that adds a member to a team, or removes one. */
export const ChangeTeamRequest = v.object({ memberAction: v.picklist(['add', 'remove']), member: Login });

/** Request of a grant: a role on all stacks, or on those that a pattern or a tag matches. */
export const CreateGrantRequest = v.object({
  to: GranteeName,
  role: RoleId,
  stacks: v.optional(StackPattern),
  tag: v.optional(TagPattern),
});

/** Request of a trust in the tokens of an issuer. */
export const CreateTrustRequest = v.object({
  name: Label,
  issuer: v.pipe(v.string(), v.url('is no address'), v.startsWith('http', 'is no http address')),
  audience: v.optional(v.pipe(v.string(), v.nonEmpty('is empty'))),
  claims: v.pipe(
    v.record(v.string(), v.pipe(v.string(), v.nonEmpty('is empty'))),
    v.check((claims) => Object.keys(claims).length > 0, 'needs a pattern for at least one claim'),
  ),
  to: v.optional(v.union([v.literal('organization'), GranteeName]), 'organization'),
  role: v.optional(AccessRoles, 'writer'),
  stacks: v.optional(v.array(StackPattern)),
  minutes: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(24 * 60)), 60),
});

/** Request of a token. `expires` is in seconds since 1970; 0 is never. */
export const CreateTokenRequest = v.object({
  name: Label,
  expires: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), 0),
  role: v.optional(AccessRoles),
  stacks: v.optional(v.array(StackPattern)),
});

/** Role of an organization, or of the service. Times are RFC 3339. */
export interface RoleAnswer {
  readonly id: string;
  readonly orgId: string;
  readonly name: string;
  readonly description?: string;
  readonly resourceType: string;
  readonly uxPurpose: string;
  readonly defaultIdentifier?: string;
  readonly details?: unknown;
  readonly version: number;
  readonly isOrgDefault: boolean;
  readonly created: string;
  readonly modified: string;
}

/** Answer to a new token: the only place where it is shown. */
export interface CreatedTokenAnswer {
  readonly id: string;
  readonly name: string;
  readonly tokenValue: string;
}

/** Token in a list. `lastUsed` and `expires` are in seconds since 1970; 0 is never. */
export interface TokenAnswer {
  readonly id: string;
  readonly name: string;
  readonly kind: 'personal' | 'team' | 'organization';
  readonly team?: string;
  readonly role: string;
  readonly stacks: readonly string[];
  readonly created: string;
  readonly createdBy: string;
  readonly lastUsed: number;
  readonly expires: number;
}

/** Page of tokens, newest first. Without a token to continue there are no more. */
export interface TokensAnswer {
  readonly tokens: readonly TokenAnswer[];
  readonly continuationToken?: string;
}

/** User as other messages name one. */
export interface UserInfoAnswer {
  readonly name: string;
  readonly githubLogin: string;
  readonly avatarUrl: string;
}

/** Member of an organization. */
export interface MemberAnswer {
  readonly role: 'admin' | 'member';
  readonly user: UserInfoAnswer;
  readonly created: string;
  readonly knownToPulumi: boolean;
  readonly virtualAdmin: boolean;
  readonly fgaRole: { readonly id: string; readonly name: string; readonly modifiedAt: string };
}

/** Row of the audit log. `timestamp` is in seconds since 1970. */
export interface AuditLogEvent {
  readonly timestamp: number;
  readonly event: string;
  readonly description: string;
  readonly user: UserInfoAnswer;
  readonly sourceIP: string;
  readonly tokenID?: string;
  readonly tokenName?: string;
}

/** Answer to the exchange of a token, as RFC 8693 has it. */
export interface ExchangeAnswer {
  readonly access_token: string;
  readonly issued_token_type: string;
  readonly token_type: 'token';
  readonly expires_in: number;
  readonly scope: string;
}

/** Answer to the exchange of a token, as a client reads it. */
export const ExchangedBody = v.object({
  access_token: v.pipe(v.string(), v.nonEmpty()),
  expires_in: v.optional(v.number()),
});

/** Texts of the exchange of tokens that both ends use. */
export const EXCHANGE = {
  grantType: 'urn:ietf:params:oauth:grant-type:token-exchange',
  subjectTokenType: 'urn:ietf:params:oauth:token-type:id_token',
  audiencePrefix: 'urn:pulumi:org:',
  tokenTypePrefix: 'urn:pulumi:token-type:access_token:',
} as const;
