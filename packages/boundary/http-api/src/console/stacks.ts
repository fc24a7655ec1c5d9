import type { LostStateMark } from '../stacks.js';
import type { ConsoleChangeRow } from './changes.js';

/** Stack in the list of the console. Times are in seconds since 1970. */
export interface ConsoleStackRow {
  readonly org: string;
  readonly project: string;
  readonly stack: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly resources?: number;
  readonly running: boolean;
  /** Newest operation of the history. */
  readonly last?: { readonly kind: string; readonly result: string; readonly endTime: number };
  /** Number of steps in doubt. */
  readonly inDoubt: number;
  /** Number of steps that wait for an approval. */
  readonly approvals?: number;
  /** Number of resources that the newest look for drift found to differ, and its time. */
  readonly drift?: { readonly resources: number; readonly at: number };
  /** Number of clients that wait for the stack. */
  readonly waiting?: number;
  /** Holder of the lock of the stack, if it is a tool that works on the bucket itself, or a person. */
  readonly holder?: string;
  readonly lostState?: LostStateMark;
}

/** Answer with a page of stacks. Without a token there are no more. */
export interface ConsoleStacksAnswer {
  readonly stacks: readonly ConsoleStackRow[];
  readonly next: string | null;
}

/** Step that was begun and whose end is not known. */
export interface ConsoleDoubt {
  /** Name of the step in commands. */
  readonly name: string;
  readonly type: string;
  readonly urn: string;
  /** Id of its object, if it had one. */
  readonly id?: string;
  /** Number of the change that began it, and its task, if their records are kept. */
  readonly change?: number;
  readonly task?: string;
  /** RFC 3339. */
  readonly since?: string;
  /** Text of the record that left it in doubt. */
  readonly reason?: string;
  /** True if the provider has named the work, so that its end can be asked for. */
  readonly isNamed?: true;
  /** Answers that were given, oldest first. */
  readonly answers: readonly { readonly by: string; readonly answer: unknown }[];
}

/** Answer about one stack. */
export interface ConsoleStackAnswer {
  readonly org: string;
  readonly project: string;
  readonly stack: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly version: number;
  readonly resources: number;
  /** Outputs of the program, without the values of secrets. */
  readonly outputs: unknown;
  /** Keys of the configuration of the newest operation, and whether each is secret. */
  readonly config: readonly { readonly key: string; readonly secret: boolean; readonly value?: string }[];
  readonly running?: {
    readonly update: string;
    readonly kind: string;
    readonly by: string;
    readonly since: number;
  };
  /** Newest first. */
  readonly changes: readonly ConsoleChangeRow[];
  readonly doubts: readonly ConsoleDoubt[];
  /** Reason why the state fails the integrity check. */
  readonly integrity?: string;
  readonly lostState?: LostStateMark;
  /** Role of the caller. */
  readonly role: string;
  /** True if this process can resume and roll back changes itself, and need not be given a terminal. */
  readonly continues: boolean;
}
