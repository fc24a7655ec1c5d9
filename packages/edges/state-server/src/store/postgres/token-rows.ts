import { ownerOf } from '../token-store.js';
import type { TokenRecord, TokenStore } from '../token-store.js';
import type { Database, StoreTransaction } from './connections.js';

/** Migration 9: the owner of a token, and its time, by which lists are in order. */
export const TOKEN_SCHEMA = `
  alter table cairn.tokens add column owner text, add column created bigint;
  update cairn.tokens set
    owner = case when coalesce(record::json->>'kind', 'personal') = 'personal'
                 then 'user/' || (record::json->>'user')
                 else 'organization/' || (record::json->>'organization') end,
    created = (record::json->>'createdAt')::bigint;
  create index tokens_of_owner on cairn.tokens (owner, created, hash);
`;

/** Tokens as rows. `transaction` runs work in one. */
export function rowsOfTokens(
  db: Database,
  transaction: <T>(work: (db: StoreTransaction) => Promise<T>) => Promise<T>,
): TokenStore {
  const tokens = async (where: string, values: readonly unknown[]): Promise<readonly TokenRecord[]> => {
    const { rows } = await db.query<{ record: string }>(`select record from cairn.tokens ${where}`, values);
    return rows.map(({ record }) => JSON.parse(record) as TokenRecord);
  };
  return {
    findToken: async (hash) => (await tokens('where hash = $1', [hash]))[0],
    // After every hexadecimal digit.
    findTokenById: async (id) =>
      (await tokens('where hash >= $1 and hash < $2 order by hash limit 1', [id, `${id}g`]))[0],
    findTokenPage: async ({ owner, after, most }) => {
      const { rows } = await db.query<{ record: string; used: string | null }>(
        `select record, used_at as used from cairn.tokens
          where owner = $1 and ($2::bigint is null or (created, hash) < ($2, $3))
          order by created desc, hash desc limit $4`,
        [owner, after?.createdAt ?? null, after?.id ?? '', most],
      );
      return rows.map(({ record, used }) => ({
        token: JSON.parse(record) as TokenRecord,
        usedAt: used === null ? undefined : Number(used),
      }));
    },
    hasTokens: async () => (await db.query('select from cairn.tokens limit 1')).rowCount === 1,
    putToken: (token) =>
      transaction(
        async (turn) =>
          void (await turn.query(
            `insert into cairn.tokens (hash, record, owner, created) values ($1, $2, $3, $4)
             on conflict (hash) do update set record = excluded.record`,
            [token.hash, JSON.stringify(token), ownerOf(token), token.createdAt],
          )),
      ),
    listTokens: () => tokens('', []),
    removeToken: (hash) =>
      transaction(
        async (turn) => (await turn.query('delete from cairn.tokens where hash = $1', [hash])).rowCount === 1,
      ),
    noteTokenUse: async (hash, at) =>
      void (await db.query(
        'update cairn.tokens set used_at = greatest(coalesce(used_at, 0), $2) where hash = $1',
        [hash, at],
      )),
    tokenUses: async () => {
      const { rows } = await db.query<{ hash: string; at: string }>(
        'select hash, used_at as at from cairn.tokens where used_at is not null',
      );
      return new Map(rows.map(({ hash, at }) => [hash, Number(at)]));
    },
  };
}
