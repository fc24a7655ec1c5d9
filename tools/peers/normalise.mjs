// Removes from a tool's answer everything that differs from run to run or from machine to machine: times, generated
// ids, folders, ports, versions, sealed texts, the source of functions, and the order of concurrent events. Pure: data
// in, data out.

import { aboutOf, sortOf } from './errors.mjs';

const SIGNATURE = '4dabf18193072939515e22adb298388d';
const SECRET = '1b47061264138c4ac30d75fd1eb44270';
/** Members with a time, a duration or a version. */
const PASSING = {
  created: '<time>',
  modified: '<time>',
  time: '<time>',
  timestamp: undefined,
  sequence: undefined,
  duration: undefined,
  durationSeconds: undefined,
  magic: '<version>',
  version: undefined,
  pulumi_version: undefined,
  __provider: '<code>',
  color: undefined,
  encryptionsalt: '<salt>',
  checkpoint_version: undefined,
  latest: undefined,
  steps_done: undefined,
  // Our own additions have a member of their own.
  cairn: undefined,
  // A hash of data that differs in every run.
  randomseed: '<seed>',
};

const TEXTS = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g, '<uuid>'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/g, '<time>'],
  [/(127\.0\.0\.1|localhost|\[::1?\]):\d+|unix:[^\s"]+/g, '<address>'],
];

/** Every URN begins so. */
const URN = /urn:pulumi:dev::shop::/g;

/** The unknown value is written as an id; it is none. */
const UNKNOWN = '04da6b54-80e4-46f7-96ec-b56ff0331ba9';

/** A text without folders (given as `[folder, name]`, longest first), ids, times and addresses. */
export function normalText(text, folders = []) {
  let shown = text.replaceAll(UNKNOWN, '<unknown>');
  for (const [folder, name] of folders) shown = shown.replaceAll(folder, name);
  shown = shown.replace(URN, 'urn:');
  for (const [pattern, name] of TEXTS) shown = shown.replace(pattern, name);
  return shown;
}

/**
 * Normalises any JSON value: passing members, and the environment in a history, removed or replaced, sealed texts as
 * `<sealed>`, members in the order of their names.
 */
export function normalValue(value, folders = []) {
  if (typeof value === 'string') return normalText(value, folders);
  if (Array.isArray(value)) return value.map((item) => normalValue(item, folders));
  if (typeof value !== 'object' || value === null) return value;
  if (value[SIGNATURE] === SECRET && typeof value.ciphertext === 'string' && value.ciphertext !== '[secret]')
    return { ...value, ciphertext: '<sealed>' };
  const members = [];
  for (const key of Object.keys(value).sort()) {
    // A history tells of the machine, and its message of the commit at hand.
    if (key === 'environment' || (key === 'message' && 'startTime' in value)) continue;
    if (key === 'stackTrace') {
      const frames = ownFrames(value[key], folders);
      if (frames.length > 0) members.push([key, frames]);
    } else if (key === 'sourcePosition') {
      if (!isForeign(value[key])) members.push([key, normalText(value[key], folders)]);
    } else if (Object.hasOwn(PASSING, key) && typeof value[key] !== 'object') {
      if (PASSING[key] !== undefined) members.push([key, PASSING[key]]);
    } else if (key !== 'cairn') members.push([normalText(key, folders), normalValue(value[key], folders)]);
  }
  return Object.fromEntries(members);
}

const isForeign = (position) => position === undefined || position.includes('/node_modules/');

/** Returns frames of the program itself: those of packages depend on where the package is. */
function ownFrames(frames, folders) {
  return (frames ?? [])
    .filter((frame) => !isForeign(frame.sourcePosition))
    .map((frame) => normalValue(frame, folders));
}

/** `type::name` of a URN. */
const shortUrn = (urn) => urn.replace(/^urn:pulumi:[^:]+::[^:]+::/, '');

/** Message that a plugin was found on PATH, as all of ours are. Tools report it as often as they like. */
const AMBIENT = /^(warning: )?(using pulumi-resource-\S+ from \$PATH|plugin \S+: using \S+ from the PATH)/;

/**
 * Returns the lines of an event log, by resource, since concurrent events have no order; lines without a resource are
 * under ``.
 */
export function normalEvents(text, folders = []) {
  const groups = {};
  const messages = [];
  for (const line of jsonLines(text)) {
    const kind = Object.keys(line).find((key) => key.endsWith('Event')) ?? 'none';
    const body = line[kind] ?? {};
    if (AMBIENT.test(body.message ?? '')) continue;
    if (kind === 'progressEvent' || body.severity === 'debug' || body.ephemeral === true) continue;
    const urn = shortUrn(body.metadata?.urn ?? body.urn ?? body.resourceUrn ?? '');
    if (kind === 'diagnosticEvent') messages.push(message(body, folders));
    else (groups[urn] ??= []).push({ [kind]: normalValue(thin(body), folders) });
  }
  return { ...sorted(groups), messages: inOrder(messages) };
}

/** Each tool words errors and warnings itself. Texts of a program or a provider are the same, and begin with this. */
const SAID = /said: .*/;

/**
 * A message: its resource, its severity, and the text if that is not the tool's own; for an error or a warning its sort
 * and the resources that it names.
 */
function message({ urn, severity, message: text, prefix = '', cairn }, folders = []) {
  const about = urn === undefined ? {} : { urn: normalText(urn, folders) };
  if (severity.startsWith('info')) return { severity, ...about, message: normalText(text, folders) };
  const grave = prefix === '' ? text.slice(0, text.indexOf(':') + 2) : prefix;
  const sort = sortOf(text, cairn?.code, urn);
  return { severity, sort, ...about, about: aboutOf(text, urn), prefix: grave, said: SAID.exec(text)?.[0] };
}

/** A list in an order of its own. */
function inOrder(list) {
  const keyed = list.map((one) => [JSON.stringify(one), one]);
  return keyed.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, one]) => one);
}

