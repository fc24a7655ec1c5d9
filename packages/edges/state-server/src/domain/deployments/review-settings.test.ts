import { reviewSettings, reviewStackName } from './review-settings.js';

test('a review stack is named after its stack and its pull request', () =>
  expect(reviewStackName('dev', 'my-hub/12')).toBe('dev-pr-12'));

test.each([
  [
    {
      gitHub: { deployCommits: true },
      agentPoolID: 'blue',
      cairn: { onCommit: 'up', policy: { rules: [] } },
    },
    { agentPoolID: 'blue', cairn: { policy: { rules: [] } } },
  ],
  [
    { sourceContext: { git: { repoUrl: 'u' } }, cairn: { after: ['a/b'], reads: ['a/b'] } },
    { sourceContext: { git: { repoUrl: 'u' } }, cairn: { reads: ['a/b'] } },
  ],
  [{ operationContext: {} }, { operationContext: {} }],
])('settings %j become %j', (settings, review) => expect(reviewSettings(settings)).toEqual(review));
