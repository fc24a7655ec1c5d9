import { ORGANIZATION, servedBackend } from '@cairn/backends';
import type { BackendPorts, StackId } from '@cairn/backends';
import { openBlobStore } from '@cairn/blobs';
import type { BlobStore, OpenOptions } from '@cairn/blobs';

/** Backend of one organization, with its states as texts. */
export type ServedOrganization = Awaited<ReturnType<typeof servedBackend>>;

export interface ServedAddress {
  readonly url: string;
  readonly ports: BackendPorts;
  readonly options: OpenOptions;
}

/**
 * Backends of the organizations in a bucket. The first organization has the bucket itself. Each other has a folder in
 * it, which is opened when it is used: `organizations/NAME`, which both tools open directly.
 */
export class ServedOrganizations {
  readonly #address: ServedAddress;
  readonly #open: Map<string, Promise<ServedOrganization>>;

  constructor(address: ServedAddress, first: ServedOrganization) {
    this.#address = address;
    this.#open = new Map([[ORGANIZATION, Promise.resolve(first)]]);
  }

  /** Returns the backend of the organization of a stack. */
  of({ organization = ORGANIZATION }: Pick<StackId, 'organization'>): Promise<ServedOrganization> {
    const known = this.#open.get(organization);
    if (known !== undefined) return known;
    const opened = this.#openFolder(organization);
    this.#open.set(organization, opened);
    // A failure concerns the call that meets it: the next one tries again.
    opened.catch(() => this.#open.delete(organization));
    return opened;
  }

  async close(): Promise<void> {
    for (const opened of this.#open.values()) await (await opened).backend.close();
  }

  async #openFolder(organization: string): Promise<ServedOrganization> {
    const { url, ports, options } = this.#address;
    const blobs: BlobStore = await openBlobStore(folderUrl(url, `organizations/${organization}`), {
      ...options,
      createDirectory: true,
    });
    return servedBackend(blobs, ports);
  }
}

/** Returns the address of a folder in a bucket. */
function folderUrl(url: string, folder: string): string {
  const [, place = '', query = ''] = /^([^?]*)(\?.*)?$/.exec(url) ?? [];
  return `${place.replace(/\/+$/, '')}/${folder}${query}`;
}

/** Returns the name of a stack in the backend of its organization. */
export function nameInOrganization({ project, stack }: StackId): StackId {
  return { project, stack };
}
