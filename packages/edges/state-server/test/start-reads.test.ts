import { openBlobStore } from '@cairn/blobs';
import { storeInBlobs } from '../src/store/bucket/bucket-store.js';
import { backendPorts, endServices, newFolder, startTestService } from './service.js';
import { watchedBlobs } from './watched-blobs.js';

afterEach(endServices);

async function touchesOfStart(stacks: number): Promise<readonly string[]> {
  const folder = newFolder();
  const first = await startTestService(folder);
  for (let stack = 0; stack < stacks; stack += 1)
    await first.call('POST', '/api/stacks/organization/shop', { body: { stackName: `s${stack}` } });
  await first.stop();
  const touches: string[] = [];
  const url = `file://${folder}`;
  const blobs = watchedBlobs(await openBlobStore(url, {}), touches);
  const store = await storeInBlobs(blobs, { url, ports: backendPorts(), options: {} }, () => 0);
  await (await startTestService(folder, { token: false, store: () => store })).stop();
  return touches.sort();
}

test('a start on a bucket reads as much with 40 stacks as with one', async () => {
  const [one, many] = [await touchesOfStart(1), await touchesOfStart(40)];
  expect(one).toContain('list .pulumi/service/tokens/ 1');
  expect(many).toEqual(one);
});
