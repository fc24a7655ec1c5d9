import * as v from 'valibot';
import { StartedChange } from './changes.js';
import { UpdateBody } from './history.js';

// Answers as a client reads them: the fields that it needs, from any service of the protocol.

const login = v.object({ githubLogin: v.pipe(v.string(), v.nonEmpty()) });

/** Answer about the account of a token. */
export const UserBody = v.object({ ...login.entries, organizations: v.nullish(v.array(login), []) });

/** Answer about a stack. `version` is its newest, and `activeUpdate` the running or the newest update. */
export const StackBody = v.object({
  orgName: v.string(),
  projectName: v.string(),
  stackName: v.string(),
  currentOperation: v.nullish(v.object({ kind: v.string(), author: v.string(), started: v.number() })),
  activeUpdate: v.optional(v.string(), ''),
  tags: v.nullish(v.record(v.string(), v.string()), {}),
  version: v.optional(v.number(), 0),
  lostState: v.nullish(v.object({ at: v.number(), what: v.string() })),
});

/** Page of the list of stacks. */
export const StacksBody = v.object({
  stacks: v.nullish(
    v.array(
      v.object({
        orgName: v.string(),
        projectName: v.string(),
        stackName: v.string(),
        lastUpdate: v.nullish(v.number()),
        resourceCount: v.nullish(v.number()),
      }),
    ),
    [],
  ),
  continuationToken: v.nullish(v.string()),
});

/** Answer to the creation of an update. */
export const CreatedBody = v.object({ updateID: v.pipe(v.string(), v.nonEmpty()) });

/** Answer to the start of an update. `tokenExpiration` is in seconds since 1970. */
export const StartedBody = v.object({
  version: v.optional(v.number(), 0),
  token: v.pipe(v.string(), v.nonEmpty()),
  tokenExpiration: v.nullish(v.number()),
  journalVersion: v.nullish(v.number()),
  change: v.nullish(StartedChange),
  consoleUrl: v.nullish(v.string()),
});

/** Answer to the renewal of a lease. */
export const RenewedBody = v.object({
  token: v.pipe(v.string(), v.nonEmpty()),
  tokenExpiration: v.nullish(v.number()),
});

/** Answer to an import. */
export const ImportedBody = v.object({ updateId: v.pipe(v.string(), v.nonEmpty()) });

/** Status of an update. As long as there is a token, there is more to ask for. */
export const StatusBody = v.object({ status: v.string(), continuationToken: v.nullish(v.string()) });

/** Answer to the encryption of a batch, in its order. */
export const EncryptedBody = v.object({ ciphertexts: v.array(v.string()) });

/** Answers to the encryption and to the decryption of one text. */
export const EncryptedTextBody = v.object({ ciphertext: v.string() });
export const DecryptedTextBody = v.object({ plaintext: v.string() });

/** Answer to the decryption of a batch: plaintexts by their ciphertexts. */
export const DecryptedBody = v.object({ plaintexts: v.record(v.string(), v.string()) });

/** Page of the history. */
export const HistoryBody = v.object({ updates: v.nullish(v.array(UpdateBody), []) });

/** Body of an error. */
export const RefusedBody = v.object({ code: v.number(), message: v.optional(v.string(), '') });
