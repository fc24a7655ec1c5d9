import * as v from 'valibot';

/** Request that opens a session of the console with the secret of a link. */
export const EnterRequest = v.object({ link: v.pipe(v.string(), v.maxLength(200)) });

/** Password as a caller sends it. The rules for new ones are those of the service. */
const Password = v.pipe(
  v.string(),
  v.nonEmpty('is empty'),
  v.maxLength(1024, 'is longer than 1024 characters'),
);

/** Command that waits on a port of the browser's machine for a token. */
export const WaitingCommand = v.object({
  port: v.pipe(
    v.number('is no port'),
    v.integer('is no port'),
    v.minValue(1, 'is no port'),
    v.maxValue(65_535, 'is no port'),
  ),
  /** Text that the command sent, and wants back. */
  nonce: v.pipe(v.string('is no nonce'), v.regex(/^[\w-]{16,200}$/, 'is no nonce')),
  /** Name for the token. */
  description: v.pipe(
    v.string(),
    v.transform((text) => text.slice(0, 200)),
  ),
});

/** Request that signs a user in with a password: to the console, or for a command that waits. */
export const PasswordSignInRequest = v.object({
  user: v.pipe(v.string(), v.nonEmpty('is empty'), v.maxLength(100, 'is longer than 100 characters')),
  password: Password,
  command: v.optional(WaitingCommand),
});

/** Request of a user who changes the own password. */
export const ChangePasswordRequest = v.object({ current: Password, next: Password });

/** Answer to a sign-in with a password. */
export interface PasswordSignInAnswer {
  /** Address of the command that waits, with its token. Undefined for a sign-in to the console. */
  readonly redirect?: string;
}

/** Answer to a browser that is not known yet. */
export interface ConsoleStartAnswer {
  /** True if people sign in at a provider. */
  readonly signIn: boolean;
  /** True if people sign in with a password. */
  readonly passwords: boolean;
}

/** Answer about the session of a browser. */
export interface ConsoleSessionAnswer {
  readonly user: string;
  readonly organizations: readonly string[];
  /** Organizations in which the user is a writer. */
  readonly writes: readonly string[];
  /** End of the session, in seconds since 1970. Undefined for a token that does not end. */
  readonly expiresAt?: number;
  /** True if the user has a password, and may sign in with it. */
  readonly password: boolean;
}

/** Answer with a link to the console. */
export interface ConsoleLinkAnswer {
  /** Path and fragment. The fragment has the secret, so that no server and no log sees it. */
  readonly path: string;
  /** In seconds since 1970. */
  readonly expiresAt: number;
}

/** Answer with a link to the console, as its reader takes it. */
export const ConsoleLinkBody = v.object({ path: v.pipe(v.string(), v.regex(/^\/enter#[\w-]+$/)) });
