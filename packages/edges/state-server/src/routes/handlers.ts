import type { UpdateKind } from '@cairn/backends';
import {
  BatchDecryptRequest,
  BatchEncryptRequest,
  CAPABILITIES,
  CompleteRequest,
  ConfigPlace,
  CreateStackRequest,
  CreateUpdateRequest,
  DecryptRequest,
  EncryptRequest,
  EventsRequest,
  ImportVersionRequest,
  RenameRequest,
  RenewLeaseRequest,
  SetupRequest,
  StartUpdateRequest,
  Tags,
} from '@cairn/http-api';
import type { DefaultOrganizationAnswer, SetupAnswer } from '@cairn/http-api';
import { itemTexts } from '@cairn/state';
import type { Accounts } from '../calls/accounts.js';
import type { Deployments } from '../calls/deployments/deployments.js';
import type { Secrets } from '../calls/secrets.js';
import { projectOf, stackOf } from '../calls/stack-names.js';
import type { Stacks } from '../calls/stacks.js';
import type { UpdateCallOf, Updates } from '../calls/updates.js';
import { pastEntryOf } from '../domain/update-info.js';
import { Refusal } from '../domain/refusal.js';
import { NOTHING, parseBody } from './call.js';
import type { Call, SomeHandlers } from './call.js';
import { documentText, etagOf } from '../store/document-bytes.js';
import { documentIn, batchIn, memberIn } from './state-bodies.js';

/** Calls behind the routes. `isReady` is false while the service ends. */
interface Calls {
  readonly accounts: Accounts;
  readonly stacks: Stacks;
  readonly secrets: Secrets;
  readonly updates: Updates;
  readonly deployments: Deployments;
  readonly isReady: () => Promise<boolean>;
}

