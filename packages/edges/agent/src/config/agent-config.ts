import type { ApprovalPolicy, NoticeType, Schedule } from '@cairn/changes-daemon';

/** Program of a stack in a folder of this machine. The agent does not watch it. */
export interface DirectorySource {
  readonly t: 'directory';
  /** Absolute path. */
  readonly path: string;
}

/** Program of a stack in a git repository. */
export interface GitSource {
  readonly t: 'git';
  readonly url: string;
  /** Full name of the branch or tag: `refs/heads/main`. */
  readonly ref: string;
  /** Folder of the project in the repository; empty for its root. */
  readonly folder: string;
  /** Milliseconds between two looks for a new commit. */
  readonly everyMs: number;
  /** True if submodules are fetched as well, from `https` and `ssh` addresses only. Defaults to false. */
  readonly submodules?: boolean;
  /** Most files and bytes of a checkout. Default to {@link SOURCE_LIMITS}. */
  readonly most?: SourceLimits;
  /** Name of the variable with credentials for git, which programs do not get. Defaults to those of the machine. */
  readonly credentials?: string;
}

/** Program of a stack in an archive of a bucket. */
export interface ArchiveSource {
  readonly t: 'archive';
  /** Address of a gzipped tar or a zip file, as of a backend: `s3://bucket/path/program.tar.gz`. */
  readonly url: string;
  /** Folder of the project in the archive; `.` for its root. */
  readonly folder: string;
  /** Milliseconds between two looks for a new version. */
  readonly everyMs: number;
  /** Most files and bytes of the unpacked archive. Default to {@link SOURCE_LIMITS}. */
  readonly most?: SourceLimits;
}

/** Most files of a commit, and most bytes of a checkout with its repository. */
interface SourceLimits {
  readonly files: number;
  readonly bytes: number;
}

export const SOURCE_LIMITS: SourceLimits = { files: 100_000, bytes: 2 * 1024 ** 3 };

/** Request that a new commit makes. */
export type CommitAction = 'up' | 'preview' | 'nothing';

/** Treatment of an operation whose process died. */
export type RecoveryAction = 'resume' | 'rollback' | 'person';

/** Drift runs of a stack. */
export interface DriftSettings {
  readonly schedule: Schedule;
  /** Request that drift makes. `report` makes none. */
  readonly then: 'report' | 'up';
}

/** Time after which a stack is destroyed. */
export interface TimeToLive {
  /** Milliseconds after its first deployment by the agent. */
  readonly afterMs: number;
  /** True if the file itself approves the destroy. */
  readonly approved: boolean;
  /** True if the empty stack is removed as well. */
  readonly remove: boolean;
}

/** Kinds of forges. */
export const FORGE_KINDS = ['github', 'gitlab', 'forgejo'] as const;

export type ForgeKind = (typeof FORGE_KINDS)[number];

/** Repository on a forge whose pull requests the agent looks after. */
export interface ForgeSettings {
  /** Name in the file of the agent, and in the path of its webhook. */
  readonly name: string;
  readonly kind: ForgeKind;
  /** Address of the API. */
  readonly api: string;
  /** `owner/name`. */
  readonly repository: string;
  /** Names of the variables of the agent's environment with the token, and with the secret of the webhook. */
  readonly token: string;
  readonly secret: string;
}

/** Treatment of pull requests that touch a stack. */
export interface PullSettings {
  /** Name of the forge. */
  readonly forge: string;
  /** True if each pull request has a stack of its own, a copy of this one. */
  readonly review: boolean;
}

/** Types of notices that are sent to targets. Clients that poll see other types as well. */
export const SENT_TYPES = [
  'drift-found',
  'approval-wanted',
  'run-failed',
  'afterwards-failed',
  'run-held',
  'run-recovered',
  'source-failed',
  'forge-failed',
  'agent-lost',
] as const satisfies readonly NoticeType[];

export type SentType = (typeof SENT_TYPES)[number];

/** Target of notices. `address` is the name of the variable that has it. */
export type NoticeTarget = {
  readonly name: string;
  readonly address: string;
  /** Defaults to every type. */
  readonly types?: readonly SentType[];
} & (
  | {
      readonly kind: 'webhook' | 'slack';
      /** Name of the variable with the secret of the signature. */
      readonly secret?: string;
      /** Person to whom an approval by a link counts. Defaults to no links. */
      readonly links?: string;
    }
  | {
      readonly kind: 'mail';
      readonly from: string;
      readonly recipients: readonly string[];
      /** People to whom approvals by links count, by their address. Defaults to no links. */
      readonly links?: ReadonlyMap<string, string>;
    }
);

