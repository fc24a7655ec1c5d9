import type { BlobStore } from '@cairn/blobs';
import { ownerOf } from '../token-store.js';
import type { TokenPage, TokenPlace, TokenRecord, TokenStore, UsedToken } from '../token-store.js';
import { keys } from './documents.js';
import type { Documents } from './documents.js';

interface TokenUse {
  readonly hash: string;
  readonly at: number;
}

/**
 * Tokens in a bucket: a document for each, and a mark below its owner, so that a list reads those of its page only. A
 * mark without a token counts for nothing.
 */
export function bucketTokens(blobs: BlobStore, documents: Documents): TokenStore {
  const find = (hash: string): Promise<TokenRecord | undefined> =>
    documents.get<TokenRecord>(keys.token(hash));
  const list = (): Promise<readonly TokenRecord[]> => documents.list<TokenRecord>(keys.tokens);
  const mark = async (token: TokenRecord): Promise<void> =>
    void (await blobs.put(markOf(token), Buffer.from(''), { ifAbsent: true }));
  /** Marks the tokens that were made before there were marks. */
  const markAll = async (): Promise<void> => {
    if ((await documents.get(keys.tokensMarked)) !== undefined) return;
    for (const token of await list()) await mark(token);
    await documents.put(keys.tokensMarked, {});
  };
  const used = async (hash: string): Promise<UsedToken | undefined> => {
    const [token, use] = await Promise.all([find(hash), documents.get<TokenUse>(keys.use(hash))]);
    return token && { token, usedAt: use?.at };
  };
  return {
    findToken: find,
    findTokenById: async (id) => {
      const [found] = await blobs.list(keys.tokens + id);
      return found && documents.get<TokenRecord>(found.key);
    },
    findTokenPage: async (page) => {
      await markAll();
      const marks = (await blobs.list(keys.tokensOf(page.owner))).map(({ key }) => key);
      return firstFound(marks.filter(isAfter(page)).sort().reverse(), page.most, used);
    },
    hasTokens: async () => (await blobs.list(keys.tokens)).length > 0,
    putToken: async (token) => {
      await mark(token);
      await documents.put(keys.token(token.hash), token);
    },
    listTokens: list,
    removeToken: async (hash) => {
      const token = await find(hash);
      await documents.remove(keys.token(hash));
      await documents.remove(keys.use(hash));
      if (token !== undefined) await documents.remove(markOf(token));
      return token !== undefined;
    },
    // A document of its own, so that a removed token does not come back.
    noteTokenUse: (hash, at) => documents.put(keys.use(hash), { hash, at }),
    tokenUses: async () => {
      const uses = await documents.list<TokenUse>(keys.used);
      return new Map(uses.map(({ hash, at }) => [hash, at]));
    },
  };
}

function markOf(token: TokenRecord): string {
  return keys.tokensOf(ownerOf(token)) + placed({ createdAt: token.createdAt, id: token.hash });
}

/** Writes a place so that it sorts by time. */
function placed({ createdAt, id }: TokenPlace): string {
  return `${String(createdAt).padStart(12, '0')}-${id}`;
}

function isAfter({ owner, after }: TokenPage): (mark: string) => boolean {
  const folder = keys.tokensOf(owner);
  return (mark) => after === undefined || mark.slice(folder.length) < placed(after);
}

/** Returns the first tokens of marks that still have one. */
async function firstFound(
  marks: readonly string[],
  most: number,
  read: (hash: string) => Promise<UsedToken | undefined>,
): Promise<readonly UsedToken[]> {
  const found: UsedToken[] = [];
  for (let from = 0; from < marks.length && found.length < most; from += most) {
    const reads = marks.slice(from, from + most).map((mark) => read(mark.slice(mark.lastIndexOf('-') + 1)));
    found.push(...(await Promise.all(reads)).filter((token) => token !== undefined));
  }
  return found.slice(0, most);
}
