/** Request of a test: everything that a mutation can change. */
export interface TestRequest {
  readonly method: string;
  /** Path with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
}

/** Returns whole numbers from 0 to below a limit. The same seed gives the same numbers. */
export type Numbers = (limit: number) => number;

export function numbersFrom(seed: number): Numbers {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

/** Pieces that are put into bodies and paths. */
const ODD = [
  ...[
    '',
    '\u0000',
    '{',
    ']',
    '"',
    ',',
    ':',
    '\\',
    '\\ud800',
    '\u{1f4a5}',
    '\ufeff',
    '\r\n',
    '-1',
    '1e999',
    '0.5',
  ],
  ...[
    '9007199254740993',
    '123456789012345678901234567890',
    '-0',
    'null',
    'true',
    '[[[[',
    '..',
    '../..',
    '//',
    '?a=b',
  ],
  ...[
    '%2e%2e',
    '%2f',
    '%00',
    '%',
    '%zz',
    '#',
    ';',
    '*',
    '__proto__',
    'constructor',
    'organization',
    'x'.repeat(300),
  ],
];

/** Values that stand where another value stood. */
const VALUES: readonly string[] = [
  ...[
    'null',
    'true',
    '-1',
    '0',
    '1e999',
    '9007199254740993',
    '2.5',
    '""',
    '"x"',
    '"\\u0000"',
    '[]',
    '{}',
    '[null]',
  ],
  ...['{"__proto__":{"polluted":1}}', '"1b4db7eb-4057-5ddf-91e0-36dec72071f5"', `"${'y'.repeat(5000)}"`],
  ...[`${'['.repeat(3000)}${']'.repeat(3000)}`, `${'{"a":'.repeat(3000)}1${'}'.repeat(3000)}`],
];

const HEADERS: readonly (readonly [string, string])[] = [
  ...(
    ['', 'token', 'token ', 'token a b', 'Bearer x', 'update-token x', 'Basic eDp5', 'token \u00e9'] as const
  ).map((value) => ['authorization', value] as const),
  ...(['gzip', 'x-gzip', 'gzip, gzip', 'br', 'deflate', '', 'identity'] as const).map(
    (value) => ['content-encoding', value] as const,
  ),
  ...(['*', '"x"', 'W/"x"', ''] as const).map((value) => ['if-match', value] as const),
  ...(['text/plain', 'application/json; charset=utf-16', ''] as const).map(
    (value) => ['content-type', value] as const,
  ),
  ['accept', 'application/vnd.pulumi+8'],
  ['x-forwarded-for', '1.2.3.4, evil'],
  ['x-request-id', 'chosen-by-the-client'],
];

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'LOCK', 'PROPFIND'];

type Mutation = (request: TestRequest, next: Numbers) => TestRequest;

const pick = <T>(items: readonly T[], next: Numbers): T => items[next(items.length)] as T;

function spliced(text: string, next: Numbers): string {
  const at = next(text.length + 1);
  return text.slice(0, at) + pick(ODD, next) + text.slice(at + next(4));
}

const textOf = ({ body }: TestRequest): string => Buffer.from(body ?? []).toString('utf8');

const withText = (request: TestRequest, text: string): TestRequest => ({
  ...request,
  body: Buffer.from(text),
});

/** Kinds of damage. Those of a body do nothing to a request without one. */
const MUTATIONS: readonly Mutation[] = [
  (request, next) => ({ ...request, path: `/${spliced(request.path.slice(1), next)}` }),
  (request, next) => {
    const segments = request.path.split('/');
    segments[1 + next(segments.length - 1)] = encodeURIComponent(pick(ODD, next));
    return { ...request, path: segments.join('/') };
  },
  (request, next) => {
    const segments = request.path.split('/');
    segments.splice(1 + next(segments.length - 1), next(2), ...(next(2) === 0 ? [''] : []));
    return { ...request, path: segments.join('/') };
  },
  (request, next) => ({
    ...request,
    path: `${request.path}?${pick(['page', 'pageSize', 'continuationToken', 'force', 'ID', 'a'], next)}=${encodeURIComponent(pick(ODD, next))}`,
  }),
  (request, next) => ({ ...request, method: pick(METHODS, next) }),
  (request, next) => {
    const [name, value] = pick(HEADERS, next);
    return { ...request, headers: { ...request.headers, [name]: value } };
  },
  (request, next) => withText(request, spliced(textOf(request), next)),
  (request, next) => withText(request, textOf(request).slice(0, next(textOf(request).length + 1))),
  (request, next) => {
    const text = textOf(request);
    const at = next(text.length + 1);
    return withText(request, text + text.slice(at, at + next(200)));
  },
  // Another value in place of one.
  (request, next) => {
    const values = [...textOf(request).matchAll(/(?<=[:,[])(?:"[^"]*"|-?\d+|true|false|null|\{\}|\[\])/g)];
    if (values.length === 0) return request;
    const { index, 0: old } = pick(values, next);
    const text = textOf(request);
    return withText(request, text.slice(0, index) + pick(VALUES, next) + text.slice(index + old.length));
  },
  // Another name of a member, or a member twice.
  (request, next) => {
    const names = [...textOf(request).matchAll(/"\w+":/g)];
    if (names.length === 0) return request;
    const { index, 0: old } = pick(names, next);
    const text = textOf(request);
    const name = pick(['"__proto__":', '"constructor":', `${old}1,${old}`, `${old.toUpperCase()}`], next);
    return withText(request, text.slice(0, index) + name + text.slice(index + old.length));
  },
  (request, next) => {
    const body = Buffer.from(request.body ?? []);
    if (body.length > 0) body[next(body.length)] = next(256);
    return { ...request, body };
  },
];

/** Damages a request once or twice. */
export function mutated(request: TestRequest, next: Numbers): TestRequest {
  const once = pick(MUTATIONS, next)(request, next);
  return next(3) === 0 ? pick(MUTATIONS, next)(once, next) : once;
}
