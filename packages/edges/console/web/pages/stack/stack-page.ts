import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import type { ConsoleStackAnswer, ConsoleStackEvent } from '@cairn/http-api';
import { stackCall } from '../../api/client.js';
import type { ApiFailure, StackName } from '../../api/client.js';
import { useLoaded } from '../../api/loaded.js';
import type { Loaded } from '../../api/loaded.js';
import { query, setQuery } from '../../api/router.js';
import { listen } from '../../api/stream.js';
import { Failure, Waiting } from '../../parts/basics.js';
import { StackHead, useTitle } from '../../parts/layout.js';
import { Change } from '../change/change.js';
import { Doubts } from '../doubts/doubts.js';
import { Drift } from '../drift/drift.js';
import { Graph } from '../graph/graph.js';
import { History } from '../history/history.js';
import { Version } from '../history/version.js';
import { Previews } from '../previews/previews.js';
import { Resources } from '../resources/resources.js';
import { Runs } from '../runs/runs.js';
import { Settings } from '../settings/settings.js';
import { ChangeList } from './change-list.js';
import { StackOverview } from './stack.js';
import { h } from '../../parts/h.js';

/** Properties of every page of a stack. */
export interface StackPageProps {
  readonly name: StackName;
  readonly loaded: Loaded<ConsoleStackAnswer>;
}

/** Pages of one stack, which share its facts and keep them true. A change has a stream of its own. */
export function StackPage({
  name,
  page,
  rest,
}: {
  readonly name: StackName;
  readonly page: string;
  readonly rest: string;
}): VNode {
  const wanted = changesWanted(page);
  const { loaded, reload } = useLoaded<ConsoleStackAnswer>(
    stackCall(name, wanted === undefined ? '' : `?changes=${wanted}`),
  );
  const isChange = page === 'changes' && rest !== '';
  useEffect(() => {
    if (isChange) return undefined;
    let isFirst = true;
    return listen([name], {
      stack: (event) => {
        // The first event has no news if it says what is loaded.
        if (!isFirst || !isTrueOf(loaded.value.value, event)) reload();
        isFirst = false;
      },
      again: reload,
    });
  }, [stackCall(name), isChange]);
  const props = { name, loaded: loaded.value };
  const { value, failure } = loaded.value;
  // No page of a stack has anything to show without its facts.
  if (value === undefined && failure !== undefined) return h(Unknown, { name, page, failure });
  if (isChange) return h(Change, { key: rest, ...props, number: Number(rest), reloadStack: reload });
  if (page === 'changes') return h(Changes, props);
  if (page === 'resources') return h(Resources, props);
  if (page === 'previews') return h(Previews, { ...props, id: rest });
  if (page === 'drift') return h(Drift, props);
  if (page === 'graph') return h(Graph, props);
  if (page === 'history') return h(History, props);
  if (page === 'updates') return h(Version, { ...props, version: Number(rest) });
  if (page === 'settings') return h(Settings, props);
  if (page === 'runs') return h(Runs, { ...props, id: rest });
  if (page === 'doubts') return h(Doubts, { ...props, reload });
  return h(StackOverview, { ...props, reload });
}

/** Changes that a list shows at first, and at most. */
const PAGE = 50;
const MOST = 1000;

/** Returns the number of changes that a page needs. Undefined for pages that need the newest ones only. */
function changesWanted(page: string): number | undefined {
  if (page === 'history' || page === 'updates') return PAGE;
  return page === 'changes' ? Number(query.value.get('newest') ?? '') || PAGE : undefined;
}

/** A stack whose facts cannot be read. */
function Unknown({
  name,
  page,
  failure,
}: {
  readonly name: StackName;
  readonly page: string;
  readonly failure: ApiFailure;
}): VNode {
  useTitle(`${name.project}/${name.stack}`);
  return h('div', null, [
    h(StackHead, { name, page, doubts: 0 }),
    h(Failure, { failure, what: 'show the stack' }),
  ]);
}

/** Returns true if facts about a stack say what an event says. */
function isTrueOf(facts: ConsoleStackAnswer | undefined, { running, change }: ConsoleStackEvent): boolean {
  if (facts === undefined) return false;
  return (facts.running?.update ?? null) === running && (facts.changes[0]?.number ?? null) === change;
}

function Changes({ name, loaded: { value, failure } }: StackPageProps): VNode {
  const wanted = changesWanted('changes') ?? PAGE;
  useTitle(`Changes of ${name.project}/${name.stack}`);
  return h('div', null, [
    h(StackHead, { name, page: 'changes', doubts: value?.doubts.length ?? 0 }),
    failure === undefined ? null : h(Failure, { failure, what: 'list the changes' }),
    value === undefined && failure === undefined ? h(Waiting, { what: 'the changes' }) : null,
    value === undefined
      ? null
      : h(ChangeList, { name, changes: value.changes, hasVersions: value.version > 0 }),
    (value?.changes.length ?? 0) < wanted || wanted >= MOST
      ? null
      : h(
          'button',
          { type: 'button', onClick: () => setQuery({ newest: String(Math.min(MOST, wanted + 4 * PAGE)) }) },
          'Show more changes',
        ),
  ]);
}
