import { startReceiver } from '../../test/hook-receiver.js';
import type { HookReceiver } from '../../test/hook-receiver.js';
import { hookPoster } from './hook-poster.js';

let receiver: HookReceiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.stop());

const open = (answerMs?: number) => hookPoster(['127.0.0.0/8', '::1'], 'v0.1.0', { answerMs });

test('an address that is not public is refused by number and by name, before anything is sent', async () => {
  const post = hookPoster([], 'v0.1.0');
  const { port } = new URL(receiver.url);
  for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1'])
    await expect(post(`http://${host}:${port}/`, {}, '{}')).rejects.toThrow('is not on the public internet');
  expect(receiver.received).toEqual([]);
});

test('a name in an allowed network is looked up and reached', async () => {
  const { port } = new URL(receiver.url);
  expect(await open()(`http://localhost:${port}/x`, { 'x-a': 'b' }, '{"a":"ü"}')).toMatchObject({
    code: 204,
  });
  expect(receiver.received).toMatchObject([{ url: '/x', body: '{"a":"ü"}', headers: { 'x-a': 'b' } }]);
});

test('a redirect is an answer, and is not followed', async () => {
  receiver.answer = (response) =>
    void response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' }).end();
  expect(await open()(receiver.url, {}, '{}')).toMatchObject({
    code: 302,
    headers: expect.stringContaining('169.254.169.254') as string,
  });
  expect(receiver.received).toHaveLength(1);
});

test('of a huge answer the beginning is kept, and an endless one ends', async () => {
  receiver.answer = (response) => {
    response.writeHead(200);
    const write = (): void => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
      response.once('drain', write);
    };
    write();
  };
  const { code, body } = await open()(receiver.url, {}, '{}');
  expect([code, body.length]).toEqual([200, 16_384]);
});

test('a receiver that does not answer, or not to the end, is given up', async () => {
  receiver.answer = () => undefined;
  await expect(open(50)(receiver.url, {}, '{}')).rejects.toThrow('There was no answer in 0.05 s.');
  receiver.answer = (response) => void response.writeHead(200).write('half');
  await expect(open(50)(receiver.url, {}, '{}')).rejects.toThrow();
});

test('a text that is no network is refused', () => {
  expect(() => hookPoster(['10.0.0.0/99'], 'v0.1.0')).toThrow('it is not a network');
});
