/** Test of a provider's promises on real objects. */
export { readTestPlan } from './plan.js';
export { brokenPromises } from './report.js';
export type { Finding, ProviderReport, ResourceReport, PromiseVerdict } from './report.js';
export { providerTestSkeleton, runProviderTest } from './run-test.js';
