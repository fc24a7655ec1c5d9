import { ORGANIZATION, servedBackend } from '@cairn/backends';
import type { BackendPorts } from '@cairn/backends';
import { openBlobStore } from '@cairn/blobs';
import { keepNames } from '@cairn/blobs/folder-names';
import type { BlobStore, OpenOptions } from '@cairn/blobs';
import { cairnError } from '@cairn/diagnostics';
import type { Admit } from '../../domain/admission.js';
import { stackKey } from '../../domain/stack-key.js';
import type { UpdateRecord } from '../../domain/update-record.js';
import { SERVICE_WIDE } from '../access-store.js';
import type { ServiceStore, UpdateName } from '../service-store.js';
import { bucketTerraform } from './bucket-terraform.js';
import { bucketDeployments } from './bucket-deployments.js';
import { bucketDeliveries } from './bucket-deliveries.js';
import { bucketChanges } from './bucket-changes.js';
import { bucketQueue } from './bucket-queue.js';
import { bucketUpdates } from './bucket-updates.js';
import { bucketAccess } from './bucket-access.js';
import { bucketAttempts } from './bucket-attempts.js';
import { BucketAudit } from './bucket-audit.js';
import { bucketStacks } from './bucket-stacks.js';
import { bucketTokens } from './bucket-tokens.js';
import { BucketHold } from './bucket-hold.js';
import { cleanBucket, forgetStatesOf, removeOldPreviews } from './cleaning.js';
import { documentsIn, keys } from './documents.js';
import { editKeyOfRecord } from './keyed-records.js';
import { ServedOrganizations } from './served-organizations.js';
import type { ServedAddress } from './served-organizations.js';
import { Turns } from './turns.js';
import type { UpdateLogs } from './update-logs.js';

/**
 * Opens the store in a bucket: stacks, states, locks and history are those that `cairn login` and `pulumi login` open
 * directly, and the service's own files are in a folder of their own. One process uses it at a time. Leases run on
 * `monotonic`, a clock in milliseconds that never jumps. Fails with `CAIRN-STATE-TOO-OLD` for a store of the layout
 * before projects.
 */
export async function openBucketStore(
  url: string,
  ports: BackendPorts,
  options: OpenOptions,
  monotonic: () => number,
): Promise<ServiceStore> {
  const kept = { ...options, keepNames };
  const blobs = await openBlobStore(url, { ...kept, otherSchemes: ['postgres'] });
  return storeInBlobs(blobs, { url, ports, options: kept }, monotonic);
}

/** Opens the store in the blobs of a bucket, which are open. */
export async function storeInBlobs(
  blobs: BlobStore,
  address: ServedAddress,
  monotonic: () => number,
): Promise<ServiceStore> {
  const served = await servedBackend(blobs, address.ports);
  const { backend } = served;
  if (backend.bucket.layout !== 'legacy')
    return bucketStore(blobs, address, new ServedOrganizations(address, served), monotonic);
  await backend.close();
  throw cairnError('CAIRN-STATE-TOO-OLD', `cannot serve ${backend.url}: it keeps stacks without projects`, {
    hint: 'Run `cairn state upgrade` on it.',
  });
}

function bucketStore(
  blobs: BlobStore,
  { ports }: ServedAddress,
  organizations: ServedOrganizations,
  monotonic: () => number,
): ServiceStore {
  const turns = new Turns();
  const hold = new BucketHold({ blobs, key: keys.process }, ports);
  const audit = new BucketAudit(blobs, turns);
  const access = bucketAccess(blobs, turns);
  const documents = documentsIn(blobs);
  const { removeEnded, ...attempts } = bucketAttempts(blobs, documents, monotonic);
  const { live, updates } = bucketUpdates(blobs, documents, { organizations, monotonic, now: ports.now });
  /** Starts to store something in the turn of a stack, and waits for it outside. */
  const store = async (
    update: UpdateName,
    admit: Admit,
    work: (record: UpdateRecord, logs: UpdateLogs) => Promise<{ readonly durable: Promise<void> }>,
  ): Promise<void> => {
    hold.check();
    const { durable } = await turns.run([stackKey(update.stack)], async () => {
      const record = admit(await updates.findUpdate(update));
      return work(record, live.logs(record.id) as UpdateLogs);
    });
    await durable;
  };
  const service: ServiceStore = {
    // A read of one small key shows that the bucket answers.
    ping: async () => {
      hold.check();
      await blobs.get(keys.ping);
    },
    clean: async (rules) => {
      await cleanBucket(blobs, documents, rules);
      await removeEnded();
      const { eventsMs, statesMs, now } = rules;
      if (eventsMs !== undefined) await removeOldPreviews(blobs, documents, now().getTime() - eventsMs);
      if (statesMs === undefined) return;
      const made = await service.listAccess('organizations', SERVICE_WIDE);
      const names = [ORGANIZATION, ...made.map(({ id }) => id)];
      await forgetStatesOf(organizations, names, new Date(now().getTime() - statesMs));
    },
    figures: async () => ({ running: live.all().length, pools: [] }),
    hold: (failed) => hold.take(failed),
    ...bucketTokens(blobs, documents),
    ...access,
    ...attempts,
    audited: (event, work) => audit.audited(event, work),
    auditRows: (page) => audit.auditRows(page),
    takeAuditRows: (rows) => audit.takeAuditRows(rows),

    ...bucketStacks(organizations, documents),
    editStackKey: (stack, edit) => editKeyOfRecord(documents, keys.stack(stack), edit),
    removeStackRecord: (stack) => documents.remove(keys.stack(stack)),

    ...updates,
    terraform: bucketTerraform(blobs, documents),
    ...bucketChanges(organizations),
    ...bucketQueue(documents, monotonic),
    ...bucketDeployments(blobs, documents, monotonic),
    ...bucketDeliveries(blobs, documents, monotonic, access),
    turn: (stacks, work) =>
      turns.run(stacks.map(stackKey), async () => {
        hold.check();
        return work(service);
      }),
    appendEntries: (update, admit, items) =>
      store(update, admit, (record, logs) => logs.addEntries(record, items)),
    appendEvents: (update, admit, { bytes, resourceChanges }) =>
      store(update, admit, async (record, logs) => {
        if (resourceChanges !== undefined)
          await updates.putUpdateRecord(update.stack, { ...record, resourceChanges });
        return logs.addEvents(bytes);
      }),
    lapsedUpdates: async () => live.all().filter(({ record }) => live.found(record).lapsed),
    close: async () => {
      await live.close();
      await hold.close();
      await organizations.close();
    },
  };
  return service;
}
