import { setTimeout as pause } from 'node:timers/promises';
import { UNKNOWN, equalMaps, getProperty, propertyMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import { InitFailedError, ProviderError } from '@cairn/wire';
import type { DiffResponse, Provider, TypeExtras } from '@cairn/wire';
import type { BenchPorts, Instance } from '../bench.js';

/** Ways in which a provider does not keep its word. */
export type Fault =
  | 'alters inputs'
  | 'checks nothing'
  | 'lies in previews'
  | 'gives no id'
  | 'makes two'
  | 'cannot find'
  | 'repeats what it is told'
  | 'sees changes that are none'
  | 'wants more and more'
  | 'is blind to changes'
  | 'cannot import'
  | 'remembers by itself'
  | 'does not update'
  | 'moves what is stable'
  | 'replaces without need'
  | 'deletes nothing'
  | 'deletes once'
  | 'fails vaguely'
  | 'does not answer a cancel'
  | 'works on after a cancel'
  | 'makes another after a crash'
  | 'compares settings wrongly'
  | 'looks at the shelf to compare'
  | 'completes inputs from memory';

/** A provider of books on a shelf, with the faults that are asked for. `promises` are those of its type. */
export function shelf(faults: readonly Fault[], promises: TypeExtras = PROMISES): BenchPorts {
  const has = (fault: Fault) => faults.includes(fault);
  const world = new Map<string, PropertyMap>();
  const byToken = new Map<string, string>();
  let count = 0;
  const make = (): Instance => {
    let memory = '';
    const books = has('remembers by itself') ? new Map<string, PropertyMap>() : world;
    const end = new AbortController();
    const provider: Partial<Provider> = {
      getPluginInfo: async () => ({ version: '1.0.0' }),
      getSchema: async () => SCHEMA,
      checkConfig: async ({ news }) => ({ inputs: news, failures: [] }),
      diffConfig: async () => diff(has('compares settings wrongly') ? ['region'] : []),
      configure: async () => CAN,
      extras: async () => ({ types: { '*': promises } }),
      check: async ({ news }) => {
        const title = getProperty(news, 'title');
        const failures = typeof title === 'string' || has('checks nothing') ? [] : [{ property: 'title', reason: 'is required' }];
        if (has('completes inputs from memory')) return { inputs: { mood: memory, ...news }, failures };
        return { inputs: has('alters inputs') ? { ...news, title: String(title).toUpperCase() } : news, failures };
      },
      diff: async ({ id, oldInputs, oldOutputs, news }) => {
        if (has('looks at the shelf to compare') && !books.has(id)) return diff(['title']);
        if (has('wants more and more')) return diff(['title']);
        if (has('replaces without need') && !equalMaps(oldInputs, news)) return diff(['text'], ['text']);
        const keys = ['title', 'text'].filter((key) => getProperty(oldInputs, key) !== getProperty(news, key));
        if (has('sees changes that are none') && getProperty(oldOutputs, 'seen') === true) return diff(['text']);
        return diff(keys, keys.filter((key) => key === 'title'));
      },
      create: async ({ inputs, preview, token }) => {
        if (preview) return created('', { ...inputs, place: has('lies in previews') ? 'top' : UNKNOWN });
        const text = getProperty(inputs, 'text');
        const known = token === undefined || has('makes two') ? undefined : byToken.get(token);
        const id = known ?? `book-${++count}`;
        if (text === 'fails') {
          if (has('fails vaguely')) throw new Error('something went wrong');
          books.set(id, inputs);
          throw new InitFailedError(id, inputs, inputs, ['it is torn'], false, 'it is torn');
        }
        if (text === 'slow') {
          if (has('makes another after a crash')) books.set(`ghost-${count}`, inputs);
          const signal = has('works on after a cancel') ? {} : { signal: end.signal };
          await pause(500, undefined, { ref: false, ...signal }).catch(() => {
            throw new ProviderError('CANCELLED', 'given up');
          });
        }
        if (token !== undefined) byToken.set(token, id);
        books.set(id, inputs);
        return created(has('gives no id') ? '' : id, { ...inputs, place: `row-${id}` });
      },
      read: async ({ id, inputs, state }) => {
        memory = id;
        if (state === undefined && has('cannot import')) return gone;
        if (has('repeats what it is told') && state !== undefined) return { id, inputs, outputs: state, refreshBeforeUpdate: false };
        const found = books.get(id);
        if (found === undefined) return gone;
        const seen = has('is blind to changes') && inputs !== undefined ? inputs : found;
        const more: PropertyMap = has('sees changes that are none') ? { seen: true } : {};
        return { id, inputs: seen, outputs: { ...seen, place: `row-${id}`, ...more }, refreshBeforeUpdate: false };
      },
      update: async ({ id, news, preview }) => {
        if (!preview && !has('does not update')) books.set(id, news);
        const place = has('moves what is stable') && !preview ? `elsewhere-${++count}` : `row-${id}`;
        return { outputs: { ...news, place }, refreshBeforeUpdate: false };
      },
      delete: async ({ id }) => {
        if (has('deletes once') && !books.has(id)) throw new ProviderError('NOT_FOUND', 'there is no such book');
        if (!has('deletes nothing')) books.delete(id);
      },
      lookup: async ({ inputs }) => {
        if (has('cannot find')) return { found: [] };
        const found = [...books].filter(([, book]) => equalMaps(book, inputs));
        return { found: found.map(([id]) => ({ id })) };
      },
      cancel: async () => {
        if (has('does not answer a cancel')) await pause(60_000, undefined, { ref: false });
        end.abort();
      },
    };
    let kill: (reason: Error) => void = () => undefined;
    const killed = new Promise<never>((_resolve, reject) => (kill = reject));
    killed.catch(() => undefined);
    const create = provider.create as Provider['create'];
    provider.create = (request) => Promise.race([create(request), killed]);
    return {
      provider: provider as Provider,
      close: async () => end.abort(),
      kill: async () => {
        end.abort();
        kill(new ProviderError('UNAVAILABLE', 'the process has ended'));
      },
    };
  };
  return {
    name: 'shelf',
    start: async () => make(),
    limitMs: 4000,
    cancelMs: 200,
    sleep: (ms) => pause(ms),
    // Somebody else rewrites every book.
    ...{
      runCommand: async () => {
        for (const [id, book] of world) world.set(id, propertyMap({ ...book, text: 'scribbled' }));
      },
      onProgress: () => undefined,
    },
  };
}

export const PROMISES: TypeExtras = {
  idempotencyToken: {},
  lookup: true,
  settleSeconds: 0,
  reads: 'world',
  repeatable: ['update', 'delete'],
  compares: 'arguments',
};

const SCHEMA = JSON.stringify({
  name: 'shelf',
  resources: { 'shelf:index:Book': { inputProperties: { title: { type: 'string' }, code: { type: 'string', secret: true } } } },
});

const CAN = {
  acceptSecrets: true,
  acceptResources: true,
  acceptOutputs: true,
  supportsPreview: true,
  supportsAutonaming: false,
};

const gone = { id: '', inputs: undefined, outputs: undefined, refreshBeforeUpdate: false };
const created = (id: string, outputs: PropertyMap) => ({ id, outputs, refreshBeforeUpdate: false });

function diff(keys: readonly string[], replaceKeys: readonly string[] = []): DiffResponse {
  return {
    changes: keys.length === 0 ? 'none' : 'some',
    changedKeys: keys,
    replaceKeys,
    stableKeys: keys.length === 0 || replaceKeys.length > 0 ? [] : ['place'],
    detailedDiff: undefined,
    deleteBeforeReplace: false,
  };
}

