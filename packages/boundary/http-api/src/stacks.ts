import * as v from 'valibot';

/** Names of stacks and projects: one segment of a path and of a key. */
export const Name = v.pipe(
  v.string(),
  v.regex(/^(?!\.{1,2}$)[a-zA-Z0-9_.-]{1,100}$/, 'has to have 1 to 100 letters, digits, "_", "." or "-"'),
);

/** All tags of a stack, by name. */
export const Tags = v.pipe(
  // The schema of a record drops such a name without a word.
  v.custom<Readonly<Record<string, string>>>(
    (tags) => typeof tags !== 'object' || tags === null || !Object.hasOwn(tags, '__proto__'),
    'a tag cannot have the name "__proto__"',
  ),
  v.record(
    v.pipe(
      v.string(),
      v.regex(
        /^[a-zA-Z0-9_.:-]{1,40}$/,
        'a tag needs a name of 1 to 40 letters, digits, "-", "_", "." or ":"',
      ),
    ),
    v.pipe(v.string(), v.maxBytes(256, 'a tag has at most 256 bytes')),
  ),
);

const ConfigText = v.optional(v.pipe(v.string(), v.maxBytes(16 << 10, 'has at most 16 kB')));

/**
 * Place of the configuration of a stack that is no file of its project: the name of an environment, and how its secrets
 * are sealed.
 */
export const ConfigPlace = v.object({
  environment: v.pipe(
    v.string(),
    v.nonEmpty('needs the name of an environment'),
    v.maxBytes(1024, 'has at most 1,024 bytes'),
  ),
  secretsProvider: ConfigText,
  encryptedKey: ConfigText,
  encryptionSalt: ConfigText,
});

/** {@link ConfigPlace} as a message. */
export type ConfigPlaceMessage = v.InferOutput<typeof ConfigPlace>;

/** Request that creates a stack. `state` is passed on as text. */
export const CreateStackRequest = v.object({
  stackName: Name,
  tags: v.nullish(Tags),
  state: v.optional(v.unknown()),
  config: v.nullish(ConfigPlace),
});

export const RenameRequest = v.object({ newName: Name, newProject: v.optional(v.string()) });

/** Operation that runs on a stack. `started` is in seconds since 1970. */
interface CurrentOperation {
  readonly kind: string;
  readonly author: string;
  readonly started: number;
}

/**
 * Mark of a stack whose store has lost something that it had acknowledged: the newest state, or records of an update.
 * `at` is when that was noticed, in seconds since 1970.
 */
export interface LostStateMark {
  readonly at: number;
  readonly what: 'state' | 'update';
}

/** Answer of `GET` of a stack. An empty `activeUpdate` means that it was never updated. */
export interface StackAnswer {
  readonly id: string;
  readonly orgName: string;
  readonly projectName: string;
  readonly stackName: string;
  readonly currentOperation?: CurrentOperation;
  readonly activeUpdate: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly config?: ConfigPlaceMessage;
  readonly version: number;
  readonly lostState?: LostStateMark;
}

/** Row of the list of stacks. `lastUpdate` is in seconds since 1970, and 0 while an update runs. */
export interface StackRow {
  readonly id: string;
  readonly orgName: string;
  readonly projectName: string;
  readonly stackName: string;
  readonly lastUpdate?: number;
  readonly resourceCount?: number;
  readonly lostState?: LostStateMark;
}

/** Answer of `GET /api/user/stacks`. Without a token there are no more rows. */
export interface StacksAnswer {
  readonly stacks: readonly StackRow[];
  readonly continuationToken: string | null;
}
