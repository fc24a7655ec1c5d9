import { StatusError } from '@cairn/wire';
import type { ResourceStatus, ViewStep } from '@cairn/wire';
import type { Cell } from '../../model/cell.js';
import type { Step } from '../../model/step.js';
import { viewChanges } from './view-changes.js';
import type { ViewChange } from './view-changes.js';

/** Publications of one call, and the views they are about. */
interface PublishingSession {
  readonly step: Step;
  /** Views that may be replaced or removed. */
  readonly old: readonly Cell[];
  /** True if a new object is made beside the old one. */
  readonly beside: boolean;
  /** Changes published so far, in order. */
  readonly changes: ViewChange[];
}

/** Receives views that providers publish while they work on the owner. A token is valid for one call [VIEW-2]. */
export class PublishedViews implements ResourceStatus {
  readonly #sessions = new Map<string, PublishingSession>();

  /** Returns a text that cannot be guessed. */
  readonly #newToken: () => string;

  constructor(
    newToken: () => string /** Receives published changes as they arrive, and changes to views that no provider has published. */,
    readonly onPublished: (owner: Step, change: ViewChange) => void,
  ) {
    this.#newToken = newToken;
  }

  /** Returns the token of a session. */
  open(session: PublishingSession): string {
    const token = this.#newToken();
    this.#sessions.set(token, session);
    return token;
  }

  /** Makes the token invalid. */
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