/** Settings of approval links. */
export interface LinkSettings {
  /** Address at which people reach the listener of the agent. */
  readonly address: string;
  /** Milliseconds for which a link is valid. */
  readonly validMs: number;
}

/** Settings of the containers in which commands of a stack run. */
export interface ContainerSettings {
  /** Name or absolute path of the command that runs containers: `docker`, `podman`. */
  readonly command: string;
  /** Image that has the command `cairn`. */
  readonly image: string;
  /** Name of the network. Defaults to the one that the command chooses. */
  readonly network?: string;
  /** Numbers of the user and the group: `1000:1000`. Default to those of the agent. */
  readonly user?: string;
  /** True if the home stays from one command to the next, in the folder of the agent. */
  readonly keepsHome: boolean;
  /** Absolute paths of further folders that are mounted at the same path. */
  readonly mounts: readonly string[];
}

/** Settings of the jobs of a cluster in which parts of runs of a stack run. */
export interface ClusterSettings {
  /** Image that has the command `cairn`. */
  readonly image: string;
  /** Absolute path of the file with access to the cluster. Defaults to the service account of the agent's pod. */
  readonly kubeconfig?: string;
  /** Context in that file. Defaults to its current one. */
  readonly context?: string;
  /** Defaults to the namespace of the context, or of the agent's pod. */
  readonly namespace?: string;
  /** Service account of the pods. Defaults to the one of the namespace. */
  readonly serviceAccount?: string;
  /** Secret for pulls of the image. Defaults to none. */
  readonly pullSecret?: string;
  /** Numbers of the user and the group of the pods. */
  readonly user: { readonly uid: number; readonly gid: number };
}

/** Settings of one stack. */
export interface AgentStack {
  /** Name in commands and records of the agent. */
  readonly name: string;
  /** Reference of the stack, as `--stack` takes it. */
  readonly stack: string;
  /** Address of the backend. Defaults to the one of the agent's environment. */
  readonly backend: string | undefined;
  readonly source: DirectorySource | GitSource | ArchiveSource;
  /** Commands that run in the project before each operation. */
  readonly before: readonly (readonly string[])[];
  /** Commands that run in the project after the operation of a run. Their results change nothing. */
  readonly afterwards: readonly (readonly string[])[];
  /** Folders of policy packs that updates run, absolute or relative to the project. Defaults to none. */
  readonly packs?: readonly string[];
  /** Names of variables of the agent's environment that its processes receive. */
  readonly environment: readonly string[];
  readonly onCommit: CommitAction;
  readonly up: Schedule | undefined;
  readonly drift: DriftSettings | undefined;
  readonly policy: ApprovalPolicy;
  readonly recovery: RecoveryAction;
  readonly timeToLive: TimeToLive | undefined;
  /** Names of stacks whose `up` comes first. */
  readonly after: readonly string[];
  readonly limits: RunLimits;
  /** Containers in which its commands run. Defaults to none: they are processes of this machine. */
  readonly container?: ContainerSettings | undefined;
  /** Cluster in which parts of its runs run. Defaults to none. */
  readonly cluster?: ClusterSettings | undefined;
  /** Defaults to none: pull requests are not looked at. */
  readonly pulls?: PullSettings | undefined;
  /** Reference of the stack whose configuration this one copies. Defaults to none. */
  readonly copies?: string;
  /** True for a copy that the service makes. Defaults to false: its first plan makes it. */
  readonly isMade?: true;
}

/** Limits of one command of a run. */
export interface RunLimits {
  readonly timeMs: number;
  readonly outputBytes: number;
  /** Bytes of memory. Defaults to no limit. */
  readonly memoryBytes?: number;
  /** Number of processors. Defaults to no limit. */
  readonly processors?: number;
  /** Number of processes and threads. Defaults to no limit. */
  readonly processes?: number;
  /** Bytes of disk in the temporary folder of the run. Defaults to no limit. */
  readonly diskBytes?: number;
}

/** Contents of the agent's file. */
export interface AgentConfig {
  readonly file: string;
  /** Absolute path of the folder that the agent keeps. */
  readonly folder: string;
  /** Name of the agent in records. */
  readonly name: string;
  /** Number of runs at a time. */
  readonly places: number;
  readonly stacks: readonly AgentStack[];
  /** Defaults to none. */
  readonly forges?: readonly ForgeSettings[];
  /** Defaults to none. */
  readonly notify?: readonly NoticeTarget[];
  /** Defaults to none: notices have no links that approve. */
  readonly links?: LinkSettings | undefined;
  /** Networks that notices may be sent to although they are not public. Defaults to none. */
  readonly networks?: readonly string[];
}
