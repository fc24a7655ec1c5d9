import { Inbox } from './inbox.js';

test('what arrives while a message is handled comes after it, in the order of arrival', () => {
  const did: string[] = [];
  const inbox = new Inbox<string>((message) => {
    if (message === 'a') for (const next of ['b', 'c']) inbox.put(next);
    if (message === 'b') inbox.put('d');
    did.push(message);
  }, fail);
  inbox.put('a');
  inbox.put('e');
  expect(did).toEqual(['a', 'b', 'c', 'd', 'e']);
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
  );
  inbox.put('bad');
  inbox.put('next');
  expect({ did, thrown }).toEqual({ did: ['bad', 'next'], thrown: ['odd'] });
});

function fail(thrown: unknown): void {
  throw thrown;
}
