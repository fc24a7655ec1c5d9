import { Inbox } from './inbox.js';

test('what arrives while a message is handled comes after it, in the order of arrival', () => {
  const did: string[] = [];
  const inbox = new Inbox<string>(
    (message) => {
      if (message === 'a') for (const next of ['b', 'c']) inbox.put(next);
      if (message === 'b') inbox.put('d');
      did.push(message);
    },
    fail,
    () => did.push('empty'),
  );
  inbox.put('a');
  inbox.put('e');
  expect(did).toEqual(['a', 'b', 'c', 'd', 'empty', 'e', 'empty']);
});

test('a message that throws is told, and drops those behind it; the next one is handled', () => {
  const did: string[] = [];
  const thrown: unknown[] = [];
  const inbox = new Inbox<string>(
    (message) => {
      did.push(message);
      if (message !== 'bad') return;
      inbox.put('dropped');
      throw 'odd';
    },
    (each) => thrown.push(each),
    () => did.push('empty'),
  );
  inbox.put('bad');
  inbox.put('next');
  expect({ did, thrown }).toEqual({ did: ['bad', 'empty', 'next', 'empty'], thrown: ['odd'] });
});

function fail(thrown: unknown): void {
  throw thrown;
}
