export { delayAfter, retrying, systemRetryPorts } from './retrying.js';
export type { Passing, RetryBudget, RetryLimits, RetryPorts, RetryRules } from './retrying.js';
export { retryAfterMs } from './retry-after.js';
