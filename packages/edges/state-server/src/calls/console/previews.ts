import type { StackId } from '@cairn/backends';
import type {
  ConsolePreviewAnswer,
  ConsolePreviewRow,
  ConsolePreviewStep,
  ConsolePreviewsAnswer,
} from '@cairn/http-api';
import { itemTexts } from '@cairn/state';
import { comparedStates } from '../../domain/console/compared-states.js';
import { isLook } from '../../domain/drift-looks.js';
import { previewContents } from '../../domain/console/preview-steps.js';
import { Refusal } from '../../domain/refusal.js';
import { previewInfoOf } from '../../domain/update-info.js';
import type { UpdateRecord } from '../../domain/update-record.js';
import type { StackStore } from '../../store/service-store.js';
import { knownUpdate } from '../known-update.js';
import type { StackViews } from './stack-views.js';

/** Previews that the console lists. */
const MOST_LISTED = 100;

/** Previews that clients have sent to the service. */
export class PreviewViews {
  readonly #store: StackStore;
  readonly #views: StackViews;

  constructor(store: StackStore, views: StackViews) {
    this.#store = store;
    this.#views = views;
  }

  /** Lists the previews of the newest version. Each refresh among them is a run of the drift detection. */
  async list(stack: StackId): Promise<ConsolePreviewsAnswer> {
    await this.#views.refuseUnknown(stack);
    const known = await this.#store.stackRecord(stack);
    if (known === undefined) return { previews: [] };
    const version = await this.#views.version(stack);
    const page = { version, size: MOST_LISTED, page: 1, oldestFirst: false };
    const { previews } = await this.#store.findPreviews(known.id, page);
    const look = previews.find(isLook);
    return {
      previews: previews.map(rowOf),
      ...(look && { drift: await this.#drift(known.id, look) }),
    };
  }

  /** Returns what a look for drift found, with the time since which each object differs and what its provider says. */
  async #drift(stackId: string, look: UpdateRecord): Promise<NonNullable<ConsolePreviewsAnswer['drift']>> {
    const at = look.ending?.at ?? look.createdAt;
    const { steps } = await this.#contents(look);
    const { rows } = await this.#store.deploymentPage(stackId, 'drifts', { size: MOST_LISTED, page: 1 });
    const { resources = [] } = rows.find(({ row }) => row.id === look.id)?.row ?? {};
    const known = new Map(resources.map((resource) => [resource.urn, resource]));
    return {
      at,
      resources: steps.map((step) => {
        const { since, says } = known.get(step.urn) ?? {};
        const sinceAt = since === undefined ? at : Date.parse(since) / 1000;
        return { ...step, since: sinceAt, ...(says && { says }) };
      }),
    };
  }

  /** Returns a preview with its steps, and what has changed in the stack since. */
  async preview(stack: StackId, id: string): Promise<ConsolePreviewAnswer> {
    const record = await this.#previewRecord(stack, id);
    const contents = await this.#contents(record);
    const newest = await this.#views.version(stack);
    const versions = Math.max(0, newest - (record.previewOf ?? newest));
    const changed = versions === 0 ? [] : await this.#changedSince(stack, record.previewOf ?? newest);
    const urns = [...new Set(contents.steps.map(({ urn }) => urn))].filter((urn) => changed.includes(urn));
    return { preview: rowOf(record), ...contents, moved: { versions, urns } };
  }

  /** Returns the version that a preview is of, undefined for an empty stack, and its steps. */
  async planned(
    stack: StackId,
    id: string,
  ): Promise<{ readonly version: number | undefined; readonly planned: readonly ConsolePreviewStep[] }> {
    const record = await this.#previewRecord(stack, id);
    const { steps } = await this.#contents(record);
    return { version: record.previewOf || undefined, planned: steps };
  }

  async #previewRecord(stack: StackId, id: string): Promise<UpdateRecord> {
    const { record } = await knownUpdate(this.#store, { stack, id });
    if (!record.dryRun) throw new Refusal(404, 'Preview not found.');
    return record;
  }

  async #changedSince(stack: StackId, version: number): Promise<readonly string[]> {
    const before = version === 0 ? [] : (await this.#views.deployment(stack, version)).resources;
    const { added, gone, changed } = comparedStates(before, (await this.#views.deployment(stack)).resources);
    return [...added, ...gone, ...changed].map(({ urn }) => urn);
  }

  async #contents(record: UpdateRecord) {
    const texts = (await this.#store.events(record)).flatMap((batch) => itemTexts(batch, 'the events'));
    return previewContents(texts.map((text) => JSON.parse(text) as object));
  }
}

function rowOf(record: UpdateRecord): ConsolePreviewRow {
  const { startTime, message, result, resourceChanges = {} } = previewInfoOf(record);
  return {
    ...{
      id: record.id,
      kind: record.kind === 'preview' ? 'update' : record.kind,
      by: record.by,
      startTime,
      message,
      result,
    },
    changes: resourceChanges,
  };
}
