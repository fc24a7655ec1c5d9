import { nopCrypter } from '@cairn/crypters';
import type { ChangeRecord } from '@cairn/changes';
import { continueFrom, resumeSource } from '@cairn/engine';
import type {
  Continued,
  PastTask,
  RecoveryPlan,
  ResumeSource,
  RunningOperation,
  SavedPlan,
} from '@cairn/engine';
import { decodeResource, emptySnapshot, encodeSnapshot, newManifest } from '@cairn/state';
import type { SerializedResource, Snapshot } from '@cairn/state';
import type { MockMethod } from '../provider/mock-objects.js';
import type { MockWorld } from '../provider/mock-world.js';
import { runScenario } from './scenario.js';
import type { Outcome, Scenario } from './scenario.js';

const GOAL_KEY = new Uint8Array(32).fill(7);

/** Options of an operation of a story. All others follow from the earlier operations. */
export type Chapter = Omit<Scenario, 'providers' | 'prior' | 'inDoubt' | 'continues' | 'goalKey'>;

interface Told {
  readonly change: string;
  readonly records: readonly ChangeRecord[];
  readonly base: Snapshot;
}

/**
 * Consecutive operations on one stack, as a backend would run them. Each starts from the journal of the previous one,
 * and knows the steps left in doubt. An operation that dies is continued, or superseded by the next one.
 */
export class Story {
  snapshot: Snapshot;
  /** The changes that can be continued: the last operation and those that it continued. */
  #line: readonly Told[] = [];
  #number = 0;

  constructor(
    readonly providers: MockWorld,
    { stack }: { readonly stack?: Snapshot } = {},
  ) {
    this.snapshot = stack ?? emptySnapshot;
  }

  /** Steps with an unknown outcome. */
  get inDoubt(): readonly PastTask[] {
    return this.#recovery().inDoubt;
  }

  /** Returns the source of a resume of the last line: the plan that it had to follow, or the program. */
  resumeSource(plan: SavedPlan | undefined): ResumeSource {
    return resumeSource(plan, this.#recovery('resume').continues?.past ?? [], GOAL_KEY);
  }

  /** Runs an independent operation. It supersedes earlier ones. */
  async run(chapter: Chapter): Promise<Outcome> {
    const started = this.#start();
    const outcome = await runScenario({
      ...chapter,
      ...started,
      providers: this.providers,
      goalKey: GOAL_KEY,
    });
    return this.#told(outcome, [], started.prior, chapter.preview === true);
  }

  /** Continues the last line of changes. A resume gets the kind and the options of its first operation. */
  async goOn(how: Continued['how'], chapter: Chapter = {}): Promise<Outcome> {
    const started = this.#start();
    const kind = how === 'resume' ? chapter.kind : how;
    const outcome = await runScenario({
      ...chapter,
      ...started,
      ...(kind !== undefined && { kind }),
      providers: this.providers,
      goalKey: GOAL_KEY,
      continues: this.#recovery(how).continues,
    });
    return this.#told(outcome, this.#line, started.prior, chapter.preview === true);
  }

  /** Runs an operation and kills its process while a call is in flight, before or after the call has had its effect. */
  async runAndKill(
    method: MockMethod,
    name: string,
    chapter: Chapter & { readonly before?: boolean; readonly how?: Continued['how'] },
  ): Promise<Outcome> {
    const { before = false, how, ...rest } = chapter;
    const gate = this.providers.holdNext(method, name, { effectFirst: !before });
    let operation: RunningOperation | undefined;
    const onStart = (running: RunningOperation) => (operation = running);
    const dying = how === undefined ? this.run({ ...rest, onStart }) : this.goOn(how, { ...rest, onStart });
    await Promise.race([gate.reached, dying]);
    operation?.kill();
    // The gate stays shut: a dead process makes no further calls.
    return dying;
  }

  #start(): Pick<Scenario, 'inDoubt'> & { readonly prior: Snapshot } {
    return { prior: this.snapshot, inDoubt: this.inDoubt };
  }

  /** Returns the recovery plan for the last line of changes. Without `how` the line is not continued. */
  #recovery(how?: Continued['how']): RecoveryPlan {
    const changes = this.#line.map((told) => ({ ...told, base: stored(told.base) }));
    const before = this.#line[0]?.base ?? this.snapshot;
    const lineage = how && { how, changes, before };
    return continueFrom({ snapshot: this.snapshot, inDoubt: changes, lineage }, open);
  }

  #told(outcome: Outcome, line: readonly Told[], base: Snapshot, preview: boolean): Outcome {
    if (preview) return outcome;
    this.#number += 1;
    // These records are durable when the process dies. A call that ends later does not change them.
    const told = { change: String(this.#number), records: [...outcome.store.records], base };
    this.#line = [...line, told];
    this.snapshot = outcome.snapshot;
    return outcome;
  }
}

function open(resource: SerializedResource) {
  return decodeResource(resource, nopCrypter, 'journal');
}

function stored(snapshot: Snapshot) {
  return encodeSnapshot(snapshot, newManifest(new Date(0), 'v0.0.0'), nopCrypter);
}
