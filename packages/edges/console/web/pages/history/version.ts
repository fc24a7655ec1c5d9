import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import type { ConsoleStackAnswer, UpdateInfo } from '@cairn/http-api';
import { changeOfVersion } from '../../../src/model/version-author.js';
import { apiCall } from '../../api/client.js';
import type { StackName } from '../../api/client.js';
import { useLoaded } from '../../api/loaded.js';
import { go, stackAddress } from '../../api/router.js';
import { Failure, Waiting } from '../../parts/basics.js';
import { StackHead, useTitle } from '../../parts/layout.js';
import type { StackPageProps } from '../stack/stack-page.js';
import { h } from '../../parts/h.js';

interface VersionProps extends StackPageProps {
  readonly version: number;
}

/** Page of a version by its number: that of its change, or else what it differs in from the version before. */
export function Version({ name, loaded: { value: stack }, version }: VersionProps): VNode {
  useTitle(`Version ${version} of ${name.project}/${name.stack}`);
  const isMade = stack !== undefined && version <= stack.version;
  const { loaded } = useLoaded<{ readonly updates: readonly UpdateInfo[] }>(
    isMade ? apiCall(name, `/updates?pageSize=1&page=${stack.version - version + 1}`) : undefined,
  );
  const { value, failure } = loaded.value;
  useEffect(() => {
    if (stack === undefined || (isMade && value === undefined)) return;
    go(addressOf(name, stack, version, value?.updates[0]), { replace: true });
  }, [stack, value]);
  return h('div', null, [
    h(StackHead, { name, page: 'history', doubts: stack?.doubts.length ?? 0 }),
    failure === undefined
      ? h(Waiting, { what: 'the version' })
      : h(Failure, { failure, what: 'show the version' }),
  ]);
}

function addressOf(
  name: StackName,
  { changes, version: newest }: ConsoleStackAnswer,
  version: number,
  info: UpdateInfo | undefined,
): string {
  const running = version > newest ? changes.find((change) => change.running) : undefined;
  const change = info === undefined ? running : changeOfVersion(info, changes);
  if (change !== undefined) return stackAddress(name, `changes/${change.number}`);
  const history = stackAddress(name, 'history');
  // An address may have any number, and the first version has none before it.
  const isComparable = version >= 2 && version <= newest;
  if (!isComparable) return history;
  return `${history}?${new URLSearchParams({ from: String(version - 1), to: String(version) })}`;
}
