import * as v from 'valibot';

/** Operations that clients ask agents for, with the kind of the request that each becomes. */
export const DEPLOYMENT_OPERATIONS = {
  update: 'up',
  preview: 'preview',
  destroy: 'destroy',
  refresh: 'refresh',
  'detect-drift': 'drift',
  'remediate-drift': 'up',
} as const;

/** Operation that clients ask agents for. */
export type DeploymentOperation = keyof typeof DEPLOYMENT_OPERATIONS;

const Operation = v.picklist(
  Object.keys(DEPLOYMENT_OPERATIONS) as DeploymentOperation[],
  `is not one of ${Object.keys(DEPLOYMENT_OPERATIONS).join(', ')}`,
);

/** Object of any members. Texts in it may be secrets; see `secretTextIn`. */
const Members = v.record(v.string(), v.unknown());

/** Settings of deployments, or a change of them: `null` removes a member. */
export const ChangeSettingsRequest = Members;

/** Longest name of an agent or a pool. */
const AgentName = v.pipe(
  v.string(),
  v.regex(/^[\w.@-]{1,100}$/, 'is not up to 100 letters, digits or "._@-"'),
);
const Commit = v.pipe(v.string(), v.regex(/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/, 'is no full id of a commit'));

/** Pattern of the address of a pull request. */
export const PULL_PAGE = /^https:\/\/[!-~]{1,2000}$/;

/** Name of a person at a forge, such as `hub:ada`. */
const ForgeMember = v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,31}:[^\s:]{1,100}$/, 'is no FORGE:LOGIN'));

/** Request of a deployment. Members beside the first ones are settings. */
export const CreateDeploymentRequest = v.looseObject({
  operation: v.optional(Operation, 'update'),
  inheritSettings: v.optional(v.boolean(), true),
  agentPoolID: v.nullish(v.string()),
  /**
   * Our own members: the commit and the look at the real objects that a person asked for, and the name of the pull
   * request that it is for, with the address of its page. With `review` it is an operation of the review stack of that
   * pull request: an update makes the stack, a destroy ends it. `author` is the person at the forge who asked.
   */
  cairn: v.nullish(
    v.looseObject({
      commit: v.nullish(Commit),
      refresh: v.nullish(v.boolean()),
      review: v.nullish(v.boolean()),
      pull: v.nullish(
        v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,31}\/\d{1,9}$/, 'is no name of a pull request')),
      ),
      pullPage: v.nullish(v.pipe(v.string(), v.regex(PULL_PAGE, 'is no https address of a pull request'))),
      author: v.nullish(ForgeMember),
    }),
  ),
});

const Cron = v.pipe(v.string(), v.maxLength(200, 'is longer than 200 characters'));
const Instant = v.pipe(
  v.string(),
  v.check((text) => /^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(Date.parse(text)), 'is no RFC 3339 time'),
);

/** Our own members of a schedule: the zone of its clock, and the longest delay of a time, such as `10m`. */
const CronClock = v.nullish(
  v.object({ zone: v.nullish(v.string()), jitter: v.nullish(v.pipe(v.string(), v.maxLength(30))) }),
);

/** Request of a schedule of an operation, for once or again and again. */
export const ScheduleRequest = v.object({
  scheduleCron: v.nullish(Cron),
  scheduleOnce: v.nullish(Instant),
  cairn: CronClock,
  request: v.looseObject({ operation: v.optional(Operation, 'update') }),
});

/** Request of a schedule of looks for drift. */
export const DriftScheduleRequest = v.object({
  scheduleCron: Cron,
  cairn: CronClock,
  autoRemediate: v.optional(v.boolean(), false),
});

/** Request of the time at which a stack is destroyed. */
export const TtlScheduleRequest = v.object({
  timestamp: Instant,
  deleteAfterDestroy: v.optional(v.boolean(), false),
});

/** Approval of a deployment that waits: of this plan, this state and this commit. */
export const ApproveRequest = v.object({
  digest: v.string(),
  base: v.string(),
  commit: v.nullish(v.string()),
  /** Our own member: the person at a forge who approves in a comment. */
  cairn: v.nullish(v.object({ comment: ForgeMember })),
});

export const DenyRequest = v.object({ reason: v.nullish(v.pipe(v.string(), v.maxLength(1000))) });

/** Time for which a run belongs to its agent after each call about it, in seconds. */
export const RUN_LEASE_SECONDS = 30;

