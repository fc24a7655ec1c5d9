import type { RunRow } from '../runs/rows.js';
import type { ApprovalClaims } from './approval-link.js';

/** Most steps that the page lists. */
const STEPS = 500;

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem}' +
  'li,code{font-family:ui-monospace,monospace;overflow-wrap:anywhere}button{font:inherit;padding:.5rem 1.5rem}';

/** Headers of the pages. A page runs nothing, loads nothing, and sends its address nowhere. */
export const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
} as const;

/** Returns the page that says what will be done, with the button that approves it. */
export function openPage(run: RunRow, { person, until }: ApprovalClaims): string {
  const { id, kind, stack, by, why, commit, digest = '', steps = [], approvals, needed } = run;
  const more = steps.length > STEPS ? [`and ${steps.length - STEPS} more`] : [];
  const facts = [
    `Requested by ${by}.`,
    ...why.map((reason) => `${reason}.`),
    ...(commit === undefined ? [] : [`Commit ${commit}.`]),
    ...approvals.map(({ by: other, at }) => `Approved by ${other} at ${at}.`),
    `It needs ${needed - approvals.length} more. This link is valid until ${until}.`,
  ];
  return page(`Run ${id}: ${kind} of ${stack}`, [
    ...facts.map((fact) => `<p>${escaped(fact)}</p>`),
    `<h2>Plan ${escaped(digest.slice(0, 8))}</h2>`,
    `<ul>${[...steps.slice(0, STEPS).map((step) => `${step.kind} ${step.urn}`), ...more]
      .map((text) => `<li>${escaped(text)}</li>`)
      .join('')}</ul>`,
    `<form method="post"><button>Approve as ${escaped(person)}</button></form>`,
  ]);
}

/** Returns the page after the click. */
export function approvedPage({ id, digest = '' }: RunRow, { person }: ApprovalClaims): string {
  return page('Approved', [
    `<p>${escaped(`Plan ${digest.slice(0, 8)} of run ${id} is approved by ${person}. The link cannot be used again.`)}</p>`,
  ]);
}

/** Returns the page of a link that is refused. */
export function refusedPage(code: string, why: string): string {
  return page('This link approves nothing', [
    `<p>${escaped(why)}.</p>`,
    `<p><code>${escaped(code)}</code></p>`,
    '<p>List what waits with <code>cairn agent runs</code>, and approve it with <code>cairn agent approve</code>.</p>',
  ]);
}

function page(title: string, parts: readonly string[]): string {
  return [
    '<!doctype html>',
    `<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">`,
    `<title>${escaped(title)}</title><style>${STYLE}</style></head>`,
    `<body><h1>${escaped(title)}</h1>`,
    ...parts,
    '</body></html>\n',
  ].join('\n');
}

/** Returns a text in which nothing is HTML. */
function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (each) => `&#${each.charCodeAt(0)};`);
}