/** Leaves out of an event's states what they repeat of the step, and what its place implies. */
function thin(body) {
  if (body.metadata === undefined) return body;
  const { urn: _urn, old, new: entry, ...metadata } = body.metadata;
  const thinner = (one) =>
    typeof one !== 'object' || one === null
      ? one
      : Object.fromEntries(
          Object.entries(one).filter(
            ([key, value]) => !REPEATED.includes(key) || value !== body.metadata[key],
          ),
        );
  return { ...body, metadata: { ...metadata, old: thinner(old), new: thinner(entry) } };
}

const REPEATED = ['urn', 'type', 'provider'];

/** The lines of a text, each as JSON. */
function jsonLines(text) {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line));
}

/** Calls that describe a plugin; a tool makes them as often as it likes. */
const ABOUT = /^(handshake|attach|getPluginInfo|getSchema|cancel|getMapping|getMappings)$/;

/** The calls that a provider got: those about resources in their order, by resource; the others once each. */
export function normalCalls(text, folders = []) {
  const groups = {};
  for (const { method, ...request } of jsonLines(text)) {
    const call = { [method]: normalValue(withoutPorts(request), folders) };
    const group = (groups[ABOUT.test(method) ? '' : shortUrn(request.urn ?? request.tok ?? '-')] ??= []);
    if (ABOUT.test(method) && group.some((one) => JSON.stringify(one) === JSON.stringify(call))) continue;
    group.push(call);
  }
  groups['']?.sort((a, b) => (Object.keys(a)[0] < Object.keys(b)[0] ? -1 : 1));
  return sorted(groups);
}

const withoutPorts = ({ resolverTarget, ...request }) =>
  resolverTarget === undefined ? request : { ...request, resolverTarget: '<address>' };

/** A checkpoint or an exported state: its resources under their names, in their order. */
export function normalState(document, folders = []) {
  const deployment = document.checkpoint?.latest ?? document.deployment ?? document;
  const {
    resources = [],
    pending_operations: pending = [],
    secrets_providers: secrets,
    manifest,
    ...rest
  } = deployment;
  const named = resources.map((resource) => [
    `${shortUrn(resource.urn)}${resource.delete === true ? ' (on its way out)' : ''}`,
    resource,
  ]);
  return {
    ...normalValue(rest, folders),
    ...(manifest === undefined ? {} : { manifest: Object.keys(manifest).sort().join(' ') }),
    ...(secrets === undefined ? {} : { secrets: secrets.type }),
    order: named.map(([name]) => name),
    resources: Object.fromEntries(
      named.map(([name, { urn: _urn, type: _type, ...resource }]) => [
        normalText(name, folders),
        normalValue(resource, folders),
      ]),
    ),
    ...(pending.length === 0 ? {} : { pending: normalValue(pending, folders) }),
  };
}

/** Returns the steps of a preview, by resource, and its other members. */
export function normalPreview(document, folders = []) {
  const { steps = [], duration: _duration, diagnostics = [], ...rest } = document;
  const groups = {};
  for (const { urn, ...step } of steps) (groups[shortUrn(urn)] ??= []).push(normalValue(step, folders));
  const messages = diagnostics
    .filter((one) => !AMBIENT.test(one.message ?? ''))
    .map((one) => message(one, folders));
  return { ...normalValue(rest, folders), messages: inOrder(messages), steps: sorted(groups) };
}

/** A stack file: sealed texts and the salt are replaced, all else stays as it is written. */
export function normalConfig(text) {
  return text
    .replace(/^(encryptionsalt: ).*$/m, '$1<salt>')
    .replace(/(secure: )(?:v1:)?[\w+/=:]+/g, '$1<sealed>');
}

const sorted = (groups) =>
  Object.fromEntries(
    Object.keys(groups)
      .sort()
      .map((key) => [key, groups[key]]),
  );