/** Longest time for which a call for a run, or for notices, waits. In seconds. */
export const LONGEST_WAIT_SECONDS = 25;

/** Request of an agent for a run. */
export const ClaimRequest = v.object({
  agent: AgentName,
  pool: v.nullish(AgentName),
  /** Seconds to wait for a run. */
  wait: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(LONGEST_WAIT_SECONDS)), 0),
  /** False for an agent that only says that it is there. */
  free: v.optional(v.boolean(), true),
  /** True for an agent that also looks for new commits of stacks. */
  looks: v.optional(v.boolean(), false),
  /** True for the first call of an agent: what was asked of the one before with its name is over. */
  starts: v.optional(v.boolean(), false),
  /** True for the last call of an agent, which ends by itself: it is not missed. */
  ends: v.optional(v.boolean(), false),
});

const LogLine = v.object({
  header: v.nullish(v.string()),
  timestamp: v.nullish(v.string()),
  line: v.nullish(v.string()),
});

/** Report of the agent that has a run. It renews the lease of the run, or ends it. */
export const AttendRequest = v.object({
  agent: AgentName,
  fence: v.number(),
  /** Rows of the run, in the order in which it had them. */
  rows: v.optional(v.array(Members), []),
  drift: v.nullish(Members),
  lines: v.optional(v.array(LogLine), []),
  notices: v.optional(
    v.array(v.object({ type: v.string(), key: v.string(), data: v.record(v.string(), v.string()) })),
    [],
  ),
  /** Saved plan that the run has made, for the agent that applies it. */
  plan: v.nullish(v.string()),
  /** True if another agent may take the run: it rests, or this agent ends. */
  release: v.optional(v.boolean(), false),
});

/** Answer to a report. `cancel` is the reason why the run has to end, if it has to. */
export interface AttendAnswer {
  readonly cancel?: string;
}

/** Report of the agent that looks for the newest commit of a stack. One without a result renews its lease. */
export const LookRequest = v.object({
  agent: AgentName,
  fence: v.number(),
  /** Newest commit of the source, and the tree of the stack's folder in it. */
  head: v.nullish(v.object({ commit: Commit, tree: v.pipe(v.string(), v.maxLength(100)) })),
  /** Reason why the source cannot be read. */
  why: v.nullish(v.pipe(v.string(), v.maxLength(10_000))),
});

/** Answer to a report about a source. `deployment` is the one that the commit has asked for. */
export interface LookAnswer {
  readonly deployment?: string;
}

/** Life of an OpenID Connect token of a run, in seconds. */
export const RUN_TOKEN_SECONDS = 600;

/** Request of an OpenID Connect token for a run. The audience defaults to the address of the service. */
export const RunTokenRequest = v.object({
  fence: v.number(),
  audience: v.nullish(
    v.pipe(v.string(), v.regex(/^[!-~]{1,255}$/, 'is not 1 to 255 printable characters without spaces')),
  ),
});

/** OpenID Connect token of a run. */
export const RunTokenBody = v.object({
  token: v.string(),
  /** Life of the token, in seconds. */
  expiresIn: v.number(),
});

/** Answer to an agent: a run or a look for it, or only what it has to know. */
export const ClaimBody = v.object({
  /** True if the agent shall begin nothing more. */
  drain: v.optional(v.boolean(), false),
  run: v.nullish(
    v.object({
      deployment: v.string(),
      organization: v.string(),
      project: v.string(),
      stack: v.string(),
      operation: v.string(),
      fence: v.number(),
      row: Members,
      settings: Members,
      /** Token for the processes of the run: it is valid for this stack only, and ends with the run. */
      token: v.string(),
      /** Saved plan that an agent has made for the run. */
      plan: v.nullish(v.string()),
      /** Stack whose configuration the program has, for the run of a review stack of it. */
      copies: v.nullish(v.string()),
    }),
  ),
  /** Stack whose newest commit the agent shall look for. */
  look: v.nullish(
    v.object({
      organization: v.string(),
      project: v.string(),
      stack: v.string(),
      fence: v.number(),
      settings: Members,
    }),
  ),
});

/** Stack whose newest commit an agent looks for. */
export type ClaimedLook = NonNullable<v.InferOutput<typeof ClaimBody>['look']>;

/** Run that an agent has. */
export type ClaimedRun = NonNullable<v.InferOutput<typeof ClaimBody>['run']>;

