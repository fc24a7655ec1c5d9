import { StatusError } from '@cairn/wire';
import type { ResourceStatus, ViewPublishing, ViewStep } from '@cairn/wire';
import type { Cell } from '../../model/cell.js';
import type { Step } from '../../model/step.js';
import { viewChanges } from './view-changes.js';
import type { ViewChange } from './view-changes.js';

/** Views of a resource during one call of its provider. */
interface PublishingSubject {
  readonly step: Step;
  /** Views that may be replaced or removed. */
  readonly old: readonly Cell[];
  /** True if a new object is made beside the old one. */
  readonly beside: boolean;
  /** Address where providers in other processes publish. */
  readonly address: string;
}

/**
 * Publications of one call. Its token is made when it is asked for: a provider in this process publishes without one.
 */
class PublishingSession implements ViewPublishing {
  /** Changes published so far, in order. */
  readonly changes: ViewChange[] = [];
  #token: string | undefined;
  #isOver = false;
  readonly #subject: PublishingSubject;
  readonly #all: PublishedViews;

  constructor(subject: PublishingSubject, all: PublishedViews) {
    this.#subject = subject;
    this.#all = all;
  }

  get address(): string {
    return this.#subject.address;
  }

  get token(): string {
    return (this.#token ??= this.#isOver ? '' : this.#all.tokenOf(this));
  }

  publish(steps: readonly ViewStep[]): Promise<void> {
    if (this.#isOver) return overOrUnknown();
    const { step, old, beside } = this.#subject;
    try {
      const changes = viewChanges(steps, { owner: step.urn, old, earlier: this.changes, beside });
      this.changes.push(...changes);
      for (const change of changes) this.#all.onPublished(step, change);
      return Promise.resolve();
    } catch (thrown) {
      return Promise.reject(thrown as Error);
    }
  }

  /** Ends the publishing; the token becomes invalid. */
  close(): void {
    this.#isOver = true;
    if (this.#token !== undefined) this.#all.forget(this.#token);
  }
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

  /** Opens a session for one call. */
  open(subject: PublishingSubject): PublishingSession {
    return new PublishingSession(subject, this);
  }

  /** Returns a token of a session. */
  tokenOf(session: PublishingSession): string {
    const token = this.#newToken();
    this.#sessions.set(token, session);
    return token;
  }

  /** Makes a token invalid. */
  forget(token: string): void {
    this.#sessions.delete(token);
  }

  publishViewSteps(token: string, steps: readonly ViewStep[]): Promise<void> {
    return this.#sessions.get(token)?.publish(steps) ?? overOrUnknown();
  }
}

function overOrUnknown(): Promise<never> {
  return Promise.reject(new StatusError('NOT_FOUND', 'there is no step with this token, or it has ended'));
}
