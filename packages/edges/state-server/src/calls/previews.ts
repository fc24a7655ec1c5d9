import type { StackId } from '@cairn/backends';
import type { PreviewsAnswer } from '@cairn/http-api';
import { previewInfoOf } from '../domain/update-info.js';
import { userInfo } from './organizations.js';
import type { Stacks } from './stacks.js';
import { unknownStack } from './stack-records.js';
import type { FoundPreviews, StackStore } from '../store/service-store.js';

/** Facilities for listing previews. */
interface PreviewPorts {
  readonly store: StackStore;
  readonly stacks: Stacks;
}

/** Page to list. Without `size`, every preview. */
interface ListedPage {
  readonly size: number | undefined;
  readonly page: number;
  readonly oldestFirst: boolean;
}

const NONE: FoundPreviews = { previews: [], total: 0 };

/** Lists the previews that were started since the newest update of a stack. */
export async function latestPreviews(
  { store, stacks }: PreviewPorts,
  stack: StackId,
  page: ListedPage,
): Promise<PreviewsAnswer> {
  if (!(await store.stackExists(stack))) throw unknownStack(stack);
  const known = await store.stackRecord(stack);
  const version = await stacks.version(stack);
  const { previews, total } =
    known === undefined ? NONE : await store.findPreviews(known.id, { version, ...page });
  return {
    updates: previews.map((record) => ({
      ...{ updateID: record.id, info: previewInfoOf(record) },
      ...{ version, latestVersion: version, requestedBy: userInfo(record.by) },
    })),
    ...{ itemsPerPage: page.size ?? total, total },
  };
}