/** Returns the handlers of the protocol's routes. Handlers parse and call; they decide nothing. */
export function handlersOf({ accounts, stacks, secrets, updates, deployments, isReady }: Calls) {
  return {
    health: async () => ({ json: { status: 'ok' } }),
    readiness: async () => {
      if (await isReady()) return { json: { status: 'ready' } };
      throw new Refusal(503, 'The service is not ready.');
    },
    setup: async (call) => {
      const { user } = parseBody(SetupRequest, call);
      call.note({ user });
      const token = await accounts.setUp(call.names['secret'] ?? '', user);
      return { json: { user, token } satisfies SetupAnswer };
    },
    capabilities: async () => ({ json: CAPABILITIES }),
    user: async ({ caller }) => ({ json: await accounts.user(caller.token) }),
    defaultOrganization: async ({ caller }) => {
      const [organization = ''] = await caller.organizations();
      return { json: { GitHubLogin: organization, Messages: [] } satisfies DefaultOrganizationAnswer };
    },
    // Clients look here first for a template or a package of a name. Without a list they would look nowhere else.
    listTemplates: async () => ({ json: { templates: [] } }),
    listPackages: async () => ({ json: { packages: [] } }),
    listStacks: async ({ query, caller }) => {
      const text = (name: string): string | undefined => query.get(name) || undefined;
      const token = text('continuationToken');
      const filter = {
        ...{ project: text('project'), organization: text('organization'), caller },
        ...{ tagName: text('tagName'), tagValue: query.get('tagValue') ?? undefined },
        after: token && Buffer.from(token, 'base64url').toString('utf8'),
      };
      return { json: await stacks.list(filter) };
    },
    projectExists: async ({ names, caller }) => {
      if (await stacks.projectExists(projectOf(names), caller)) return NOTHING;
      throw new Refusal(404, 'Project not found.');
    },
    createStack: async (call) => {
      const { stackName, tags, config } = parseBody(CreateStackRequest, call);
      const state = memberIn(call.body, 'state');
      const stack = stackOf({ ...call.names, stack: stackName });
      call.note({ stack: `${stack.project}/${stack.stack}` });
      await call.caller.needForNewStack(stack, 'stack:create');
      await stacks.create(stack, {
        tags: tags ?? {},
        config: config ?? undefined,
        state: state === undefined ? undefined : documentIn(state),
        by: call.caller.name,
      });
      return NOTHING;
    },
    getStack: async ({ names }) => ({ json: await stacks.get(stackOf(names)) }),
    deleteStack: async ({ names, query, caller }) => {
      await stacks.remove(stackOf(names), query.get('force') === 'true', caller.name);
      return NOTHING;
    },
    renameStack: async (call) => {
      const { newName, newProject = '' } = parseBody(RenameRequest, call);
      const from = stackOf(call.names);
      const to = stackOf({ ...call.names, project: newProject || from.project, stack: newName });
      call.note({ detail: `to ${to.project}/${to.stack}` });
      await call.caller.needForNewStack(to, 'stack:rename');
      await stacks.rename(from, to, call.caller.name);
      return NOTHING;
    },
    setTags: async (call) => {
      await stacks.setTags(stackOf(call.names), parseBody(Tags, call));
      return NOTHING;
    },
    getStackConfig: async ({ names }) => ({ json: await stacks.config(stackOf(names)) }),
    putStackConfig: async (call) => {
      await stacks.setConfig(stackOf(call.names), parseBody(ConfigPlace, call));
      return NOTHING;
    },
    deleteStackConfig: async ({ names }) => {
      await stacks.setConfig(stackOf(names), undefined);
      return NOTHING;
    },
    exportState: async ({ names }) => {
      const text = documentText(await stacks.exportState(stackOf(names)));
      return { text, headers: { etag: etagOf(text) } };
    },
    exportVersion: async ({ names }) => {
      const { version = '' } = names;
      if (!/^\d{1,15}$/.test(version)) throw new Refusal(404, 'Version not found.');
      return { text: documentText(await stacks.exportVersion(stackOf(names), Number(version))) };
    },
    importState: async ({ names, body, caller, ifMatch }) => {
      const request = { state: documentIn(body), by: caller.name, ifMatch };
      return { json: { updateId: await stacks.importState(stackOf(names), request) } };
    },
    importVersion: async (call) => {
      const request = parseBody(ImportVersionRequest, call);
      const state = memberIn(call.body, 'state');
      await stacks.importVersion(stackOf(call.names), {
        number: request.info.version,
        entry: pastEntryOf(request),
        state: state === undefined ? undefined : documentIn(state),
        by: call.caller.name,
      });
      return NOTHING;
    },
    encrypt: async (call) => {
      const [ciphertext] = await secrets.encrypt(stackOf(call.names), [
        parseBody(EncryptRequest, call).plaintext,
      ]);
      return { json: { ciphertext: ciphertext?.toString('base64') } };
    },
    batchEncrypt: async (call) => {
      const ciphertexts = await secrets.encrypt(
        stackOf(call.names),
        parseBody(BatchEncryptRequest, call).plaintexts,
      );
      return { json: { ciphertexts: ciphertexts.map((ciphertext) => ciphertext.toString('base64')) } };
    },
    decrypt: async (call) => {
      const [plaintext] = await secrets.decrypt(stackOf(call.names), [
        parseBody(DecryptRequest, call).ciphertext,
      ]);
      return { json: { plaintext: plaintext?.toString('base64') } };
    },
    batchDecrypt: async (call) => {
      const { ciphertexts } = parseBody(BatchDecryptRequest, call);
      const opened = await secrets.decrypt(stackOf(call.names), ciphertexts);
      const plaintexts = opened.map((plaintext, index) => [
        (ciphertexts[index] as Buffer).toString('base64'),
        plaintext.toString('base64'),
      ]);
      return { json: { plaintexts: Object.fromEntries(plaintexts) as object } };
    },
    createUpdate: async (call) => {
      const { options, config, metadata, change } = parseBody(CreateUpdateRequest, call);
      const environment = metadata.environment ?? {};
      const { dryRun } = options;
      const updateID = await updates.create(stackOf(call.names), {
        kind: call.names['kind'] as UpdateKind,
        dryRun,
        by: call.caller.name,
        message: metadata.message,
        environment,
        config: config ?? {},
        change,
      });
      await deployments.linkUpdate(stackOf(call.names), { id: updateID, dryRun, environment });
      return { json: { updateID } };
    },
    startUpdate: async (call) => {
      const { tags, journalVersion, ticket } = parseBody(StartUpdateRequest, call);
      const options = { tags: tags ?? undefined, journal: journalVersion === 1, ticket };
      return { json: await updates.start(stackOf(call.names), updateOf(call), options) };
    },
    updateStatus: async (call) => ({ json: await updates.status(stackOf(call.names), updateOf(call)) }),
    cancelUpdate: async (call) => {
      await updates.cancel(stackOf(call.names), updateOf(call));
      return NOTHING;
    },
    updateEvents: async (call) => {
      const { batches, ended } = await updates.events(stackOf(call.names), updateOf(call));
      return { text: eventsText(batches, Number(call.query.get('continuationToken') ?? 0), ended) };
    },
    renewLease: async (call) => ({
      json: await updates.renew(holderOf(call), parseBody(RenewLeaseRequest, call).duration),
    }),
    checkpoint: async (call) => {
      await updates.storeCheckpoint(holderOf(call), documentIn(call.body));
      return NOTHING;
    },
    journalEntries: async (call) => {
      await updates.addEntries(holderOf(call), batchIn(call.body));
      return NOTHING;
    },
    addEvents: async (call) => {
      const { events } = parseBody(EventsRequest, call);
      const changes = events.find(({ summaryEvent }) => summaryEvent !== undefined)?.summaryEvent
        ?.resourceChanges;
      const bytes = Buffer.from(memberIn(call.body, 'events') ?? '[]');
      await updates.addEvents(holderOf(call), { bytes, resourceChanges: changes ?? undefined });
      return NOTHING;
    },
    completeUpdate: async (call) => {
      const { status, change } = parseBody(CompleteRequest, call);
      await updates.complete(holderOf(call), { status, change }, ({ by: user, isRepeat }) =>
        call.note({ user, isRepeat, detail: status }),
      );
      return NOTHING;
    },
  } satisfies SomeHandlers;
}

function updateOf({ names }: Call): string {
  return names['update'] ?? '';
}

function holderOf(call: Call): UpdateCallOf {
  return { stack: stackOf(call.names), id: updateOf(call), token: call.updateToken };
}

/**
 * Writes events by their sequence, each once, from a place on. While the update runs there is always a next place;
 * afterwards there is none.
 */
function eventsText(batches: readonly Buffer[], from: number, ended: boolean): string {
  const bySequence = new Map<number, string>();
  for (const text of batches.flatMap((batch) => itemTexts(batch, 'the events'))) {
    const { sequence } = JSON.parse(text) as { readonly sequence: number };
    if (sequence >= from) bySequence.set(sequence, text);
  }
  const sequences = [...bySequence.keys()].sort((a, b) => a - b);
  const next = ended ? 'null' : `"${(sequences.at(-1) ?? from - 1) + 1}"`;
  return `{"events":[${sequences.map((sequence) => bySequence.get(sequence)).join(',')}],"continuationToken":${next}}`;
}
