import type { BlobStore, BlobVersion } from '@cairn/blobs';
import { cairnError } from '@cairn/diagnostics';
import { ORGANIZATION } from '@cairn/backends';
import type { AccessFacts, Grantee } from '../../domain/access.js';
import { ACCESS_KINDS, SERVICE_WIDE } from '../access-store.js';
import type { AccessEditor, AccessKind, AccessRecords, AccessStore } from '../access-store.js';
import { damagedFile, jsonIn, keys } from './documents.js';
import type { Turns } from './turns.js';

/** Attempts to change a document that another process changes meanwhile. */
const TRIES = 20;

/** Everything about access in one place. */
type AccessDocument = { readonly [K in AccessKind]: Readonly<Record<string, AccessRecords[K]>> };

/** Records about access in a bucket: one small document for the service, and one for each organization. */
export function bucketAccess(blobs: BlobStore, turns: Turns): AccessStore {
  const read = async (place: string): Promise<AccessDocument> => (await load(blobs, place)).document;
  return {
    listAccess: async (kind, place) => sorted((await read(place))[kind]),
    findAccess: async (kind, place, id) => found((await read(place))[kind], id),
    accessFacts: async (organization, subject) => {
      const [service, document] = await Promise.all([read(SERVICE_WIDE), read(organization)]);
      const facts = factsIn(document, subject);
      const isAdmin = isSiteAdmin(service, subject) && namesOf(service).includes(organization);
      return isAdmin ? { ...facts, member: 'admin' } : facts;
    },
    organizationsOf: async (login) => {
      const service = await read(SERVICE_WIDE);
      const names = namesOf(service);
      if (isSiteAdmin(service, `user:${login}`)) return names;
      const members = await Promise.all(
        names.map(async (name) => found((await read(name)).members, login) !== undefined),
      );
      return names.filter((_, index) => members[index]);
    },
    changeAccess: (place, work) =>
      turns.run([`access ${place}`], async () => {
        for (let tries = 0; tries < TRIES; tries += 1) {
          const { document, version } = await load(blobs, place);
          const editor = new DocumentEditor(document);
          const result = await work(editor);
          if (editor.document === document) return result;
          const bytes = Buffer.from(JSON.stringify(editor.document));
          const condition = version === undefined ? { ifAbsent: true } : { ifVersion: version };
          if ((await blobs.put(keys.access(place), bytes, condition)).ok) return result;
        }
        throw cairnError('CAIRN-STORE-CONFLICT', 'cannot change who may do what: other processes change it', {
          hint: 'Run the command again.',
        });
      }),
  };
}

const EMPTY = Object.fromEntries(ACCESS_KINDS.map((kind) => [kind, {}])) as unknown as AccessDocument;

async function load(
  blobs: BlobStore,
  place: string,
): Promise<{ readonly document: AccessDocument; readonly version: BlobVersion | undefined }> {
  const blob = await blobs.get(keys.access(place));
  if (blob === undefined) return { document: EMPTY, version: undefined };
  const stored = jsonIn(keys.access(place), blob.bytes) as Partial<AccessDocument>;
  // Every version writes the members, also where there are none: a file without them would deny all of them.
  if (stored.members === undefined) throw damagedFile(keys.access(place), 'it has no members');
  return { document: { ...EMPTY, ...stored }, version: blob.version };
}

function namesOf({ organizations }: AccessDocument): readonly string[] {
  return [ORGANIZATION, ...Object.keys(organizations).sort()];
}

/** A site administrator is an administrator of every organization. */
function isSiteAdmin({ users }: AccessDocument, subject: Grantee): boolean {
  return subject.startsWith('user:') && found(users, subject.slice('user:'.length))?.siteAdmin === true;
}

function factsIn({ members, teams, grants, roles }: AccessDocument, subject: Grantee): AccessFacts {
  const name = subject.slice(subject.indexOf(':') + 1);
  const isUser = subject.startsWith('user:');
  const own = Object.values(teams)
    .filter(({ members: logins }) => isUser && logins.includes(name))
    .map(({ id }): Grantee => `team:${id}`);
  const subjects: ReadonlySet<string> = new Set([subject, ...own]);
  const member = isUser ? found(members, name)?.role : found(teams, name) && 'none';
  const held = Object.values(grants).filter(({ to }) => subjects.has(to));
  const named: ReadonlySet<string | undefined> = new Set([member, ...held.map(({ role }) => role)]);
  return { member, grants: held, roles: Object.values(roles).filter(({ id }) => named.has(id)) };
}

function sorted<T extends { readonly id: string }>(records: Readonly<Record<string, T>>): readonly T[] {
  return Object.values(records).sort((a, b) => (a.id < b.id ? -1 : 1));
}

function found<T>(records: Readonly<Record<string, T>>, id: string): T | undefined {
  return Object.hasOwn(records, id) ? records[id] : undefined;
}

/** Edits a document in memory. */
class DocumentEditor implements AccessEditor {
  #document: AccessDocument;

  constructor(document: AccessDocument) {
    this.#document = document;
  }

  get document(): AccessDocument {
    return this.#document;
  }

  async listAccess<K extends AccessKind>(kind: K): Promise<readonly AccessRecords[K][]> {
    return sorted<AccessRecords[K]>(this.#document[kind]);
  }

  async findAccess<K extends AccessKind>(
    kind: K,
    _place: string,
    id: string,
  ): Promise<AccessRecords[K] | undefined> {
    return found<AccessRecords[K]>(this.#document[kind], id);
  }

  async putAccess<K extends AccessKind>(kind: K, record: AccessRecords[K]): Promise<void> {
    this.#document = { ...this.#document, [kind]: { ...this.#document[kind], [record.id]: record } };
  }

  async removeAccess(kind: AccessKind, id: string): Promise<void> {
    const { [id]: _removed, ...kept } = this.#document[kind] as Record<string, unknown>;
    this.#document = { ...this.#document, [kind]: kept };
  }
}
