import * as v from 'valibot';

/** Request that opens a session of the console with the secret of a link. */
export const EnterRequest = v.object({ link: v.pipe(v.string(), v.maxLength(200)) });

/** Answer to a browser that is not known yet. */
export interface ConsoleStartAnswer {
  /** True if people sign in at a provider. */
  readonly signIn: boolean;
}

/** Answer about the session of a browser. */
export interface ConsoleSessionAnswer {
  readonly user: string;
  readonly organizations: readonly string[];
  /** Organizations in which the user is a writer. */
  readonly writes: readonly string[];
  /** End of the session, in seconds since 1970. Undefined for a token that does not end. */
  readonly expiresAt?: number;
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
