import { StatusError } from '@cairn/wire';
import type { ResourceStatus, ViewStep } from '@cairn/wire';
import type { Cell } from '../../model/cell.js';
import type { Step } from '../../model/step.js';
import { viewChanges } from './view-changes.js';
import type { ViewChange } from './view-changes.js';

/** What is published during one call, and about which views. */
interface PublishingSession {
  readonly step: Step;
  /** Views that may be replaced or removed. */
  readonly old: readonly Cell[];
  /** Whether a new object is made beside the old one. */
  readonly beside: boolean;
  /** What was published so far, in order. */
  readonly changes: ViewChange[];
}

/** What providers publish about views while they work on the owner: a token is good for one call [VIEW-2]. */
export class PublishedViews implements ResourceStatus {
  readonly #sessions = new Map<string, PublishingSession>();

  constructor(
    /** A text nobody can guess. */
    private readonly newToken: () => string,
    /** Told of what was published, as it comes, and of what is to become of views that nobody has published. */
    readonly onPublished: (owner: Step, change: ViewChange) => void,
  ) {}

  /** Gives the token of a session. */
  open(session: PublishingSession): string {
    const token = this.newToken();
    this.#sessions.set(token, session);
    return token;
  }

  /** The token is good no longer. */
  close(token: string): void {
    this.#sessions.delete(token);
  }

  publishViewSteps(token: string, steps: readonly ViewStep[]): Promise<void> {
    const session = this.#sessions.get(token);
    if (session === undefined)
      return Promise.reject(
        new StatusError('NOT_FOUND', 'there is no step with this token, or it has ended'),
      );
    const { step, old, beside, changes: earlier } = session;
    try {
      const changes = viewChanges(steps, { owner: step.urn, old, earlier, beside });
      earlier.push(...changes);
      for (const change of changes) this.onPublished(step, change);
      return Promise.resolve();
    } catch (thrown) {
      return Promise.reject(thrown as Error);
    }
  }
}
