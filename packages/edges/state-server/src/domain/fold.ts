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
import type { SerializedDeployment } from '@cairn/state';
import type { StateText } from '@cairn/backends';
import { ofRequest } from './request-fault.js';

/** Facts that go into a state written here. */
interface FoldFacts {
  readonly now: Date;
  /** Version text of the software, e.g. `v0.1.0`. */
  readonly version: string;
}

/**
 * Returns the state that a base and the entries of a journal lead to. The texts of everything that the journal leaves
 * alone remain. Without entries it is the base. `order` is the order of its resources, as the client has it at the end
 * of its operation. Fails with `CAIRN-JOURNAL-CORRUPT`.
 */
export function foldJournal(
  base: StateText,
  texts: readonly string[],
  facts: FoldFacts & { readonly order?: readonly number[] | undefined },
): StateText {
  if (texts.length === 0) return base;
  const source = 'of the update';
  const before = readDocument(base, source);
  const replayer = replayedInOrder(before, texts, source) ?? replayedSorted(before, texts, source);
  const left = replayer.generate(newManifest(facts.now, facts.version));
  return writtenDocument(inTurn(left, facts.order), facts, before);
}

/**
 * Replays entries that come in their order, one at a time: those of steps that ended are not kept meanwhile. Returns
 * undefined if they come in another order, or if the replay fails, as it may in another order.
 */
function replayedInOrder(
  before: SerializedDeployment,
  texts: readonly string[],
  source: string,
): Replayer | undefined {
  const replayer = new Replayer(before, source);
  let last = 0;
  try {
    for (const text of texts) {
      const entry = takeKeptEntry(text, source);
      if (entry.sequenceId < last) return undefined;
      last = entry.sequenceId;
      replayer.add(entry);
    }
  } catch {
    return undefined;
  }
  return replayer;
}

function replayedSorted(before: SerializedDeployment, texts: readonly string[], source: string): Replayer {
  const entries = texts.map((text) => takeKeptEntry(text, source));
  entries.sort((a, b) => a.sequenceId - b.sequenceId);
  const replayer = new Replayer(before, source);
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
