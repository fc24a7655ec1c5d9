import {
  Replayer,
  checkIntegrity,
  formatVersion,
  inTurn,
  keptDeploymentText,
  newManifest,
  readKeptDeployment,
  takeKeptEntry,
} from '@cairn/state';
import type { SerializedDeployment, SerializedJournalEntry } from '@cairn/state';
import type { StateText } from '@cairn/backends';
import { ofRequest } from './request-fault.js';

/** Facts that go into a state written here. */
export interface FoldFacts {
  readonly now: Date;
  /** Version text of the software, e.g. `v0.1.0`. */
  readonly version: string;
  /** Order of the resources, as the client has it at the end of its operation. */
  readonly order?: readonly number[] | undefined;
}

/**
 * Returns the state that a base and the entries of a journal lead to. The texts of everything that the journal leaves
 * alone remain. Without entries it is the base. Fails with `CAIRN-JOURNAL-CORRUPT`.
 */
export function foldJournal(base: StateText, texts: readonly string[], facts: FoldFacts): StateText {
  if (texts.length === 0) return base;
  const before = readDocument(base, UPDATE);
  const fold = new OrderedFold(before);
  if (texts.every((text) => fold.add(takeKeptEntry(text, UPDATE)))) return fold.document(facts);
  return foldedDocument(before, replayedSorted(before, texts), facts);
}

/** Returns the document of the state that a replay has led to. */
function foldedDocument(before: SerializedDeployment, replayer: Replayer, facts: FoldFacts): StateText {
  const left = replayer.generate(newManifest(facts.now, facts.version));
  return writtenDocument(inTurn(left, facts.order), facts, before);
}

/** Source of entries and states in errors. */
export const UPDATE = 'of the update';

/** Fold of a journal whose entries come one at a time. Those of steps that ended are not kept meanwhile. */
export class OrderedFold {
  readonly #before: SerializedDeployment;
  readonly #replayer: Replayer;
  #last = 0;

  constructor(before: SerializedDeployment) {
    this.#before = before;
    this.#replayer = new Replayer(before, UPDATE);
  }

  /**
   * Adds an entry with the texts of its states. Returns false for one that is out of order, or that cannot be replayed:
   * it may be replayed in another order. The fold must not be used afterwards.
   */
  add(entry: SerializedJournalEntry): boolean {
    if (entry.sequenceId < this.#last) return false;
    this.#last = entry.sequenceId;
    try {
      this.#replayer.add(entry);
      return true;
    } catch {
      return false;
    }
  }

  /** Number of entries that were added. */
  get entryCount(): number {
    return this.#replayer.entryCount;
  }

  /** Returns the state so far. More entries may be added afterwards. */
  document(facts: FoldFacts): StateText {
    return foldedDocument(this.#before, this.#replayer, facts);
  }
}

function replayedSorted(before: SerializedDeployment, texts: readonly string[]): Replayer {
  const entries = texts.map((text) => takeKeptEntry(text, UPDATE));
  entries.sort((a, b) => a.sequenceId - b.sequenceId);
  const replayer = new Replayer(before, UPDATE);
  for (const entry of entries) replayer.add(entry);
  return replayer;
}

/** Reads the deployment of a document with its texts. Fails with `CAIRN-STATE-CORRUPT`. */
export function readDocument({ features, deployment }: StateText, source: string): SerializedDeployment {
  return readKeptDeployment(deployment, { source, byteStrings: features?.includes('"byteString"') === true });
}

/** Returns the document of a deployment, with the result of its integrity check in its metadata. */
export function writtenDocument(
  deployment: SerializedDeployment,
  { version }: Pick<FoldFacts, 'version'>,
  base = deployment,
): StateText {
  const marked = withIntegrity(deployment, version);
  const format = formatVersion(marked);
  return {
    version: format.version,
    features: format.features.length === 0 ? undefined : JSON.stringify(format.features),
    deployment: keptDeploymentText(marked, base),
  };
}

/**
 * Returns a document of a request with a mark if its state is inconsistent, or with its exact text. Refuses one that is
 * not a deployment.
 */
export function checkedDocument(
  document: StateText,
  source: string,
  facts: Pick<FoldFacts, 'version'>,
): StateText {
  const deployment = ofRequest(() => readDocument(document, source));
  const inconsistent = checkIntegrity(deployment, 'write').failure !== undefined;
  if (!inconsistent || deployment.integrityError !== undefined) return document;
  return { ...document, deployment: keptDeploymentText(withIntegrity(deployment, facts.version)) };
}

/** An inconsistent state is stored and marked, never refused: it may be the only record of real resources. */
function withIntegrity(deployment: SerializedDeployment, version: string): SerializedDeployment {
  const { failure, fault } = checkIntegrity(deployment, 'write');
  if (failure === undefined)
    return deployment.integrityError === undefined
      ? deployment
      : { ...deployment, integrityError: undefined };
  const error = fault?.problem ?? failure.summary;
  return { ...deployment, integrityError: { version, command: 'serve', error } };
}
