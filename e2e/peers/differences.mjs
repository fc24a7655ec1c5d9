/**
 * Where ours answers otherwise than the peer, and why. A line: `at`, a pattern for the place in the record of a step;
 * `cases`, all that have the difference, where it is not to be expected anywhere; `when`, a judgement of the two
 * values; `why`. A line that is about no difference any more, or a case that no longer has it, makes `npm run peers`
 * fail; only what is a matter of time may be away (`sometimes`).
 */

const none = (value) => value === undefined;
const isNumber = (value) => typeof value === 'number';

/** Whether a list of messages has what the other has, and besides only that the whole operation has failed. */
const onlyTheWhole = (peer, ours) => {
  const texts = ours.map((one) => JSON.stringify(one));
  const more = peer.filter((one) => !texts.includes(JSON.stringify(one)));
  return (
    peer.length - more.length === ours.length &&
    more.every(({ severity, urn }) => severity === 'error' && none(urn))
  );
};

/** Whether the calls are only those that say what a plugin is. */
const onlyAbout = (calls) =>
  Object.keys(calls).every((key) => key === '' || key === '-' || key.startsWith('pulumi:providers:'));

/** On purpose, and for good. */
export const DIFFERENCES = [
  {
    at: /^code$/,
    when: (peer, ours) => isNumber(peer) && isNumber(ours) && peer > 0 && ours > 0,
    why: 'exit codes of ours say what sort of failure it was (docs/cli.md); both are not zero',
  },
  {
    at: /^(events|preview) \/ messages \/ order$/,
    when: onlyTheWhole,
    why: 'that the update or the preview as a whole has failed is said by the summary, not by one more error',
  },
  {
    at: /^calls$/,
    when: (peer, ours) => none(ours) && onlyAbout(peer),
    why: 'a provider is started when something is asked of it, not because it is in the state',
  },
  {
    at: /^events \/  \/ summaryEvent \/ summaryEvent \/ maybeCorrupt$/,
    when: (peer, ours) => peer === true && ours === false,
    why: 'a provider that answers that a step has failed has answered: nothing is in doubt',
  },
  {
    at: /resOpFailedEvent \/ status$/,
    when: (peer, ours) => peer > 0 && ours === 0,
    why: 'a provider that answers that a step has failed has answered: nothing is in doubt',
  },
  {
    at: /^state \/ order/,
    why: 'resources that do not need one another are stored in the order in which they ended, which is a matter of time',
  },
  {
    at: /^preview \/ steps \/ .* \/ (create-replacement|replace) \/ newState \/ (created|modified)$/,
    when: (peer, ours) => peer === '<time>' && none(ours),
    why: 'what a preview makes was not made at any time',
  },
  {
    at: /^events \/ .* resOpFailedEvent \/ steps$/,
    cases: ['continue-on-error', 'refresh-fails'],
    sometimes: true,
    why: 'what has ended before a step fails is a matter of time',
  },
  {
    at: /^(events|preview) \/ messages \/ \d+ \/ urn$/,
    cases: ['assets'],
    why: 'an asset that cannot be read is told with the resource that has it',
  },
  {
    at: /^(preview|events|calls) \/ (changeSummary|steps|probe:index:Thing::b|.*summaryEvent)/,
    cases: ['check-fails'],
    why: 'a refused check does not keep a preview from looking at the other resources: all refusals are told at once',
  },
  {
    at: /shop:index:Group::g \/ resOutputsEvent update \/ .* \/ new \/ outputs/,
    cases: ['component'],
    why: 'until the program registers outputs of a component anew, it has those that it had',
  },
  {
    at: /resOpFailedEvent (create|update) \/ resOpFailedEvent \/ metadata \/ new/,
    cases: ['create-partly', 'update-fails'],
    why: 'a step that has failed is told as it was begun; what is left of it stands in the state',
  },
  {
    at: /probe:index:Thing::b \/ (.* create-replacement \/ .* \/ keys|create-replacement \/ replaceReasons)$/,
    cases: ['delete-before-replace', 'delete-first'],
    why: 'a resource that goes with another has no keys of its own; `cairn.why` tells which of its inputs come from there',
  },
  {
    at: /(resOutputsEvent (update|refresh) \/ .* \/ diffs|update \/ diffReasons)$/,
    cases: ['drift', 'refresh-first'],
    why: 'what a look-up has found is told by the states before and after, without a list of keys',
  },
  {
    at: /^text$/,
    cases: ['exotic-values'],
    when: (peer, ours) => peer === ours.replace(/='(urn:[^']*)'/g, '=$1'),
    why: 'every text for shells is quoted, also one that needs no quotes',
  },
  {
    at: /(resourcePreEvent import|resOpFailedEvent import)(-replacement)? \/ .* \/ new \/ inputs/,
    cases: ['import-option', 'import-refused'],
    why: 'inputs of an import are told once the object has been read and they were compared with it',
  },
  {
    at: /^calls \/ pulumi:providers:probe::\w+ \/ order$/,
    cases: ['provider-config', 'provider-option'],
    when: (peer, ours) => peer.length === ours.length + 1 && peer.at(-1) === 'configure',
    why: 'a preview does not configure a replaced provider with values that it will only have later',
  },
  {
    at: /^state \/ resources \/ probe:index:Thing::[ab]$/,
    cases: ['refresh-first'],
    when: (peer) => peer === '=',
    why: 'after a look-up in the same operation, properties that depend on nothing have no empty list of dependencies',
  },
  {
    at: /^events \/ probe:index:Thing::b$/,
    cases: ['target-creates'],
    when: (_, ours) => none(ours),
    why: 'nothing is told of a resource that is not there and that the targets leave out',
  },
  {
    at: /(resourceChanges|changeSummary) \/ same$/,
    cases: ['target-creates'],
    why: 'the other tool counts what is not there and what the targets leave out as unchanged',
  },
  {
    at: /^preview \/ steps \/ probe:index:Thing::a \/ read \/ newState \/ (created|modified)$/,
    cases: ['created-then-read'],
    why: 'what was created and is only read from now on keeps its times in our preview until it has been read',
  },
];
