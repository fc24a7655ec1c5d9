import { urnName } from '@cairn/addresses';
import type { Urn } from '@cairn/addresses';
import type { ResourceEntry } from '@cairn/state';
import { changedKeys, diffMaps, emptyMap, propertyMap } from '@cairn/values';
import type { PropertyMap } from '@cairn/values';
import { InitFailedError, ProviderError } from '@cairn/wire';
import { MockWorld } from '../provider/mock-world.js';
import { diffAnswer } from '../provider/mock-provider.js';
import type { MockBehaviour } from '../provider/mock-provider.js';
import type { Script } from './fuzz-case.js';

/** Prefix of the ids of objects that exist from the beginning. */
export const OUTSIDE = 'outside-';

/** Inputs whose change requires a new object. With `swap`, the old one must be deleted first. */
const REPLACING = new Set(['replace', 'bound', 'swap']);

/**
 * A world whose objects answer by script, resource by resource. It records calls that no provider should see: an update
 * or a delete of a missing object. Objects with ids `outside-…` exist from the beginning.
 */
export class ScriptedWorld extends MockWorld {
  scripts: Readonly<Record<string, Script>> = {};
  /** Unexpected calls, in order. */
  readonly offences: string[] = [];
  /** Objects that exist although the engine cannot know it, or that were deleted outside of Cairn. */
  readonly excused = new Set<string>();

  constructor(packages: readonly string[] = ['pkgA', 'pkgB']) {
    super({});
    for (const pkg of packages) this.install(pkg, { behaviour: this.behaviour() });
  }

  /** Creates the objects of entries that exist from the beginning. */
  adopt(entries: readonly ResourceEntry[]): void {
    for (const { urn, type, id, custom, external, pendingReplacement, inputs, outputs } of entries) {
      if (!custom || external || pendingReplacement || id === '' || type.startsWith('pulumi:')) continue;
      this.objects.set(id, { urn, type, inputs, outputs, settings: undefined });
    }
  }

  /** Deletes the object, as another tool would. */
  vanish(id: string): void {
    if (this.objects.delete(id)) this.excused.add(id);
  }

  /**
   * Does the same as {@link vanish} for the object at a position among the live ones. Does nothing if there is none.
   */
  vanishAt(position: number): void {
    const id = [...this.objects.keys()][position];
    if (id !== undefined) this.vanish(id);
  }

  #script(urn: string): Script {
    const name = urnName(urn as never);
    return this.scripts[name] ?? this.scripts[name.replace(/x$/, '')] ?? {};
  }

  /** Adds an object that exists from the beginning to the others. */
  #take({ id, urn, type, news }: { id: string; urn: Urn; type: string; news: PropertyMap }): void {
    if (this.objects.has(id)) return;
    this.objects.set(id, { urn, type, inputs: news, outputs: news, settings: undefined });
  }

  /** Returns the behaviour of its providers that differs from the standard. */
  protected behaviour(): MockBehaviour {
    return {
      check: async (request, { standard }) =>
        this.#script(request.urn).check === 'refuse'
          ? { inputs: emptyMap, failures: [{ property: 'update', reason: 'is refused' }] }
          : standard(),
      diff: async ({ urn, oldInputs, news, ignoreChanges }) => {
        const wanted = this.#script(urn).diff;
        if (wanted === 'fail') throw refused('diff');
        const changed = changedKeys(diffMaps(oldInputs, news)).filter((key) => !ignoreChanges.includes(key));
        const replaceKeys = changed.filter((key) => REPLACING.has(key));
        if (wanted === 'replace' || wanted === 'replace-first') replaceKeys.push('update');
        const some = changed.length > 0 || wanted !== undefined;
        return diffAnswer(some ? 'some' : 'none', {
          changedKeys: changed,
          replaceKeys,
          deleteBeforeReplace: wanted === 'replace-first' || replaceKeys.includes('swap'),
        });
      },
      create: async (request, { standard }) => {
        const wanted = this.#script(request.urn).create;
        if (wanted === 'fail') throw refused('create');
        const answer = await standard();
        if (request.preview || wanted === undefined) return answer;
        if (wanted === 'lost') {
          this.excused.add(answer.id);
          throw new ProviderError('INTERNAL', 'the answer to create is lost');
        }
        throw notReady(answer.id, answer.outputs);
      },
      update: async (request, { standard }) => {
        const wanted = this.#script(request.urn).update;
        if (wanted === 'fail') throw refused('update');
        if (!request.preview && !this.objects.has(request.id) && !request.id.startsWith(OUTSIDE)) {
          if (!this.excused.has(request.id))
            this.offences.push(`update of ${request.id}, which is not there`);
          throw new ProviderError('NOT_FOUND', `there is no object ${request.id}`);
        }
        if (!request.preview) this.#take(request);
        const answer = await standard();
        if (request.preview || wanted === undefined) return answer;
        if (wanted === 'lost') throw new ProviderError('INTERNAL', 'the answer to update is lost');
        throw notReady(request.id, answer.outputs);
      },
      delete: async ({ urn, id }) => {
        const wanted = this.#script(urn).delete;
        if (wanted === 'fail') throw refused('delete');
        if (!this.objects.delete(id) && !this.excused.has(id) && !id.startsWith(OUTSIDE)) {
          this.offences.push(`delete of ${id}, which is not there`);
        }
        if (wanted !== 'lost') return;
        this.excused.add(id);
        throw new ProviderError('INTERNAL', 'the answer to delete is lost');
      },
      read: async (request, { standard }) => {
        const wanted = this.#script(request.urn).read;
        if (wanted === 'fail') throw refused('read');
        if (request.id.startsWith(OUTSIDE)) {
          const found = this.objects.get(request.id)?.inputs ?? propertyMap({ update: 0, replace: 0 });
          return { id: request.id, inputs: found, outputs: found, refreshBeforeUpdate: false };
        }
        const answer = await standard();
        if (wanted === undefined || answer.id === '') return answer;
        if (wanted === 'partial') throw notReady(answer.id, answer.outputs ?? emptyMap, answer.inputs);
        if (wanted === 'drift')
          return { ...answer, outputs: propertyMap({ ...answer.outputs, drifted: this.calls.length }) };
        this.vanish(answer.id);
        return { id: '', inputs: undefined, outputs: undefined, refreshBeforeUpdate: false };
      },
    };
  }
}

function refused(what: string): ProviderError {
  return new ProviderError('INVALID_ARGUMENT', `the script refuses ${what}`);
}

function notReady(
  id: string,
  outputs: ConstructorParameters<typeof InitFailedError>[1],
  inputs?: ConstructorParameters<typeof InitFailedError>[2],
): InitFailedError {
  return new InitFailedError(id, outputs, inputs, ['it is not ready'], false, 'the object is not ready');
}
