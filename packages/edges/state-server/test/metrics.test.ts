import { endServices, startTestService, startUpdate, storeTest } from './service.js';

afterEach(endServices);

storeTest('metrics have requests, updates, batches and leases, at an address of their own', async () => {
  const service = await startTestService(undefined, { metrics: { host: '127.0.0.1', port: 0 } });
  await service.call('POST', '/api/stacks/organization/shop', { body: { stackName: 'dev' } });
  const { route, auth } = await startUpdate(service);
  const resource = { urn: 'urn:pulumi:dev::shop::a:b:C::d', custom: false, type: 'a:b:C' };
  const entry = {
    version: 1,
    kind: 0,
    sequenceID: 1,
    operationID: 1,
    operation: { resource, type: 'creating' },
  };
  await service.call('PATCH', `${route}/journalentries`, { auth, body: { entries: [entry] } });
  const read = async (): Promise<string> =>
    (await fetch(`${String(service.service.metricsUrl)}/metrics`)).text();
  const during = await read();
  expect(during).toContain('cairn_updates_running 1\n');
  expect(during).toContain('cairn_journal_batch_entries_bucket{le="1"} 1\n');
  await service.call('POST', `${route}/complete`, { auth, body: { status: 'failed' } });
  const after = await read();
  expect(after).toContain('cairn_updates_running 0\n');
  expect(after).toContain('cairn_updates_ended_total{status="failed"} 1\n');
  expect(after).toContain('cairn_http_requests_total{route="completeUpdate",method="POST",status="200"} 1\n');
  expect(after).toMatch(/cairn_http_request_duration_seconds_count\{route="journalEntries"\} 1\n/);
  expect(after).toContain('process_resident_memory_bytes');
  for (const secret of [service.token, 'shop', 'writer-user']) expect(after).not.toContain(secret);
  expect((await fetch(`${String(service.service.metricsUrl)}/api/user`)).status).toBe(404);
  expect((await service.call('GET', '/metrics')).status).toBe(404);
});
