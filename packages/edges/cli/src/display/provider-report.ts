import { brokenPromises } from '@cairn/provider-check';
import type { Finding, ProviderReport, ResourceReport, PromiseVerdict } from '@cairn/provider-check';
import type { Paint } from '../terminal/paint.js';

const WORDS = {
  kept: 'kept',
  broken: 'BROKEN',
  'not-promised': 'not promised',
  'not-tried': 'not tried',
} as const satisfies Record<PromiseVerdict, string>;

const CAPABILITIES = {
  supportsPreview: 'previews',
  supportsAutonaming: 'proposed names',
  acceptSecrets: 'secrets',
  acceptResources: 'references to resources',
  acceptOutputs: 'outputs',
} as const;

/** Returns a report as text: the provider's promises, the kept ones, and those that it leaves to users. */
export function providerReportLines(report: ProviderReport, paint: Paint): readonly string[] {
  const { provider, version, findings, resources } = report;
  const broken = brokenPromises(report).length;
  const tried = [...findings, ...resources.flatMap((each) => each.findings)];
  const kept = tried.filter(({ verdict }) => verdict === 'kept').length;
  return [
    paint.bold(`${provider}${version === '' ? '' : ` ${version}`}`),
    `  supports ${capabilities(report)}`,
    ...findings.flatMap((each) => findingLines(each, paint)),
    ...resources.flatMap((each) => ['', ...resourceLines(each, paint)]),
    '',
    `${kept} kept, ${broken === 0 ? '0 broken' : paint.red(`${broken} broken`)}`,
  ];
}

function capabilities({ capabilities: found }: ProviderReport): string {
  const words = Object.entries(CAPABILITIES).flatMap(([key, word]) =>
    found[key as keyof typeof CAPABILITIES] ? [word] : [],
  );
  return words.length === 0 ? 'nothing beyond plain values' : words.join(', ');
}

function resourceLines(
  { type, name, promises, findings, questions }: ResourceReport,
  paint: Paint,
): readonly string[] {
  const said = [
    promises.idempotencyToken === undefined ? [] : ['tokens'],
    promises.lookup === true ? ['a look-up'] : [],
    promises.reads === undefined ? [] : [`reads of the ${promises.reads}`],
    (promises.repeatable ?? []).map((call) => `repeatable ${call}s`),
    promises.holdsData === true ? ['that it holds data'] : [],
  ].flat();
  return [
    paint.bold(`${type} "${name}"`),
    `  promises ${said.length === 0 ? 'nothing beyond the protocol' : said.join(', ')}`,
    ...findings.flatMap((each) => findingLines(each, paint)),
    ...(questions.length === 0
      ? ['  the user is asked about nothing']
      : ['  the user is asked about', ...questions.map((question) => `    ${question}`)]),
  ];
}

function findingLines({ promise, verdict, detail }: Finding, paint: Paint): readonly string[] {
  const word = WORDS[verdict].padEnd(12);
  const shown = {
    kept: paint.green,
    broken: paint.red,
    'not-promised': paint.yellow,
    'not-tried': paint.dim,
  }[verdict](word);
  return [`  ${shown}  ${promise}${detail === '' || verdict === 'broken' ? '' : ` (${detail})`}`].concat(
    verdict === 'broken' ? detail.split('\n').map((line) => `                ${line}`) : [],
  );
}