/** Status of a deployment as other clients know it. */
export type DeploymentStatus = 'not-started' | 'running' | 'succeeded' | 'failed' | 'skipped';

/** Deployment in lists. Times are RFC 3339. */
export interface DeploymentAnswer {
  readonly id: string;
  readonly created: string;
  readonly modified: string;
  readonly status: DeploymentStatus;
  readonly version: number;
  readonly requestedBy: { readonly name: string; readonly githubLogin: string; readonly avatarUrl: string };
  readonly pulumiOperation: DeploymentOperation;
  readonly projectName: string;
  readonly stackName: string;
  readonly initiator: string;
  readonly paused: boolean;
  readonly agentPool?: string;
  readonly updates: readonly DeployedUpdate[];
  readonly jobs: readonly {
    readonly status: DeploymentStatus;
    readonly started: string;
    readonly lastUpdated: string;
    readonly steps: readonly {
      readonly name: string;
      readonly status: DeploymentStatus;
      readonly started: string;
      readonly lastUpdated: string;
    }[];
  }[];
  /** Our own member: the run as agents know it, and for what it waits. */
  readonly cairn: {
    readonly run: object | null;
    readonly waitsFor?: string;
    /** Agent that has the run, or the last one that had it. */
    readonly agent?: string;
    /** Address of its page in the console, if the service knows its own. */
    readonly consoleUrl?: string;
  };
}

/** Update that a deployment made. Times are in seconds since 1970. */
export interface DeployedUpdate {
  readonly id: string;
  readonly updateID: string;
  readonly version: number;
  readonly latestVersion: number;
  readonly kind: string;
  readonly message: string;
  readonly result: string;
  readonly startTime: number;
  readonly endTime: number;
  readonly environment: Readonly<Record<string, string>>;
  /** Our own member: the number of its change, or that it is a preview. Undefined for clients without changes. */
  readonly cairn?: { readonly change?: number; readonly preview?: true };
}

/** Schedule in lists. Times are RFC 3339. */
export interface ScheduleAnswer {
  readonly id: string;
  readonly orgID: string;
  readonly scheduleCron?: string;
  readonly scheduleOnce?: string;
  readonly nextExecution?: string;
  readonly paused: boolean;
  readonly kind: 'deployment';
  readonly definition: object;
  readonly created: string;
  readonly modified: string;
  readonly lastExecuted?: string;
  /** Our own member: the zone and the longest delay, if they were given. */
  readonly cairn?: { readonly zone?: string; readonly jitter?: string };
}

/** Object that differs from what its stack has recorded. */
interface DriftedObject {
  readonly urn: string;
  readonly type: string;
  /** `update`: it differs. `delete`: it is gone. */
  readonly kind: string;
  readonly keys: readonly string[];
  /** Messages of its provider, such as who changed it. */
  readonly says?: readonly string[];
  /** RFC 3339 time of the look that first found it. */
  readonly since: string;
}

/** Look for drift in lists. */
export interface DriftRunAnswer {
  readonly id: string;
  readonly created: string;
  readonly status: 'in-progress' | 'succeeded' | 'failed';
  readonly driftDetected: boolean;
  readonly deploymentId?: string;
  readonly deploymentVersion?: number;
  readonly detectUpdate?: {
    readonly updateId: string;
    readonly resourceChanges?: Readonly<Record<string, number>>;
    readonly modified: string;
    readonly status: string;
  };
  /** Our own member: the objects that differ, if the client has sent them. */
  readonly cairn?: { readonly resources: readonly DriftedObject[] };
}

/** Notice as the agents of a service leave it. Times are RFC 3339. */
export const NoticesBody = v.object({
  notices: v.array(
    v.object({
      type: v.string(),
      key: v.string(),
      occurrences: v.number(),
      'first-occurred': v.string(),
      'last-repeated': v.string(),
      'last-data': v.optional(v.record(v.string(), v.string())),
      /** Person who has seen it, and when. A notice that is repeated later is new again. */
      acknowledged: v.optional(v.object({ by: v.string(), at: v.string() })),
    }),
  ),
});

/** Request that says that a person has seen a notice. */
export const AcknowledgeRequest = v.object({ type: v.string(), key: v.string() });

/** Agents of an organization. */
export const AgentsBody = v.object({
  agents: v.array(
    v.object({ name: v.string(), pool: v.nullish(v.string()), seen: v.string(), alive: v.boolean() }),
  ),
});
